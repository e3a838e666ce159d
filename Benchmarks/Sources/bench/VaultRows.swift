/// From start to finish of commands that open a vault with a key file: how that grows with the answers in the vault.
enum VaultRows {
    private static let counts = Race.isOnce ? [1, 10] : [1, 1000, 10000]

    static func all(_ stage: Stage) throws -> [Row] {
        let vaults = try counts.map { try VaultStage($0, on: stage) }
        let field = Start(name: "closer-keys", command: vaults[0].fieldSeal)
        let withKeyset = Start(name: "it, with a keyset file", command: stage.fieldSeal)
        return [try Row("field seal, vault", field, against: [(withKeyset, .share(1.15))])]
            + (try rows("device show", vaults, \.show, against: { _ in [] }))
            + (try rows("answer status", vaults, \.status, .time(60_000), against: { _ in [] }))
            + (try rows("answer seal", vaults, \.seal, against: { commits(stage, $0) }))
            + (try rows("answer release", vaults, \.release, against: { commits(stage, $0) }))
    }

    /// A row for each vault; all but the first stand against it. The goal is the largest one's.
    private static func rows(
        _ work: String, _ vaults: [VaultStage], _ command: (VaultStage) -> Command, _ goal: Goal? = nil,
        against peers: (Int) -> [(any Contestant, Goal?)]
    ) throws -> [Row] {
        let least = Start(name: "it, with \(vaults[0].answerCount)", command: command(vaults[0]))
        return try vaults.map { vault in
            let more = vault.answerCount - vaults[0].answerCount
            let peers = peers(vault.answerCount)
            let growth = Goal.growth(peers.isEmpty ? 5 : 2, pieces: more, of: "record")
            return try Row(
                "\(work), \(vault.answerCount) in the vault",
                Start(name: "closer-keys", command: command(vault)),
                vault.answerCount == counts.last ? goal : nil,
                against: peers + (more > 0 ? [(least, growth)] : [])
            ).growing(work, vault.answerCount).noting([
                "A vault is one file that is written whole: of a change among 10,000 answers, by perf, 17 percent build the 8 MB,",
                "13 read them, 12 parse and hash, 10 write, and page faults of that memory take most of the rest.",
            ])
        }
    }

    private static func commits(_ stage: Stage, _ answerCount: Int) -> [(any Contestant, Goal?)] {
        [
            (BareCommit(start: stage.version, path: stage.file("page")), nil),
            (BareSync(path: stage.file("page")), answerCount == counts.last ? .more(30_000) : nil),
        ]
    }
}
