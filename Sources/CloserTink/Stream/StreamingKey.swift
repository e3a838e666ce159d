package import CloserPrimitives
internal import CloserWire

/// How a streaming key cuts a stream, `AesGcmHkdfStreamingParams`. The cipher is always AES-256-GCM and the KDF
/// HKDF-SHA256.
///
/// The default is Tink's template `AES256_GCM_HKDF_1MB`.
public struct StreamingParameters: Equatable, Sendable {
    /// How many bytes of the stream a segment takes, with its tag. The first one also holds the header.
    public let segmentByteCount: Int

    /// What a key may ask for. The least is 57, as in Tink: header, tag and one byte. The most is 16 MiB, sixteen times
    /// what Tink's templates ask for: a reader holds a segment twice, and a stranger's keyset must not fill its memory.
    public static let segmentByteCounts = StreamHeader.byteCount + AESGCM.tagByteCount + 1...16 << 20

    /// Tink's template `AES256_GCM_HKDF_1MB`.
    public static let oneMiB = StreamingParameters(segmentByteCount: 1 << 20)
    /// Tink's template `AES256_GCM_HKDF_4KB`.
    public static let fourKiB = StreamingParameters(segmentByteCount: 4 << 10)

    /// A size outside ``segmentByteCounts`` is a mistake of the caller and stops the process.
    public init(segmentByteCount: Int) {
        precondition(Self.segmentByteCounts.contains(segmentByteCount), "a segment has 57 bytes to 16 MiB")
        self.segmentByteCount = segmentByteCount
    }
}

extension StreamingParameters {
    private enum Field { static let (segmentByteCount, derivedKeySize, hash) = (1, 2, 3) }
    private static let sha256: UInt32 = 3

    init(parsing bytes: Span<UInt8>, in range: Range<Int>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(bytes, in: range)
        guard try message.number(Field.hash) == Self.sha256 else { throw .unsupportedParameters }
        // Tink also has streams under AES-128. Fails closed: a keyset cannot talk us down to keys of 16 bytes.
        let keySize = Int(clamping: try message.number(Field.derivedKeySize))
        guard keySize == StreamingKey.byteCount else { throw .wrongKeySize(byteCount: keySize) }
        let count = Int(clamping: try message.number(Field.segmentByteCount))
        guard Self.segmentByteCounts.contains(count) else { throw .wrongSegmentSize(byteCount: count) }
        self.init(segmentByteCount: count)
    }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>) {
        output.appendField(Field.segmentByteCount, uint32: UInt32(segmentByteCount))
        output.appendField(Field.derivedKeySize, uint32: UInt32(StreamingKey.byteCount))
        output.appendField(Field.hash, uint32: Self.sha256)
    }
}

/// A Tink streaming key, `AesGcmHkdfStreamingKey`, from which each stream derives a key of its own.
package final class StreamingKey: Sendable {
    /// 32 bytes, as many as the key of a stream.
    package static let byteCount = 32

    static let typeURL = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"
    private enum Field { static let (version, parameters, keyValue) = (1, 2, 3) }

    /// How it cuts its streams.
    package let parameters: StreamingParameters
    private let secret: SecretBytes

    /// A new key.
    package convenience init(
        parameters: StreamingParameters = .oneMiB, from randomness: Randomness = .system
    ) {
        self.init(unchecked: .random(count: Self.byteCount, from: randomness), parameters: parameters)
    }

    convenience init(parsing value: Span<UInt8>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(value)
        try message.requireVersion0(Field.version)
        let parameters = try StreamingParameters(parsing: value, in: try message.range(Field.parameters))
        let key = value.extracting(try message.range(Field.keyValue))
        guard key.count == Self.byteCount else { throw .wrongKeySize(byteCount: key.count) }
        self.init(unchecked: SecretBytes(copying: key), parameters: parameters)
    }

    /// A key with 32 bytes that were derived elsewhere.
    package convenience init(derived secret: consuming SecretBytes) {
        precondition(secret.count == Self.byteCount, "a streaming key has 32 bytes")
        self.init(unchecked: secret, parameters: .oneMiB)
    }

    private init(unchecked secret: consuming SecretBytes, parameters: StreamingParameters) {
        self.parameters = parameters
        self.secret = secret
    }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>) {
        output.appendMessage(Field.parameters) { parameters.append(to: &$0) }
        secret.withBytes { output.appendField(Field.keyValue, bytes: $0) }
    }

    /// The cipher of one stream: `HKDF-SHA256(key_value, salt, info = associated data)`.
    func cipher(salt: Span<UInt8>, associatedData: Span<UInt8>) -> AESGCM {
        AESGCM(key: HKDF.derive(from: secret, salt: salt, info: associatedData, count: Self.byteCount))
    }
}

extension StreamingKey: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    package var description: String { "StreamingKey(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
