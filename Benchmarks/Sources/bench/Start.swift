/// A process, from spawn to exit.
struct Start: Contestant {
    let name: String
    let command: Command

    func run(_ times: Int) throws { try command.run(times: times) }

    func peakBytes() throws -> Int? { try command.peakBytes() }
}
