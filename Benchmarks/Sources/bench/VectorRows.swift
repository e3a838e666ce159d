import CPeers

/// All cases that the program carries, and what it adds to the time of another program that answers some of them.
enum VectorRows {
    private static let (file, caseCount) = ("canonical_json.json", 525)

    static func all(_ stage: Stage) throws -> [Row] {
        let run = ["vectors", "run", "--min-coverage", "0", file, "--"] + stage.answerer.arguments
        let bare = Both(
            name: "it exports them, and they are asked in C",
            first: Start(name: "export", command: stage.command(["vectors", "export", file])),
            second: BareExchange(command: stage.answerer, count: caseCount))
        return [
            try Row(
                "vectors verify, all cases",
                Start(name: "closer-keys", command: stage.command(["vectors", "verify"])), .time(1_000_000),
                against: []
            ).noting([
                "Of vectors verify, 34 derivations with Argon2id take 91 percent. On two processors they alone take the second."
            ]),
            try onOneProcessor {
                try Row(
                    "vectors run, \(caseCount) cases",
                    Start(name: "closer-keys", command: stage.command(run)),
                    against: [(bare, .growth(20, pieces: caseCount, of: "case"))])
            }.noting([
                "In vectors run the other program is one in C that answers each case at once, and skips it. Both are on one",
                "processor: to wake another one twice for each case takes longer than the case.",
            ]),
        ]
    }

    private static func onOneProcessor(_ body: () throws -> Row) rethrows -> Row {
        peer_share_one_processor()
        defer { peer_use_all_processors() }
        return try body()
    }
}

/// One piece of work, and then another.
private struct Both: Contestant {
    let name: String
    let first: any Contestant
    let second: any Contestant

    func run(_ times: Int) throws {
        for _ in 0..<times {
            try first.run(1)
            try second.run(1)
        }
    }

    func peakBytes() throws -> Int? { try first.peakBytes() }
}
