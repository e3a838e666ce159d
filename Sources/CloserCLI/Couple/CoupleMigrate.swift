internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Migrate: CommandGroup {
        static let configuration = CommandConfiguration(
            commandName: "migrate", abstract: "Bring a couple that has texts in the clear to version 2.",
            discussion: """
                One user starts. The other user gets the key by a pairing, an invite or the phrase. Then each user seals their own texts \
                with closer-keys field seal --migrate --jsonl, and finishes.
                """,
            subcommands: [Start.self, Finish.self, Show.self])

        struct Start: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "start",
                abstract: "Make the couple's key and phrase at version 1, and print the couple's document.",
                discussion: """
                    For a couple that is at version 1 already, it prints the document again. A couple that began at 2 on this device \
                    stays there without --migrating.
                    """)

            @OptionGroup var beginning: CoupleBeginning
            @OptionGroup var couple: CoupleOptions
            @OptionGroup var phrase: NewPhraseOptions
            @OptionGroup(title: "Output options") var output: OutputOptions

            func run() throws {
                var inputs = Inputs()
                let (vault, id) = try couple.open(&inputs)
                try beginning.noteUnneeded(by: id, in: vault)
                if beginning.migrating, try vault.existingCouple(id) != nil { try vault.setMigrating(id) }
                switch try vault.draftMigration(of: id) {
                case .some(let draft):
                    let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
                    let result = try Output(output, .json, inputs: inputs)
                    try place.give(draft.phrase, of: id, in: vault, .made) { try vault.store(draft) }
                    try vault.deliver(try vault.couple(id).document, of: id, result)
                    Diagnostics.note(
                        "give the server \(output.named("document")); then: \(NextCommand.line(.inviting(id)))"
                    )
                case .none:
                    try vault.overview(of: id).notePhrase()
                    try vault.deliver(
                        try vault.couple(id).document, of: id, try Output(output, .json, inputs: inputs))
                }
            }
        }

        struct Finish: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "finish",
                abstract: "Mark your own texts as sealed, and print the couple's document.",
                discussion:
                    "The document is at version 2 once both users are marked. Then plaintext is refused from the server."
            )

            @Argument(
                help: ArgumentHelp(
                    "The couple's document as the server has it, with userIds; standard input by default.",
                    valueName: "file"),
                completion: .file())
            var file: String?
            @OptionGroup var couple: CoupleChoice
            @OptionGroup(title: "Output options") var output: OutputOptions

            func run() throws {
                var inputs = try Inputs([.fileOrStandardInput(file), couple.vault.inputName])
                let document = try inputs.document(file, "couple") { (bytes) throws(DocumentError) in
                    try CoupleDocument(parsing: bytes)
                }
                let (vault, id) = try couple.open(&inputs)
                let result = try Output(output, .json, inputs: inputs)
                let finished = try vault.finishMigration(of: id, in: document)
                try vault.deliver(finished, of: id, result)
                let isDone = finished.version == .strict
                Diagnostics.note(
                    "give the server \(output.named("document"))\(isDone ? "" : "; your partner finishes, too, and then you once more with the server's new document")"
                )
            }
        }

        struct Show: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "show", abstract: "Show the couple's version, and who has finished.")

            @OptionGroup var couple: CoupleChoice
            @OptionGroup(title: "Output options") var output: OutputOptions

            func run() throws {
                var inputs = Inputs()
                let (vault, id) = try couple.open(&inputs)
                let summary = MigrationSummary(id, try vault.migration(of: id))
                try Output(output, .line, inputs: inputs).report(
                    summary.lines, json: .object(summary.members))
            }
        }
    }
}

extension Vault {
    fileprivate func deliver(
        _ document: CoupleDocument, of id: CoupleID, _ result: consuming Output
    ) throws {
        let migration = try migration(of: id)
        try result.deliver(document.bytes, named: "couple", details: MigrationSummary(id, migration).members)
    }
}

/// How far a couple has come, for a person and for a script.
private struct MigrationSummary {
    let members: [JSONValue.Member]
    /// One fact a line, its name first.
    let lines: String

    init(_ id: CoupleID, _ migration: Migration) {
        let users = migration.migrated?.map(\.text).sorted()
        members = [
            .init("coupleId", .string(id.text)),
            .init("encryptionVersion", .number(Double(migration.version.rawValue))),
            .init("pinnedVersion", .number(Double(migration.pin.rawValue))),
            .init("finished", users.map { .array($0.map { .string($0) }) } ?? .null),
        ]
        lines = [
            "couple: \(id.text)", "version: \(migration.version.rawValue)",
            "plaintext: \(migration.readsPlaintext ? "read with --mixed" : "refused")",
            "finished: \(users.map { $0.isEmpty ? "none yet" : $0.joined(separator: ", ") } ?? "not known to migrate here")",
        ].joined(separator: "\n")
    }
}
