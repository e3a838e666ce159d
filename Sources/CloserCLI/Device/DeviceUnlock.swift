internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock",
            abstract: "Let commands open the vault without its passphrase for a while.",
            discussion: """
                The kernel keeps the key that opens the vault until the time is over, and every process of this login can read it there. \
                Only Linux can do this.
                """)

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("How long: seconds, minutes or hours, up to 24h.", valueName: "time"))
        var time = TimeSpan("15m", seconds: 900)
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            try time.check("--for", within: .seconds(1) ... .seconds(24 * 3600))
            var inputs = try Inputs([vault.inputName])
            // Before a passphrase is typed in vain.
            do throws(Keyring.Unavailable) { try Keyring.check() } catch {
                throw CLIError(keepingNoKey: error.reason)
            }
            let chosen = try vault.chosen(&inputs)
            let key = try vault.slotKey(of: chosen, &inputs)
            try UnlockedVault.keep(key, of: chosen.locked.id, seconds: UInt32(time.seconds))
            try Output(output).report(
                "unlocked for \(time)",
                json: ["unlocked": .bool(true), "seconds": .number(Double(time.seconds))])
        }
    }
}

extension VaultOptions {
    /// The key of the key slot, which has opened the vault.
    fileprivate func slotKey(of chosen: ChosenVault, _ inputs: inout Inputs) throws -> SecretBytes {
        guard chosen.locked.protection != .key else {
            throw CLIError(.usage, "a key file protects this vault, which needs no passphrase")
        }
        try chosen.checkPlace()
        return try inputs.passphrase(passphrase.ofVault, "passphrase for \(chosen.locked.name)") {
            let key = try chosen.locked.slotKey(from: $0)
            let copy = key.withBytes { SecretBytes(copying: $0) }
            _ = try chosen.open(with: .slotKey(copy), keyFile: nil)
            return key
        }
    }
}
