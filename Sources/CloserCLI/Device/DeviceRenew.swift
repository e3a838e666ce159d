internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Renew: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew", abstract: "Lock out a lost device: make a new key, vault key and identity.",
            discussion: """
                The lost device's key opens no later vault. Every key of your couples counts as exposed until you pair again. Running it again \
                with the same key file ends in the same place.
                """)

        @Option(file: "The vault's new key file, which is made if it is missing.") var newKeyFile: String
        @Flag(help: "Confirm; without this, nothing is changed.") var yes = false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            let chosen = try vault.chosen(&inputs)
            guard yes else {
                throw CLIError(
                    .inputRequired, "this locks out all other devices, and you pair again with each partner",
                    hint: "use --yes")
            }
            try chosen.checkPlace()
            if let opened = try chosen.open(withMade: newKeyFile, former: vault.keyFile, &inputs) {
                return try tell(
                    opened, isNew: chosen.known.map { try $0.keyFile != Paths.absolute(newKeyFile) } ?? false)
            }
            let opened = try vault.open(chosen, &inputs, asksAgain: true).vault
            let protection = try inputs.newKeyFile(
                newKeyFile, with: .random(count: Credential.keyFileByteCount))
            let removed = try protection.use { unlocking, keyFile in
                let removed = try opened.renew(locking: unlocking)
                try VaultMemo(chosen.storage.path, keyFile).remember(opened)
                return removed
            }
            UnlockedVault.drop(of: opened.id)
            try tell(opened, isNew: true, removed)
        }

        private func tell(_ vault: Vault, isNew: Bool, _ removed: UInt32? = nil) throws {
            let (device, couples) = (try vault.device, try vault.coupleIDs.map(\.text))
            try Output(output).report(
                isNew
                    ? "the vault of \(device.userID.text) has a new key, vault key and identity"
                    : "\(newKeyFile) opens this vault already: nothing was changed".plainLine,
                json: [
                    "renewed": .bool(isNew), "publicKey": .string(device.publicKey.description),
                    "x25519PublicKey": .string(device.x25519PublicKey),
                    "couples": .array(couples.map { .string($0) }),
                ])
            guard isNew else {
                return Diagnostics.note(
                    "if a device was lost since that key file was made, name another file")
            }
            if let removed { Diagnostics.note("the oldest of 32 identity keys is gone: \(removed)") }
            Diagnostics.note("end the lost device's session at the app's server")
            Diagnostics.note(
                "if the key lies in the iCloud Keychain, take the lost device out of the Apple account first")
            Diagnostics.note(
                "give the server your new key",
                next: NextCommand.line("device show --document", opening: ["--vault"]))
            Diagnostics.note(
                "link your other devices again, and use them for nothing before",
                next: NextCommand.line("device link", opening: ["--vault"]))
            guard !couples.isEmpty else { return }
            Diagnostics.note(
                "pair again with each partner, who accepts with --partner-has-new-key: \(couples.joined(separator: ", "))",
                next: NextCommand.line("pair invite --couple COUPLE", opening: ["--vault"]))
        }
    }
}

extension ChosenVault {
    /// Opens the vault with the key file of a run that was killed; nil if that file does not open it. It refuses a copy of the present one.
    fileprivate func open(
        withMade keyFile: String, former: String?, _ inputs: inout Inputs
    ) throws -> Vault? {
        guard locked.protection == .key, !Paths.isMissing(keyFile) else { return nil }
        let path = try Paths.absolute(keyFile)
        guard try opens(withKeyIn: path, &inputs) else { return nil }
        for former in try [former.map { try Paths.absolute($0) }, known?.keyFile] {
            guard let former, former != path, !Paths.isMissing(former) else { continue }
            guard try !opens(withKeyIn: former, &inputs) else { throw VaultError.formerCredential }
        }
        return try open(with: .key(try inputs.keyFile(path)), keyFile: path)
    }

    private func opens(withKeyIn path: String, _ inputs: inout Inputs) throws -> Bool {
        locked.opens(with: .key(try inputs.keyFile(path)))
    }
}
