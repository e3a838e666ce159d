internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

// The two verbs that remove something for good: a whole couple, or one old key.
extension CoupleCommand {
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Remove a couple's key and answers from this device.",
            discussion:
                "The key comes back only from its phrase and a document, or from the partner. Unreleased answers are lost."
        )

        @OptionGroup var couple: CoupleOptions
        @Flag(help: "Confirm; without this, nothing is removed.") var yes = false
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            _ = try vault.couple(id)
            guard yes else {
                throw CLIError(
                    .inputRequired, "this removes the couple's key and answers for good", hint: "use --yes")
            }
            try vault.forget(id)
            try Output(output).report(
                "forgot \(id.text)", json: ["coupleId": .string(id.text), "forgotten": true])
        }
    }

    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract:
                "Remove an old key of a couple from this device, and with it access to what only that key opens."
        )

        @Option(help: ArgumentHelp("The key; couple show lists them.", valueName: "id")) var keyID: UInt32
        @Flag(help: "Confirm; without this, nothing is removed.") var yes = false
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let key = try vault.couple(id).key
            // Refuses a key that must stay before it asks for the confirmation.
            do { _ = try key.retiring(keyID) } catch { throw VaultError.keyset(error) }
            guard yes else {
                throw CLIError(
                    .inputRequired,
                    "fields and files under key \(keyID) that were not sealed again, and answers proven under it, become unreadable here",
                    hint:
                        "seal them again first, and see that your partner has accepted the rekey; then use --yes"
                )
            }
            let result = try Output(output, .line, inputs: inputs)
            try vault.retire(keyID, of: id)
            let summary = try CoupleSummary(id, vault)
            try result.report("retired key \(keyID)\n\(summary.lines)", json: summary.json)
            Diagnostics.note(
                "the server's document still has this key, and a new document drops it: \(NextCommand.line("couple rewrap --couple \(id.text)"))"
            )
        }
    }
}
