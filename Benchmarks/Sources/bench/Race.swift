/// Times contestants at the same work.
///
/// One batch each in turn, so that the noise of the machine hits all alike. Each turn begins with another, and every second one goes
/// backwards: who comes after one that waits for another process is seldom interrupted, and who comes after one that wrote finds the
/// disk awake.
enum Race {
    /// Each contestant works in one turn, which shows that it can: the times mean nothing.
    static let isOnce = CommandLine.arguments.contains("--once")
    static let batchDuration = isOnce ? Duration.zero : .milliseconds(5)
    /// So many turns, or as many as fit into the time, but not fewer than the least.
    static let turnCount = isOnce ? 1 : 30
    static let duration = Duration.seconds(12)
    static let leastTurnCount = 5

    /// The timings, in the order of the contestants.
    static func run(_ contestants: [any Contestant]) throws -> [Timing] {
        let counts = try contestants.map(timesPerBatch)
        var batches = contestants.map { _ in [Double]() }
        let end = ContinuousClock.now + duration
        for turn in 0..<turnCount where turn < leastTurnCount || ContinuousClock.now < end {
            for index in order(of: contestants.count, turn: turn) {
                let duration = try contestants[index].time(counts[index])
                batches[index].append(duration / .microseconds(counts[index]))
            }
        }
        return batches.map(Timing.init)
    }

    /// Who comes after whom in a turn. Within two rounds of turns everybody follows each neighbour equally often.
    private static func order(of count: Int, turn: Int) -> [Int] {
        let round = (0..<count).map { (turn / 2 + $0) % count }
        return turn.isMultiple(of: 2) ? round : round.reversed()
    }

    /// How often the work fits into a batch. To find out is the warm-up too.
    private static func timesPerBatch(_ contestant: any Contestant) throws -> Int {
        var times = 1
        while try contestant.time(times) < batchDuration { times *= 2 }
        return times
    }
}
