/// Times contestants at the same work.
///
/// One batch each in turn, so that the noise of the machine hits all alike.
enum Race {
    static let batchCount = 30
    static let batchDuration = Duration.milliseconds(5)

    /// The timings, in the order of the contestants.
    static func run(_ contestants: [any Contestant], batches count: Int = batchCount) throws -> [Timing] {
        let counts = try contestants.map(timesPerBatch)
        var batches = contestants.map { _ in [Double]() }
        for _ in 0..<count {
            for (index, contestant) in contestants.enumerated() {
                let duration = try contestant.time(counts[index])
                batches[index].append(duration / .microseconds(counts[index]))
            }
        }
        return batches.map(Timing.init(batches:))
    }

    /// How often the work fits into a batch. To find out is the warm-up too.
    private static func timesPerBatch(_ contestant: any Contestant) throws -> Int {
        var times = 1
        while try contestant.time(times) < batchDuration { times *= 2 }
        return times
    }
}
