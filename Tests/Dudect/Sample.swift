/// How long something took, with secrets of each class.
struct Sample {
    private var fixed: [Double] = []
    private var random: [Double] = []

    mutating func append(_ ticks: Double, isFixed: Bool) {
        if isFixed { fixed.append(ticks) } else { random.append(ticks) }
    }

    /// How likely the two classes have one mean: Welch's t, of which more than 4.5 is rare by chance.
    struct Difference {
        let t: Double
        /// The share of the measurements that it is of.
        let share: Double
        /// How much longer the fixed class takes.
        let ticks: Double
    }

    /// The clearest difference. The longest measurements are those that an interrupt fell into, so it is also looked for in the
    /// shortest of them, as dudect does (Reparaz, Balasch, Verbauwhede: Dude, is my code constant time?).
    var difference: Difference {
        let all = (fixed + random).sorted()
        return [1, 0.99, 0.95, 0.9, 0.75, 0.5].map { share in
            let limit = all[min(all.count - 1, Int(Double(all.count) * share))]
            return Self.difference(Moments(fixed, upTo: limit), Moments(random, upTo: limit), share)
        }.max { $0.t < $1.t } ?? Difference(t: 0, share: 1, ticks: 0)
    }

    private static func difference(_ ours: Moments, _ others: Moments, _ share: Double) -> Difference {
        let error = (ours.variance / ours.count + others.variance / others.count).squareRoot()
        let ticks = ours.mean - others.mean
        return Difference(t: error > 0 ? abs(ticks) / error : 0, share: share, ticks: ticks)
    }
}

/// The mean and the variance, by Welford.
private struct Moments {
    private(set) var count = 0.0
    private(set) var mean = 0.0
    private var squares = 0.0

    var variance: Double { count > 1 ? squares / (count - 1) : 0 }

    init(_ values: [Double], upTo limit: Double) {
        for value in values where value <= limit {
            count += 1
            let difference = value - mean
            mean += difference / count
            squares += difference * (value - mean)
        }
    }
}
