internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract:
                "Remove an old key of a couple from this device, and with it access to what only that key opens."
        )

        @Option("The key; couple show lists them.", value: "id") var keyID: UInt32
        @Flag(help: "Confirm; without this, nothing is removed.") var yes = false
        @OptionGroup var couple: CoupleOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let key = try vault.couple(id).key
            // Refuses a key that must stay before it asks for the confirmation.
            do { _ = try key.retiring(keyID) } catch { throw VaultError.keyset(error) }
            guard yes else {
                throw CLIError(
                    .inputRequired,
                    "fields, files and archives of answers under key \(keyID) that were not sealed again, and answers proven under it, become unreadable here",
                    hint:
                        "seal them again first, and see that your partner has accepted the rekey; then use --yes"
                )
            }
            let result = Output(output)
            try vault.retire(keyID, of: id)
            let summary = try CoupleSummary(id, vault)
            try result.report("retired key \(keyID)\n\(summary.lines)", json: summary.json)
            Diagnostics.note(
                "the server's document has this key until the next rekey, pairing or rewrap, after each of which both of you write down a new phrase"
            )
        }
    }
}
