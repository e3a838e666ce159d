internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Passphrase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passphrase",
            abstract: "Lock the vault with another passphrase, or with a key file.",
            discussion: "Older copies of the vault still open with the old one.")

        @OptionGroup var vault: VaultOptions
        @Option(
            help: ArgumentHelp("The new passphrase, from a file.", valueName: "file"), completion: .file())
        var newPassphraseFile: String?
        @Option(help: ArgumentHelp("The same from an open file descriptor.", valueName: "number"))
        var newPassphraseFD: Int32?
        @Option(
            help: ArgumentHelp(
                "Lock with this key file instead; it is made if it is missing.", valueName: "file"),
            completion: .file())
        var newKeyFile: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let source = SecretSource(
                option: "new-passphrase", file: newPassphraseFile, descriptor: newPassphraseFD,
                mayAsk: !vault.passphrase.noInput)
            var inputs = try Inputs([.secret(source), vault.inputName])
            let opened = try vault.openToLock(&inputs)
            let lock = try inputs.newLock(newKeyFile, source, for: opened.vault.path)
            let result = try Sink(output, .line, inputs: inputs)
            try lock.use { lock, key in
                try Unbroken.lasting { try change(opened, to: lock, key) }
            }
            UnlockedVault.drop(of: opened.vault.id)
            let isKeyFile = newKeyFile != nil
            try result.report(
                "the vault is locked with a new \(isKeyFile ? "key file" : "passphrase")",
                json: ["protection": isKeyFile ? "keyFile" : "passphrase"])
        }

        private func change(
            _ opened: OpenedVault, to lock: borrowing Unlocking, _ key: borrowing NewKeyFile
        ) throws {
            opened.willRemember(keyFile: key.place)
            let fate = try opened.vault.lock(with: lock) {
                let loss = key.loss
                if loss != nil { opened.willRemember(keyFile: opened.keyFile) }
                return loss
            }
            switch fate {
            case .kept: opened.remember(keyFile: key.place)
            case .undone(let loss): throw Failure(loss, "the vault is locked as it was before")
            case .stuck(let loss, let error):
                // What was stored may come back, whatever is in the vault's place now.
                let (afterwards, isKnown) = (key.putBack(), opened.isLocked(with: lock))
                if isKnown { opened.remember(keyFile: key.place) }
                throw KeyFileTaken(
                    Failure(loss, of: key.name, afterwards: afterwards, isKnown: isKnown, error))
            }
        }
    }
}
