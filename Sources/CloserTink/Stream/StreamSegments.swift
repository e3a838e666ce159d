internal import CloserPrimitives
internal import CloserWire

/// What a stream begins with: its own length, 40, in one byte, a salt of 32 bytes and a nonce prefix of 7
/// (closer-keys-formats(7), FILES).
struct StreamHeader: Sendable {
    static let byteCount = 40
    static let saltByteCount = StreamingKey.byteCount
    static let noncePrefixByteCount = 7

    let bytes: [UInt8]

    init(from randomness: Randomness) {
        bytes = [UInt8](capacity: Self.byteCount) { output in
            output.append(UInt8(Self.byteCount))
            randomness.append(Self.byteCount - 1, to: &output)
        }
    }

    /// Takes the front of a stream.
    ///
    /// The length in the first byte says that the key of the stream has 32 bytes. With any other it is a stream of
    /// another kind or none at all, and a reader knows that without a key. Throws `.tooShort` or `.notAStream`.
    init(parsing stream: Span<UInt8>) throws(OpenError) {
        guard stream.count >= Self.byteCount + AESGCM.tagByteCount else { throw .tooShort }
        guard stream[0] == UInt8(Self.byteCount) else { throw .notAStream }
        bytes = Array(copying: stream.extracting(first: Self.byteCount))
    }

    var salt: [UInt8] { Array(bytes[1..<1 + Self.saltByteCount]) }
}

/// The segments of one stream, each sealed or opened under its own nonce: `nonce prefix ‖ u32be(index) ‖ is last`.
///
/// An index is used once: after 2^32 segments they are used up.
struct StreamSegments: Sendable {
    let parameters: StreamingParameters
    private let cipher: AESGCM
    private var nonce: [UInt8]
    private var index: UInt32
    private var isFirst = true

    init(
        _ header: StreamHeader, key: StreamingKey, associatedData: Span<UInt8>, startingAt index: UInt32 = 0
    ) {
        parameters = key.parameters
        cipher = key.cipher(salt: header.salt.span, associatedData: associatedData)
        nonce = Array(header.bytes.suffix(StreamHeader.noncePrefixByteCount)) + [0, 0, 0, 0, 0]
        self.index = index
    }

    /// The ciphertext bytes of a segment that is not the last. The first shares its room with the header.
    var ciphertextByteCount: Int {
        parameters.segmentByteCount - (isFirst ? StreamHeader.byteCount : 0)
    }

    var plaintextByteCount: Int { ciphertextByteCount - AESGCM.tagByteCount }

    /// Whether a segment that is not the last can stand here, so that there is an index for the one that follows.
    var hasSuccessor: Bool { index < .max }

    mutating func seal(_ plaintext: Span<UInt8>, isLast: Bool, into output: inout OutputSpan<UInt8>) {
        setNonce(isLast: isLast)
        cipher.seal(plaintext, nonce: nonce.span, authenticating: Span(), into: &output)
        if !isLast { advance() }
    }

    /// Appends the plaintext of the next segment. If it fails the output stays as it was, and the same segment is still due.
    mutating func open(
        _ segment: Span<UInt8>, isLast: Bool, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) {
        guard isLast || hasSuccessor else { throw .authenticationFailed }
        setNonce(isLast: isLast)
        do {
            try cipher.open(segment, nonce: nonce.span, authenticating: Span(), into: &output)
        } catch { throw .authenticationFailed }
        if !isLast { advance() }
    }

    private mutating func advance() {
        index += 1
        isFirst = false
    }

    private mutating func setNonce(isLast: Bool) {
        nonce.removeLast(5)
        nonce.append(bigEndian: index)
        nonce.append(isLast ? 1 : 0)
    }
}
