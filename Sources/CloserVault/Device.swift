public import CloserKeys
internal import CloserPrimitives
public import CloserTink
internal import CloserWire

/// Who this device is: its user, and the keys that others know it by.
public struct Device: Sendable {
    public let userID: Identifier
    /// ECIES private keys. Older ones stay, so that what was sealed to them opens.
    public let identity: Keyset
    /// For pairing and chat.
    let x25519: X25519.PrivateKey

    /// New keys.
    init(for userID: Identifier) {
        self.userID = userID
        identity = Keyset(.ecies(ECIESParameters()))
        x25519 = X25519.PrivateKey()
    }

    /// The key that keyboxes for this device are sealed to.
    public var publicKey: PublicKeyToken {
        guard let token = try? PublicKeyToken(primaryOf: identity) else {
            preconditionFailure("an identity is a keyset of ECIES keys")
        }
        return token
    }

    /// 32 bytes in standard base64.
    public var x25519PublicKey: String { Base64.standard.encode(x25519.publicKey.bytes) }
}

extension Device: Record {
    static let kind = RecordKind.device
    static let id = RecordID()
    var recordID: RecordID { Self.id }
    var owner: Identifier? { nil }
    var group: RecordID? { nil }
    var maximumByteCount: Int { 1024 + Keyset.maximumBinaryByteCount }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        userID = try fields.identifier(in: bytes)
        identity = try fields.keyset(in: bytes)
        let scalar = try fields.secret(in: bytes)
        guard identity.kind == .eciesPrivate, scalar.count == X25519.byteCount else { throw .damaged }
        x25519 = X25519.PrivateKey(adopting: scalar)
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: userID.text)
        output.append(field: identity)
        x25519.withScalar { output.append(field: $0) }
    }
}

extension Vault {
    /// This device's identity.
    public var device: Device {
        get throws { try read { try $0.device } }
    }
}

extension Transaction {
    var device: Device {
        get throws {
            guard let device = try record(Device.self, Device.id) else { throw VaultError.damaged }
            return device
        }
    }
}
