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
}
