internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

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
                    .inputRequired,
                    "this removes the couple's key from this device, and its answers for good",
                    hint: "use --yes")
            }
            try vault.forget(id)
            try Output(output).report(
                "forgot \(id.text)", json: ["coupleId": .string(id.text), "forgotten": true])
        }
    }
}
