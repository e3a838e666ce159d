internal import ArgumentParser
internal import CloserKeys
internal import CloserTink

extension KeysetCommand {
    struct Public: ParsableCommand {
        enum Format: String, CaseIterable, ExpressibleByArgument { case token, binary, json }

        static let configuration = CommandConfiguration(
            commandName: "public", abstract: "Print the public half of an ecies-p256 keyset.",
            discussion: "A token holds the primary alone; the other formats hold every key.")

        @Argument(file: "The keyset; - is standard input.") var file: String
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
}
