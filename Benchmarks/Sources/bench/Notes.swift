/// What a reader must know before believing the table.
enum Notes {
    private static let always = [
        "µs an operation: the median of \(Race.turnCount) turns, or of as many as fit into some \(Race.duration), ± half the",
        "width of their middle half, and the best. A turn lasts \(Race.batchDuration) at least. Who stands in one row took",
        "turns, and what compares two is taken turn by turn, with the middle half of it. peer / ours above",
        "1: we are faster.",
        "MiB: the most that a process had, or by how much this one grew at work that is done in it. Little",
        "more than \(floor) says nothing of a process, since it has the pages of who started it at first.",
        "Around their one call the peers in C allocate nothing and give back nothing: a floor, not a rival.",
        "What is done in memory is done on one processor. Another program that does it, such as Tink or",
        "\(Provider.second), waits in a process of its own, is asked over a pipe when its",
        "turn comes, and takes the time itself. Tink's times hold Python's cost of a call.",
    ]
    private static let floor = "what `true` has"

    /// A line each.
    static func lines(of rows: [Row]) -> [String] {
        rows.flatMap(\.notes).reduce(into: always) { said, note in
            if !said.contains(note) { said.append(note) }
        }
    }
}
