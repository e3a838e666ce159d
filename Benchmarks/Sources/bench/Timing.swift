/// How long one operation took, in microseconds: the middle of all batches, and the best of them.
struct Timing: Codable {
    let median: Double
    let best: Double
}

extension Timing {
    /// Takes the mean of each batch; there is at least one.
    init(batches: [Double]) {
        let sorted = batches.sorted()
        self.init(median: sorted[sorted.count / 2], best: sorted[0])
    }
}
