internal import ArgumentParser
internal import CloserWire

extension KeysetCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the keys of a keyset or a public key, without their secrets."
        )

        @Argument(file: "The keyset, or a pub:v1: token; - is standard input.") var file: String
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let keyset = try inputs.keysetOrPublicKey(file)
            try Output(output, .line, inputs: inputs).report(keyset.table, json: .object(keyset.summary))
        }
    }
}
