internal import ArgumentParser
internal import CloserTink

extension KeysetCommand {
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
}
