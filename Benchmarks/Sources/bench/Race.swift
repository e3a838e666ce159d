/// Times contestants at the same work.
///
/// One batch each in turn, so that the noise of the machine hits all alike.
enum Race {
    static let batchDuration = Duration.milliseconds(5)
    /// So many turns, or as many as fit into the time, but not fewer than the least.
    static let turnCount = 30
    static let duration = Duration.seconds(12)
    static let leastTurnCount = 5

    /// The timings, in the order of the contestants.
    static func run(_ contestants: [any Contestant]) throws -> [Timing] {
        let counts = try contestants.map(timesPerBatch)
        var batches = contestants.map { _ in [Double]() }
        let end = ContinuousClock.now + duration
        for turn in 0..<turnCount where turn < leastTurnCount || ContinuousClock.now < end {
            for (index, contestant) in contestants.enumerated() {
                let duration = try contestant.time(counts[index])
                batches[index].append(duration / .microseconds(counts[index]))
            }
        }
        return batches.map(Timing.init)
    }

    /// How often the work fits into a batch. To find out is the warm-up too.
    private static func timesPerBatch(_ contestant: any Contestant) throws -> Int {
        var times = 1
        while try contestant.time(times) < batchDuration { times *= 2 }
        return times
    }
}
