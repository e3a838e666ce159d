internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
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
        @Option(
            file: "The private ecies-p256 keyset that your app with Tink has for this user; else a new one.")
        var identity: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = try Inputs([.file(x25519File), .file(identity), vault.inputName])
            let user = try UserID(naming: user)
            let path = try vault.newPath(&inputs)
            let chatKey = try x25519File.map { try inputs.privateKey($0) }
            let identity = try identity.map { try inputs.identity($0) }
            let protection = try vault.newProtection(&inputs)
            let made = try protection.use { unlocking, keyFile in
                let made = try Vault.create(
                    at: path, for: user, locking: unlocking, chatKey: chatKey, identity: identity)
                try vault.remember(made, keyFile: keyFile)
                return made
            }
            try Output(output).report(try DeviceSummary(made).members)
        }
    }
}

extension Inputs {
    /// A keyset of private ECIES keys, strictly: in binary, only the spelling that a vault keeps.
    fileprivate mutating func identity(_ path: String) throws -> Keyset {
        let bytes = try secret(path, maximumByteCount: Keyset.maximumJSONByteCount)
        warnIfOpenToOthers(path)
        let keyset = try bytes.withBytes {
            try FileKind.keyset.read($0) {
                InsecureCleartextKeyset.isJSON(bytes)
                    ? try InsecureCleartextKeyset.read(json: bytes)
                    : try InsecureCleartextKeyset.read(binary: bytes, .strict)
            }
        }
        return try keyset.use {
            guard $0.kind == .eciesPrivate else { throw KeysetError.wrongKind(expected: .eciesPrivate) }
            return $0
        }
    }
}
