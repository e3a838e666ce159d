import CPeers

/// A batch of fields through the program, on one processor: how time and memory grow with the lines.
enum BatchRows {
    private static let (few, many) = (1000, 100_000)

    static func all(_ stage: Stage) throws -> [Row] {
        peer_share_one_processor()
        defer { peer_use_all_processors() }
        let (least, most) = (try stage.batch(few), try stage.batch(many))
        return [
            try row("field seal --jsonl", least.seal, most.seal),
            try row("field open --jsonl", least.open, most.open),
        ].flatMap(\.self)
    }

    private static func row(_ work: String, _ few: Command, _ many: Command) throws -> [Row] {
        let least = Start(name: "it, with \(Self.few)", command: few)
        return [
            try Row(
                "\(work), \(Self.few) lines", Start(name: "closer-keys", command: few), against: []
            )
            .growing(work, Self.few),
            try Row(
                "\(work), \(Self.many) lines", Start(name: "closer-keys", command: many),
                against: [(least, .growth(1 / 0.3, pieces: Self.many - Self.few, of: "line"))],
            ).growing(work, Self.many).noting(["3.33 µs a line are 300,000 lines a second."]),
        ]
    }
}
