internal import CloserPrimitives
internal import CloserWire

/// Which vault a file is: 16 random bytes that stand in it in clear, and are not secret.
public struct VaultID: Equatable, Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16

    let bytes: [UInt8]

    static func random() -> VaultID { VaultID(unchecked: Randomness.system.bytes(byteCount)) }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// 32 hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}

/// The key of one vault: 32 random bytes that never change, and the keys derived from them.
///
/// Three values are derived: a key for the directory, a key for the records, and a check that is no secret: `HKDF-SHA256(ikm = key,
/// salt = "closer-keys/vault/2", info = LP(label, vault id), 32)` with the labels `directory`, `record` and `known`
/// (closer-keys-formats(7), PRIVATE FORMATS).
final class VaultKey: Sendable {
    static let byteCount = 32
    static let domain = Array("closer-keys/vault/2".utf8)

    let vaultID: VaultID
    /// Tells this key from any other, and nothing else of it.
    let check: [UInt8]
    private let secret: SecretBytes
    private let directoryCipher: AESGCM
    private let recordCipher: AESGCM

    /// A new key for a new vault.
    convenience init() { self.init(.random(count: Self.byteCount), of: .random()) }

    init(_ secret: consuming SecretBytes, of vaultID: VaultID) {
        directoryCipher = AESGCM(key: Self.derive("directory", from: secret, vaultID))
        recordCipher = AESGCM(key: Self.derive("record", from: secret, vaultID))
        check = Self.derive("known", from: secret, vaultID).withBytes { [UInt8](copying: $0) }
        self.secret = secret
        self.vaultID = vaultID
    }

    static func derive(_ label: String, from key: borrowing SecretBytes, _ vaultID: VaultID) -> SecretBytes {
        let info = [UInt8](lengthPrefixed: [Array(label.utf8), vaultID.bytes])
        return HKDF.derive(from: key, salt: domain.span, info: info.span, count: byteCount)
    }

    /// Lends the 32 bytes, to be locked.
    func withSecret<Result: ~Copyable>(_ body: (Span<UInt8>) -> Result) -> Result { secret.withBytes(body) }

    /// `iv ‖ ciphertext ‖ tag` of the directory; `head` is all that stands before it in the file.
    func seal(directory: [UInt8], after head: ArraySlice<UInt8>) -> [UInt8] {
        directoryCipher.sealCombined(directory.span, authenticating: head.span)
    }

    /// The directory in clear: kinds, ids and digests, no secret.
    func open(directory box: ArraySlice<UInt8>, after head: ArraySlice<UInt8>) throws(VaultError) -> [UInt8] {
        do throws(AESGCM.AuthenticationFailure) {
            return try [UInt8](capacity: box.count) { (output) throws(AESGCM.AuthenticationFailure) in
                try directoryCipher.openCombined(box.span, authenticating: head.span, into: &output)
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
