internal import ArgumentParser
internal import CloserKeys
internal import CloserVault

extension DeviceCommand {
    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make a vault with a new identity.",
            discussion: """
                A key file protects the vault, and is made if it is missing. Without one, a passphrase protects the vault.
                """)

        @Option("Whose device this is.", value: "id") var user: String
        @Option(file: "The X25519 private key that your app has given this user; else a new one.")
        var x25519File: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([.file(x25519File), vault.inputName])
            let user = try UserID(naming: user)
            let path = try vault.newPath(&inputs)
            let chatKey = try x25519File.map { try inputs.privateKey($0) }
            let protection = try vault.newProtection(&inputs)
            let made = try protection.use { unlocking, keyFile in
                let made = try Vault.create(at: path, for: user, locking: unlocking, chatKey: chatKey)
                try vault.remember(made, keyFile: keyFile)
                return made
            }
            try Output(output).report(try DeviceSummary(made).members)
        }
    }
}
