internal import CloserPrimitives
internal import CloserWire

/// The key of one vault: it seals records, and turns their names into tags that tell a thief nothing (security §7).
///
/// One key seals, another makes tags; both are derived from 32 random bytes that never change.
final class VaultKey: Sendable {
    /// 16 bytes.
    static let vaultIDByteCount = 16
    static let domain = Array("closer-keys/vault/1".utf8)

    let vaultID: [UInt8]
    private let secret: SecretBytes
    private let cipher: AESGCM
    private let tagKey: SecretBytes

    /// A new key for a new vault.
    convenience init(from randomness: Randomness = .system) {
        self.init(
            .random(count: 32, from: randomness), vaultID: randomness.bytes(Self.vaultIDByteCount))
    }

    init(_ secret: consuming SecretBytes, vaultID: [UInt8]) {
        cipher = AESGCM(key: Self.derive("record", from: secret, vaultID))
        tagKey = Self.derive("tag", from: secret, vaultID).withBytes { SecretBytes(copying: $0) }
        self.secret = secret
        self.vaultID = vaultID
    }

    /// `HKDF-SHA256(ikm = key, salt = "closer-keys/vault/1", info = LP(label, vaultId), 32)`.
    static func derive(
        _ label: String, from key: borrowing SecretBytes, _ vaultID: [UInt8]
    ) -> SecretBytes {
        let info = [UInt8](lengthPrefixed: [Array(label.utf8), vaultID])
        return HKDF.derive(from: key, salt: domain.span, info: info.span, count: 32)
    }

    /// Lends the 32 bytes, to be wrapped.
    func withSecret<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result { secret.withBytes(body) }

    /// `HMAC-SHA256(tag key, LP(items))`, cut to 16 bytes.
    func tag(_ items: [[UInt8]]) -> [UInt8] {
        let message = [UInt8](lengthPrefixed: items)
        return Array(HMACSHA256.tag(of: message.span, key: tagKey).prefix(16))
    }

    /// `iv ‖ ciphertext ‖ tag`.
    func seal(_ content: borrowing SecretBytes, as row: RowName) -> [UInt8] {
        let data = associatedData(row)
        return content.withBytes { content in
            let count = content.count + AESGCM.nonceByteCount + AESGCM.tagByteCount
            return [UInt8](capacity: count) {
                cipher.seal(content, nonceFrom: .system, authenticating: data.span, into: &$0)
            }
        }
    }

    func open(_ sealed: [UInt8], as row: RowName) throws(VaultError) -> SecretBytes {
        let data = associatedData(row)
        guard let content = SecretBytes(opening: sealed.span, with: cipher, authenticating: data.span) else {
            throw .damaged
        }
        return content
    }

    private func associatedData(_ row: RowName) -> [UInt8] {
        let kind = Array(row.kind.rawValue.utf8)
        return [UInt8](lengthPrefixed: [
            Self.domain, vaultID, kind, row.tag, [UInt8](bigEndian: row.revision),
        ])
    }
}

/// Which row of the vault, and which writing of it: a row that was moved or put back does not open.
struct RowName {
    let kind: RecordKind
    let tag: [UInt8]
    let revision: UInt64
}

extension SecretBytes {
    /// The plaintext of `iv ‖ ciphertext ‖ tag`; nil if it does not open.
    init?(opening box: Span<UInt8>, with cipher: AESGCM, authenticating data: Span<UInt8>) {
        guard box.count >= AESGCM.nonceByteCount + AESGCM.tagByteCount else { return nil }
        let nonce = box.extracting(first: AESGCM.nonceByteCount)
        let sealed = box.extracting(droppingFirst: AESGCM.nonceByteCount)
        let opened = try? SecretBytes(capacity: sealed.count) {
            (output) throws(AESGCM.AuthenticationFailure) in
            try cipher.open(sealed, nonce: nonce, authenticating: data, into: &output)
        }
        guard let opened else { return nil }
        self = opened
    }
}
