internal import ArgumentParser
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Passphrase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passphrase",
            abstract: "Protect the vault with another passphrase, or with a key file.",
            discussion: "Older copies of the vault still open with the old one.")

        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @Option(file: "The new passphrase, from a file.") var newPassphraseFile: String?
        @Option(file: "Protect the vault with this key file instead, which is made if it is missing.")
        var newKeyFile: String?
        @Flag(
            help:
                "Also draw a new vault key: an attacker who has an older copy, and what opened it, cannot open this vault later."
        )
        var newVaultKey = false
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            let source = SecretSource(
                option: "new-passphrase", file: newPassphraseFile, mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.secret(source), vault.inputName])
            let opened = try vault.open(&inputs, asksAgain: true)
            let protection = try inputs.newProtection(
                newKeyFile, source, or: "--new-key-file", for: opened.name)
            try protection.use { unlocking, keyFile in
                try opened.changeCredential(to: unlocking, newVaultKey: newVaultKey)
                try VaultMemo(VaultFileStorage(opened.name).path, keyFile).remember(opened)
            }
            UnlockedVault.drop(of: opened.id)
            let kind = newKeyFile == nil ? "passphrase" : "key file"
            try Output(output).report(
                "a new \(kind) protects the vault\(newVaultKey ? ", under a new vault key" : "")",
                json: [
                    "protection": newKeyFile == nil ? "passphrase" : "keyFile",
                    "newVaultKey": .bool(newVaultKey),
                ])
        }
    }
}
