internal import CloserPrimitives
internal import CloserWire

extension Vault {
    /// The id of a vault: 16 random bytes, in the clear in its file.
    public struct ID: Equatable, Hashable, Sendable, LosslessStringConvertible {
        static let byteCount = 16

        let bytes: [UInt8]

        static func random() -> ID { ID(unchecked: Randomness.system.bytes(byteCount)) }

        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.byteCount else { return nil }
            self.bytes = bytes
        }

        private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

        /// Reads ``description``; nil for anything else.
        public init?(_ description: String) {
            guard let bytes = try? Hex.decode(description) else { return nil }
            self.init(bytes)
        }

        /// 32 hexadecimal digits.
        public var description: String { Hex.encode(bytes) }
    }
}

/// A key of a vault: 32 random bytes, and the keys derived from them. It stays until ``Vault/changeCredential(to:newVaultKey:)`` draws another.
///
/// Two keys are derived, one for the index and one for the records: `HKDF-SHA256(ikm = key, salt = "closer-keys/vault/3",
/// info = LP(label, vault id), 32)` with the labels `directory` and `record` (closer-keys-formats(7), PRIVATE FORMATS).
final class VaultKey: Sendable {
    static let byteCount = 32
    static let domain = Array("closer-keys/vault/3".utf8)

    let vaultID: Vault.ID
    private let secret: SecretBytes
    private let indexCipher: AESGCM
    private let recordCipher: AESGCM

    /// A new key, for a new vault unless one is named.
    convenience init(of vaultID: Vault.ID = .random()) {
        self.init(.random(count: Self.byteCount), of: vaultID)
    }

    init(_ secret: consuming SecretBytes, of vaultID: Vault.ID) {
        indexCipher = AESGCM(key: Self.derive("directory", from: secret, vaultID))
        recordCipher = AESGCM(key: Self.derive("record", from: secret, vaultID))
        self.secret = secret
        self.vaultID = vaultID
    }

    static func derive(_ label: String, from key: borrowing SecretBytes, _ vaultID: Vault.ID) -> SecretBytes {
        let info = [UInt8](lengthPrefixed: [Array(label.utf8), vaultID.bytes])
        return HKDF.derive(from: key, salt: domain.span, info: info.span, count: byteCount)
    }

    /// Lends the 32 bytes, to be locked.
    func withSecret<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result { secret.withBytes(body) }

    /// `iv ‖ ciphertext ‖ tag` of the index; `head` is all that stands before it in the file.
    func seal(index: [UInt8], after head: ArraySlice<UInt8>) -> [UInt8] {
        indexCipher.sealCombined(index.span, authenticating: head.span)
    }

    /// The index in clear: kinds, ids and digests.
    func open(index box: ArraySlice<UInt8>, after head: ArraySlice<UInt8>) throws(VaultError) -> [UInt8] {
        do throws(AESGCM.AuthenticationFailure) {
            return try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try indexCipher.openCombined(box.span, authenticating: head.span, into: &output)
            }
        } catch { throw .damaged }
    }

    /// `iv ‖ ciphertext ‖ tag` of a record.
    func seal(_ content: borrowing SecretBytes, as name: RecordName) -> [UInt8] {
        let data = associatedData(name)
        return content.withBytes { recordCipher.sealCombined($0, authenticating: data.span) }
    }

    /// What the box holds, while it is read.
    func open(_ box: ArraySlice<UInt8>, as name: RecordName) throws(VaultError) -> SecretBytes {
        let data = associatedData(name)
        do { return try recordCipher.openShortLived(box.span, authenticating: data.span) } catch {
            throw .damaged
        }
    }

    private func associatedData(_ name: RecordName) -> [UInt8] {
        [UInt8](lengthPrefixed: [
            Self.domain, vaultID.bytes, Array(name.kind.rawValue.utf8), Array(name.id.bytes),
        ])
    }
}
