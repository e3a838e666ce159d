/// One piece of work: what we take for it, and what each peer takes.
struct Row {
    /// One who did it.
    struct Lane {
        let name: String
        let timing: Timing
        let goal: Goal?
    }

    let work: String
    /// The first is ours.
    private(set) var lanes: [Lane]
    /// What a reader of this row must know, a line each.
    private(set) var notes: [String] = []

    var hasSecond: Bool { lanes.contains { $0.name == Provider.second } }

    /// Runs the race. A goal of ours alone stands beside us, one against a peer beside the peer.
    init(
        _ work: String, _ ours: any Contestant, _ goal: Goal? = nil, against peers: [(any Contestant, Goal?)],
        batches: Int = Race.batchCount
    ) throws {
        let goals = [goal] + peers.map(\.1)
        let contestants = [ours] + peers.map(\.0)
        self.work = work
        lanes = try zip(zip(contestants, goals), Race.run(contestants, batches: batches)).map {
            contestant, timing in
            Lane(name: contestant.0.name, timing: timing, goal: contestant.1)
        }
    }

    /// The row with Tink, which was timed in a process of its own, if it was.
    func adding(tink timing: Timing?, _ goal: Goal) -> Row {
        guard let timing else { return self }
        var row = noting(TinkPeer.notes)
        row.lanes.append(Lane(name: TinkPeer.name, timing: timing, goal: goal))
        return row
    }

    func noting(_ notes: [String]) -> Row {
        var row = self
        row.notes += notes
        return row
    }
}
