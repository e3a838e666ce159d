internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Retire: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give up an old key of a couple on this device, and with it what only that key opens.")

        @Option(help: ArgumentHelp("The key; couple show lists them.", valueName: "id")) var keyID: UInt32
        @Flag(help: "Say that you mean it; without it nothing is removed.") var yes = false
        @OptionGroup var couple: CoupleOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            let key = try vault.couple(id).key
            // What cannot be done is said before anybody is asked to mean it.
            do { _ = try key.retiring(keyID) } catch { throw RekeyError.keyset(error) }
            guard yes else {
                throw Failure(
                    .inputRequired,
                    "fields under key \(keyID) that were not sealed anew, and answers proven under it, become unreadable here",
                    hint:
                        "seal them anew first, and see that your partner has accepted the rekey; then use --yes"
                )
            }
            let result = try output.prepare(.line, inputs: inputs)
            try vault.retire(keyID, of: id)
            Messages.warn(
                "the server's document still has this key; closer-keys couple rewrap makes one without it")
            let summary = try CoupleSummary(id, vault)
            try result.report("retired key \(keyID)\n\(summary.lines)", json: summary.json)
        }
    }
}
