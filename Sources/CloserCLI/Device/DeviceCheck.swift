internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract:
                "Open everything in the vault, or in an export, and say whether it is whole. Changes nothing.",
            discussion: "Check each export before you rely on it as the backup.")

        @Argument(
            help: ArgumentHelp(
                "An export to check instead of the vault; - is standard input.", valueName: "file"),
            completion: .file())
        var file: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup var export: ExportPassphraseOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            let source = export.source(mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.file(file), .secret(source), vault.inputName])
            if file != nil { try vault.refuse(besides: "an export") }
            let contents =
                try file.map { try inputs.export($0, source).contents } ?? vault.open(&inputs).checked()
            try Output(output).report(contents.members)
        }
    }
}

extension VaultContents {
    fileprivate var members: [JSONValue.Member] {
        let counts = [
            ("couples", coupleCount), ("partners", partnerCount), ("answers", answerCount),
            ("changes", Int(changeCount)),
        ]
        return [.init("userId", .string(userID.text))]
            + counts.map { .init($0, .number(Double($1))) } + [.init("whole", .bool(true))]
    }
}
