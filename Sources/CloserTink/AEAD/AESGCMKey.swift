package import CloserPrimitives
internal import CloserWire

/// A Tink AES-256-GCM key, `AesGcmKey`, with its key schedule (closer-keys-formats(7), TINK, Keysets).
///
/// It is a class, so that a keyset can hold it and a copied reference shares the bytes of the key.
package final class AESGCMKey: Sendable {
    /// 32 bytes.
    package static let byteCount = 32

    static let typeURL = "type.googleapis.com/google.crypto.tink.AesGcmKey"
    private enum Field { static let (version, keyValue) = (1, 3) }

    private let secret: SharedSecret
    private let cipher: AESGCM

    /// A new key.
    package convenience init(from randomness: Randomness = .system) {
        self.init(unchecked: .random(count: Self.byteCount, from: randomness))
    }

    /// Takes over 32 bytes.
    ///
    /// - Throws: `.wrongKeySize` for any other count, 16 too: a keyset cannot talk us down to a shorter key.
    package convenience init(adopting secret: consuming SecretBytes) throws(KeysetError) {
        guard secret.count == Self.byteCount else { throw .wrongKeySize(byteCount: secret.count) }
        self.init(unchecked: secret)
    }

    convenience init(parsing value: Span<UInt8>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(value)
        try message.requireVersion0(Field.version)
        let key = value.extracting(try message.range(Field.keyValue))
        try self.init(adopting: SecretBytes(copying: key))
    }

    private convenience init(unchecked secret: consuming SecretBytes) {
        self.init(sharing: SharedSecret(secret))
    }

    private init(sharing secret: SharedSecret) {
        cipher = AESGCM(key: secret.bytes)
        self.secret = secret
    }

    /// This key with a schedule of its own, for one more thread: threads that share one wait for each other. Both share the bytes.
    func forThread() -> AESGCMKey { AESGCMKey(sharing: secret) }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>) {
        secret.bytes.withBytes { output.appendField(Field.keyValue, bytes: $0) }
    }

    /// Lends the 32 bytes, for what is derived from them.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(secret.bytes)
    }

    /// Appends `iv ‖ ciphertext ‖ tag`.
    func seal(
        _ plaintext: Span<UInt8>, associatedData: Span<UInt8>, from randomness: Randomness,
        into output: inout OutputSpan<UInt8>
    ) {
        cipher.seal(plaintext, nonceFrom: randomness, authenticating: associatedData, into: &output)
    }

    /// Appends the plaintext of `iv ‖ ciphertext ‖ tag`. Throws `.tooShort` below 28 bytes, or `.authenticationFailed`.
    func open(
        _ box: Span<UInt8>, associatedData: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) {
        guard box.count >= AESGCM.overheadByteCount else { throw .tooShort }
        do { try cipher.openCombined(box, authenticating: associatedData, into: &output) } catch {
            throw .authenticationFailed
        }
    }
}

/// The bytes of a key, which several of its schedules share.
private final class SharedSecret: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

extension AESGCMKey: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    package var description: String { "AESGCMKey(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
