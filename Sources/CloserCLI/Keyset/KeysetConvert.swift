internal import ArgumentParser

extension KeysetCommand {
    struct Convert: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert", abstract: "Write a keyset in the other form, binary or JSON.")

        @Argument(file: "The keyset; - is standard input.") var file: String
        @Option(help: "How the keyset is written.") var format: KeysetFile.Form
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let keyset = try inputs.keyset(file).keyset
            try keyset.write(format, to: output, inputs: inputs)
        }
    }
}
