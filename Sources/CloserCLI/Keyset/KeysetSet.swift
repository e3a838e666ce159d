internal import ArgumentParser
internal import CloserSystem
internal import CloserTink
internal import CloserWire

extension KeysetCommand {
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Make a key the primary, or enable, disable or remove it.",
            discussion: "A disabled key opens nothing and stays. What only a removed key opens is lost.")

        enum Status: String, CaseIterable, ExpressibleByArgument { case primary, enabled, disabled, removed }

        @Argument(help: "What the key shall be: primary, enabled, disabled or removed.") var status: Status
        @Option(parsing: .unconditional, help: KeyID.help) var keyID: KeyID
        @Flag(help: "Remove a key in place without asking.") var yes = false
        @OptionGroup var change: ChangeOptions

        func run() throws {
            let id = keyID.number
            try change.apply { keyset in
                switch status {
                case .primary: try keyset.promoting(id)
                case .enabled: try keyset.enabling(id)
                case .disabled: try keyset.disabling(id)
                case .removed: try removing(id, from: keyset)
                }
            }
        }

        private func removing(_ id: UInt32, from keyset: Keyset) throws -> Keyset {
            let smaller = try keyset.removing(id)
            if change.inPlace, !yes { try confirm() }
            return smaller
        }

        private func confirm() throws {
            let loss = "what only key \(keyID.number) opens is lost"
            guard let terminal = Terminal.open() else {
                throw CLIError(.inputRequired, loss, hint: "use --yes")
            }
            try terminal.confirm("\(loss): remove it from \(change.file)?", or: "nothing was removed")
        }
    }
}
