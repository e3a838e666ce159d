internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

struct KeysetCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "keyset", abstract: "Make, show and change Tink keysets.",
        subcommands: [
            New.self, Public.self, List.self, Rotate.self, Add.self, Set.self, Convert.self,
        ])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make a keyset with one new key.")

        @OptionGroup var type: KeysetTypeOptions
        @Option(help: "The prefix of a ciphertext, which names its key; tink by default, raw for files.")
        var prefix: Named<OutputPrefix>?
        @Option(help: "How the keyset is written.") var format = KeysetFile.Form.binary
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let template = try type.template
            let keyset = Keyset(template, prefix: try template.prefix(prefix, usually: .tink))
            try keyset.write(format, to: output, inputs: Inputs())
        }
    }

    struct Public: ParsableCommand {
        enum Format: String, CaseIterable, ExpressibleByArgument { case token, binary, json }

        static let configuration = CommandConfiguration(
            commandName: "public", abstract: "Print the public half of an ecies-p256 keyset.",
            discussion: "A token holds the primary alone; the other formats hold every key.")

        @Argument(
            help: ArgumentHelp("The keyset; - is standard input.", valueName: "file"), completion: .file())
        var file: String
        @Option(help: "How the public keys are written.") var format = Format.token
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let keyset = try inputs.keyset(file).keyset
            switch format {
            case .token:
                let token = try keyset.use { try PublicKeyToken(primaryOf: $0) }
                try Output(output, .line, inputs: inputs).deliver(
                    token.text, named: "publicKey", details: token.keyset.summary)
            case .binary: try publicKeys(of: keyset).write(.binary, to: output, inputs: inputs)
            case .json: try publicKeys(of: keyset).write(.json, to: output, inputs: inputs)
            }
        }

        private func publicKeys(of keyset: Keyset) throws -> Keyset {
            try keyset.use { try $0.publicKeyset() }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the keys of a keyset, without their secrets.")

        @Argument(
            help: ArgumentHelp("The keyset; - is standard input.", valueName: "file"), completion: .file())
        var file: String
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let keyset = try inputs.keyset(file).keyset
            try Output(output, .line, inputs: inputs).report(keyset.table, json: .object(keyset.summary))
        }
    }

    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert", abstract: "Write a keyset in the other form, binary or JSON.")

        @Argument(
            help: ArgumentHelp("The keyset; - is standard input.", valueName: "file"), completion: .file())
        var file: String
        @Option(help: "How the keyset is written.") var format: KeysetFile.Form
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let keyset = try inputs.keyset(file).keyset
            try keyset.write(format, to: output, inputs: inputs)
        }
    }
}
