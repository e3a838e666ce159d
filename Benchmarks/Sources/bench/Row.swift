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

    /// Runs the race. A goal of ours alone stands beside us, one against a peer beside the peer.
    init(
        _ work: String, _ ours: any Contestant, _ goal: Goal? = nil, against peers: [(any Contestant, Goal?)]
    ) throws {
        let goals = [goal] + peers.map(\.1)
        let contestants = [ours] + peers.map(\.0)
        self.work = work
        lanes = try zip(zip(contestants, goals), Race.run(contestants)).map { contestant, timing in
            Lane(name: contestant.0.name, timing: timing, goal: contestant.1)
        }
    }

    /// The row with a peer that was timed in a process of its own, if it was.
    func adding(_ name: String, _ timing: Timing?, _ goal: Goal) -> Row {
        guard let timing else { return self }
        var row = self
        row.lanes.append(Lane(name: name, timing: timing, goal: goal))
        return row
    }
}
