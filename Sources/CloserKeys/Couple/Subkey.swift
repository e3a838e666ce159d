internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

extension CoupleKey {
    /// What a key derived from a couple key is for (security §3.1).
    enum SubkeyLabel: String {
        case sealedMAC = "sealed-mac"
        case fingerprint
    }

    /// `HKDF-SHA256(ikm = key bytes, salt = "closer-keys/v1", info = LP(label, coupleId), 32)`.
    static func subkey(_ label: SubkeyLabel, of key: AESGCMKey, couple: Identifier) -> SecretBytes {
        let salt = Array("closer-keys/v1".utf8)
        let info = [UInt8](lengthPrefixed: [Array(label.rawValue.utf8), couple.bytes])
        return key.withBytes { HKDF.derive(from: $0, salt: salt.span, info: info.span, count: 32) }
    }

    /// The keys that may open, the primary first.
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

    /// Says without a secret whether two devices hold the same primary: 10 bytes in hex, in groups of four digits.
    public func fingerprint(couple: Identifier) -> String {
        let subkey = Self.subkey(.fingerprint, of: primaryKey, couple: couple)
        let hex = subkey.withBytes { Hex.encode($0.extracting(first: 10)) }
        return stride(from: 0, to: hex.count, by: 4).map { hex.dropFirst($0).prefix(4) }.joined(
            separator: " ")
    }
}
