/// From start to finish of a command that opens a vault with a key file: one that reads, one that commits.
enum VaultRows {
    static func all(_ stage: Stage) throws -> [Row] {
        let fieldSeal = stage.fieldSealWithVault
        return [
            try Row(
                "the same of field seal, vault", Start(name: "closer-keys", command: fieldSeal),
                .time(15000),
                against: [
                    (Start(name: "it, with a keyset file", command: stage.fieldSeal), nil),
                    (Start(name: "its version command", command: stage.version), nil),
                ]),
            try Row(
                "the same of answer seal, vault", Start(name: "closer-keys", command: stage.answerSeal),
                .time(15000),
                against: [
                    (Start(name: "field seal, no commit", command: fieldSeal), nil),
                    (BareSync(path: stage.page), nil),
                ]
            ).noting([
                "The vault has a key file. answer seal --replace commits, and so waits for the disk of the folder",
                "for temporary files, several times; field seal only reads.",
            ]),
        ]
    }
}
