/// One piece of work: what we take for it, and what each peer takes.
struct Row {
    /// One who did it.
    struct Lane {
        let name: String
        let timing: Timing
        let peakBytes: Int?
        let goal: Goal?
    }

    let work: String
    /// The first is ours.
    let lanes: [Lane]
    /// How many pieces the work has, in a row that shows how time grows with them, and what it is that grows.
    private(set) var growth: Growth?
    /// What a reader of this row must know, a line each.
    private(set) var notes: [String] = []

    struct Growth: Codable {
        let of: String
        let pieces: Int
    }

    /// Runs the race. A goal of ours alone stands beside us, one against a peer beside the peer.
    init(
        _ work: String, _ ours: any Contestant, _ goal: Goal? = nil, against peers: [(any Contestant, Goal?)]
    ) throws {
        let contestants = [(ours, goal)] + peers
        let timings = try Race.run(contestants.map(\.0))
        self.work = work
        lanes = try zip(contestants, timings).map { contestant, timing in
            Lane(
                name: contestant.0.name, timing: timing, peakBytes: try contestant.0.peakBytes(),
                goal: contestant.1)
        }
    }

    func noting(_ notes: [String]) -> Row {
        var row = self
        row.notes += notes
        return row
    }

    /// The row as a point of the curve called `curve`.
    func growing(_ curve: String, _ pieces: Int) -> Row {
        var row = self
        row.growth = Growth(of: curve, pieces: pieces)
        return row
    }
}
