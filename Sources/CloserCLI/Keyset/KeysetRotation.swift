internal import ArgumentParser
internal import CloserTink

extension KeysetCommand {
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Add a new key like the primary and make it the primary. The old ones still open.")

        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.rotating() } }
    }

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

        @Option(parsing: .unconditional, help: KeyID.help) var keyID: KeyID
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.promoting(keyID.number) } }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable a key, so that it opens nothing. It stays in the keyset.")

        @Option(parsing: .unconditional, help: KeyID.help) var keyID: KeyID
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.disabling(keyID.number) } }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a key that was disabled.")

        @Option(parsing: .unconditional, help: KeyID.help) var keyID: KeyID
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.enabling(keyID.number) } }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a key. What only that key opens is lost.")

        @Option(parsing: .unconditional, help: KeyID.help) var keyID: KeyID
        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.removing(keyID.number) } }
    }
}
