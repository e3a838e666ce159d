/// How long one operation took, in microseconds: the mean of each batch, in the order of the turns. There is at least one.
struct Timing {
    let batches: [Double]

    var median: Double { batches.quantile(0.5) }
    var best: Double { batches.quantile(0) }

    /// Half the width of the middle half of all batches, as a share of the median.
    var spread: Double { (batches.quantile(0.75) - batches.quantile(0.25)) / 2 / median }

    /// This time as a multiple of another, turn by turn: the noise of the machine hits both of a turn alike.
    func ratios(to other: Timing) -> [Double] { zip(batches, other.batches).map { $0 / $1 } }

    /// By how much this time is longer than another, turn by turn.
    func differences(to other: Timing) -> [Double] { zip(batches, other.batches).map { $0 - $1 } }
}

extension [Double] {
    var median: Double { quantile(0.5) }

    /// The value that so large a share of the others does not reach.
    func quantile(_ share: Double) -> Double { sorted()[Int(Double(count - 1) * share)] }
}
