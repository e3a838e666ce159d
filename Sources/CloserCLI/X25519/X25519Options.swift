internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

/// Where our X25519 private key is: in a file, or in a vault.
struct PrivateKeyOptions: ParsableArguments {
    @Option(file: "The X25519 private key, instead of a vault.") var privateKeyFile: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    var inputNames: [InputName] { [.file(privateKeyFile), vault.inputName] }

    /// The key, the keys before it, and the user whose key it is: nil for a file, which does not say. With a vault, `body` may look into it.
    func read(
        _ inputs: inout Inputs, _ body: (Vault) throws -> Void = { _ in }
    ) throws -> (key: X25519PrivateKey, former: [X25519PrivateKey], user: UserID?) {
        guard let privateKeyFile else {
            let vault = try vault.open(&inputs)
            try body(vault)
            let device = try vault.device
            return (device.chatKey, device.formerChatKeys, device.userID)
        }
        try refuseVault(besides: "--private-key-file")
        return (try inputs.privateKey(privateKeyFile), [], nil)
    }

    func refuseVault(besides option: String) throws { try vault.refuse(besides: option) }
}

extension Inputs {
    /// The key of a file that holds 32 bytes, or one line with their base64. White space around base64 is ignored.
    static func key(in content: Span<UInt8>) throws -> SecretBytes {
        guard content.count != ChatKey.byteCount else { return SecretBytes(copying: content) }
        return try SecretBase64.standard.decode(content.extracting(textRange(of: content)))
    }

    mutating func privateKey(_ path: String) throws -> X25519PrivateKey {
        let content = try secret(path, maximumByteCount: SecretSource.maximumByteCount)
        warnIfOpenToOthers(path)
        return try content.withBytes { bytes in
            do { return try X25519PrivateKey(adopting: Self.key(in: bytes)) } catch {
                throw CLIError(bytes, insteadOf: .key)
                    ?? CLIError(
                        .malformed, "a private key file holds only 32 bytes, as they are or in base64",
                        hint: "closer-keys x25519 new makes one")
            }
        }
    }
}

struct PeerKeyOptions: ParsableArguments {
    @Option("The other side's X25519 public key, base64.", value: "key") var peerKey: String

    var key: X25519PublicKey {
        get throws {
            try FileKind.key.read(Array(peerKey.utf8).span) { try X25519PublicKey(parsing: peerKey) }
        }
    }
}

/// The salt and the info of HKDF, by which derived keys differ from one another.
struct DerivationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("HKDF's salt, as text; empty by default.", valueName: "text")) var salt:
        String?
    @Option("HKDF's salt, in hexadecimal.", value: "hex") var saltHex: String?
    @Option("HKDF's info, as text.", value: "text") var info: String?

    var isGiven: Bool { salt != nil || saltHex != nil || info != nil }

    var saltBytes: [UInt8] {
        get throws {
            guard salt == nil || saltHex == nil else {
                throw CLIError(.usage, "use either --salt or --salt-hex")
            }
            guard let saltHex else { return Array((salt ?? "").utf8) }
            return try Inputs.hex(saltHex, of: "--salt-hex")
        }
    }
}
