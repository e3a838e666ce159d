#if CommandLine
internal import ArgumentParser
internal import CloserTink

extension KeysetCommand {
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a new key of the same kind, which is not yet the primary.")

        @Option(help: "The prefix of a ciphertext, which names its key; by default that of the primary.")
        var prefix: Named<OutputPrefix>?
        @OptionGroup var change: ChangeOptions

        func run() throws {
            try change.apply { keyset in
                let template = try keyset.primary.template
                let prefix = try template.prefix(prefix, usually: keyset.primary.prefix)
                return try keyset.adding(template, prefix: prefix)
            }
        }
    }

    struct Promote: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "promote", abstract: "Make another key the primary.")

        @Option(help: ArgumentHelp("The key.", valueName: "id")) var keyID: UInt32
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.promoting(keyID) } }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable a key, so that it opens nothing. It stays in the keyset.")

        @Option(help: ArgumentHelp("The key.", valueName: "id")) var keyID: UInt32
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.disabling(keyID) } }
    }
}

/// Which keyset is changed, and how the result is written: by default in the form it had.
struct ChangeOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The keyset; - is standard input.", valueName: "file"), completion: .file())
    var file: String
    @Option(help: "How the keyset is written; as it was, by default.") var format: KeysetFile.Form?
    @OptionGroup(title: "Output options") var output: OutputOptions

    func apply(_ change: (Keyset) throws -> Keyset) throws {
        var inputs = Inputs()
        let before = try inputs.keyset(file)
        try before.keyset.use(change).write(format ?? before.form, to: output, inputs: inputs)
    }
}
#endif
