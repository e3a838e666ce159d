public import CloserKeys
internal import CloserPrimitives
public import CloserTink
internal import CloserWire

/// Who this device is: its user, and the keys that others know it by.
public struct Device: Sendable {
    /// The user whose device it is.
    public let userID: UserID
    /// ECIES private keys. Older ones stay, so that what was sealed to them opens.
    package let identity: Keyset
    /// For agreements and chats: the first one. Older ones stay, so that what was sealed to them opens.
    let x25519Keys: [X25519.PrivateKey]
    var x25519: X25519.PrivateKey { x25519Keys[0] }

    init(for userID: UserID, chatKey: X25519PrivateKey? = nil, identity: Keyset? = nil) throws(VaultError) {
        self.userID = userID
        self.identity = identity ?? Keyset(.ecies(ECIESParameters()))
        x25519Keys = [chatKey?.key ?? X25519.PrivateKey()]
        guard self.identity.kind == .eciesPrivate else { throw .keyset(.wrongKind(expected: .eciesPrivate)) }
    }

    init(_ userID: UserID, _ identity: Keyset, _ x25519Keys: [X25519.PrivateKey]) {
        (self.userID, self.identity, self.x25519Keys) = (userID, identity, x25519Keys)
    }

    /// The key that keyboxes for this device are sealed to.
    public var publicKey: PublicKeyToken {
        guard let token = try? PublicKeyToken(primaryOf: identity) else {
            preconditionFailure("an identity is a keyset of ECIES keys")
        }
        return token
    }

    /// Who this device's user is in a chat.
    public var chatKey: X25519PrivateKey { X25519PrivateKey(x25519) }

    /// The keys that the user had in a chat before ``Vault/renew(locking:)``, the newest first: for messages of those who do not know the
    /// new one yet.
    ///
    /// - Important: The finder of the lost device has them, too. A message that opens under one may be the finder's.
    public var formerChatKeys: [X25519PrivateKey] { x25519Keys.dropFirst().map { X25519PrivateKey($0) } }

    /// The public half of ``chatKey``: 32 bytes in standard base64.
    public var x25519PublicKey: String { Base64.standard.encode(x25519.publicKey.bytes) }
}

extension Device: Record {
    static let kind = RecordKind.device
    static let id = RecordID()
    static let maximumX25519Count = 8
    var recordID: RecordID { Self.id }
    var maximumByteCount: Int { 1024 + Keyset.maximumBinaryByteCount }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        userID = try fields.identifier(in: bytes)
        identity = try fields.keyset(in: bytes)
        x25519Keys = try fields.x25519Keys(in: bytes)
        guard identity.kind == .eciesPrivate else { throw .damaged }
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: userID.text)
        output.append(field: identity)
        for key in x25519Keys { key.withScalar { output.append(field: $0) } }
    }
}

extension RecordFields {
    /// One to eight scalars, each in a field of its own, to the record's end.
    fileprivate mutating func x25519Keys(in bytes: Span<UInt8>) throws(VaultError) -> [X25519.PrivateKey] {
        var keys: [X25519.PrivateKey] = []
        repeat {
            let scalar = try secret(in: bytes)
            guard scalar.count == X25519.byteCount, keys.count < Device.maximumX25519Count else {
                throw .damaged
            }
            keys.append(X25519.PrivateKey(adopting: scalar))
        } while !isAtEnd
        return keys
    }
}

extension Vault {
    /// Makes a vault for a user, with a new identity. `chatKey` is the X25519 key that an app has given its users before, and `identity`
    /// the keyset of private ECIES keys that an app with Tink has; nil for new ones.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory. It blocks until the vault is on the disk,
    /// some milliseconds.
    ///
    /// - Throws: ``VaultError``: `.exists`, `.notAVault`, `.keyMalformed`, `.passphraseLength`, `.busy`, `.cannotWrite`, and
    ///   `.keyset(.wrongKind)` for another `identity`.
    public static func create(
        at path: String, for user: UserID, locking: borrowing Credential, chatKey: X25519PrivateKey? = nil,
        identity: Keyset? = nil
    ) throws(VaultError) -> Vault {
        try create(
            in: VaultFileStorage(path), for: user, locking: locking, chatKey: chatKey, identity: identity)
    }

    /// Makes a vault for a user where you keep it.
    ///
    /// - Throws: ``VaultError``, as for a file, and what `storage` throws.
    public static func create(
        in storage: any VaultStorage, for user: UserID, locking: borrowing Credential,
        chatKey: X25519PrivateKey? = nil, identity: Keyset? = nil
    ) throws(VaultError) -> Vault {
        let device = try Device(for: user, chatKey: chatKey, identity: identity)
        return try make(in: storage, locking: locking) { $0.put(device) }
    }

    /// A new vault in memory, under a random key: for a test or a preview. It is gone with its last owner.
    public static func inMemory(for user: UserID) -> Vault {
        let key = Credential.key(.random(count: Credential.keyFileByteCount))
        guard let vault = try? create(in: VaultMemoryStorage(), for: user, locking: key) else {
            preconditionFailure("a vault in memory has no file that can fail")
        }
        return vault
    }

    /// This device's identity.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var device: Device {
        get throws(VaultError) { try read { (transaction) throws(VaultError) in try transaction.device } }
    }
}

extension Transaction {
    var device: Device {
        get throws(VaultError) {
            guard let device = try record(Device.self, Device.id) else { throw .damaged }
            return device
        }
    }
}
