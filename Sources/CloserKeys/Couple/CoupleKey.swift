public import CloserPrimitives
public import CloserTink
internal import CloserWire

/// The key that encrypts what both partners may read: a Tink AES-256-GCM keyset.
///
/// After a rekey it holds several keys: the primary seals, the older ones still open (closer-keys-formats(7), THE COUPLE
/// KEY). For texts and files of the couple take ``FieldKey``.
///
/// - Important: It is only on the devices and under the phrase. Lose all of them, and the data is gone.
public struct CoupleKey: Sendable {
    /// AES-256-GCM keys, all of them.
    public let keyset: Keyset
    let aead: KeysetAEAD

    /// Takes a keyset of AES-256-GCM keys alone.
    ///
    /// - Throws: `.wrongKind` for any other.
    public init(_ keyset: Keyset) throws(KeysetError) {
        aead = try KeysetAEAD(keyset)
        self.keyset = keyset
    }

    init(forThread other: CoupleKey) {
        (keyset, aead) = (other.keyset, other.aead.forThread())
    }
}

// MARK: - Compared with another

extension CoupleKey {
    /// Whether every enabled key of `other` is in it with the same prefix and bytes: taking it in place of `other` keeps every key.
    public func hasAllKeys(of other: CoupleKey) -> Bool {
        let ours = keyset.entries.filter { $0.status == .enabled }
        return other.keyset.entries.filter { $0.status == .enabled }.allSatisfy { theirs in
            ours.contains { $0.id == theirs.id && $0.isSameKey(as: theirs) }
        }
    }

    /// Whether the primary is new to `other`, by its id and by its bytes.
    public func hasNewPrimary(comparedTo other: CoupleKey) -> Bool {
        other.keyset.entries.allSatisfy { entry in
            guard case .aesGCM(let key)? = entry.material else { return entry.id != keyset.primaryID }
            let isSame = key.withBytes { a in primaryKey.withBytes { a.isEqual(to: $0) } }
            return entry.id != keyset.primaryID && !isSame
        }
    }
}

// MARK: - Rotation

// A couple key changes by one key at a time: it gets a new primary, or loses an old key.

extension CoupleKey {
    /// These keys with a new primary.
    ///
    /// - Throws: `.tooManyKeys` when 32 are there already: retire some.
    public func rotated(from randomness: Randomness = .system) throws(KeysetError) -> CoupleKey {
        let added = try keyset.adding(.aes256GCM, from: randomness)
        let known = Set(keyset.entries.map(\.id))
        guard let new = added.entries.first(where: { !known.contains($0.id) }) else {
            preconditionFailure("a keyset that was added to has no new key")
        }
        return try CoupleKey(try added.promoting(new.id))
    }

    /// These keys without an old one: what that key sealed stays closed.
    ///
    /// - Throws: `.noSuchKey` or `.isPrimary`.
    public func retiring(_ id: UInt32) throws(KeysetError) -> CoupleKey {
        try CoupleKey(try keyset.removing(id))
    }
}

// MARK: - Subkeys

extension CoupleKey {
    /// What a key that is derived from a couple key is for (closer-keys-formats(7), THE COUPLE KEY, Subkeys).
    enum SubkeyLabel: String {
        case sealedMAC = "sealed-mac"
        case fingerprint
        case retired
        case file
    }

    /// `HKDF-SHA256(ikm = key bytes, salt = "closer-keys/v1", info = LP(label, coupleId), 32)`.
    static func subkey(_ label: SubkeyLabel, of key: AESGCMKey, couple: CoupleID) -> SecretBytes {
        let salt = Array("closer-keys/v1".utf8)
        let info = [UInt8](lengthPrefixed: [Array(label.rawValue.utf8), couple.bytes])
        return key.withBytes { HKDF.derive(from: $0, salt: salt.span, info: info.span, count: 32) }
    }

    /// The keys that may open, the primary first: it is the likeliest.
    var enabledEntries: [(id: UInt32, key: AESGCMKey)] {
        let enabled = keyset.entries.filter { $0.status == .enabled }
        let ordered =
            enabled.filter { $0.id == keyset.primaryID } + enabled.filter { $0.id != keyset.primaryID }
        return ordered.compactMap { entry in
            guard case .aesGCM(let key)? = entry.material else { return nil }
            return (entry.id, key)
        }
    }

    /// The key that new subkeys come from.
    var primaryKey: AESGCMKey {
        guard let primary = enabledEntries.first else {
            preconditionFailure("a couple key without a primary")
        }
        return primary.key
    }

    /// Tells two devices whether they hold the same primary: 10 bytes of a subkey in hexadecimal, in groups
    /// of four digits.
    public func fingerprint(couple: CoupleID) -> String {
        Self.subkey(.fingerprint, of: primaryKey, couple: couple).fingerprint
    }
}

extension SecretBytes {
    /// The first 10 bytes in hexadecimal, in groups of four digits: of a key that was derived for this alone.
    var fingerprint: String {
        let hex = withBytes { Hex.encode($0.extracting(first: 10)) }
        return stride(from: 0, to: hex.count, by: 4).map { hex.dropFirst($0).prefix(4) }.joined(
            separator: " ")
    }
}
