package import CloserPrimitives
internal import CloserWire

/// A Tink ECIES public key, `EciesAeadHkdfPublicKey`: a point on P-256 and how to encrypt to it (closer-keys-formats(7),
/// TINK, Keysets).
package struct ECIESPublicKey: Equatable, Sendable {
    static let typeURL = "type.googleapis.com/google.crypto.tink.EciesAeadHkdfPublicKey"
    private enum Field { static let (version, parameters, x, y) = (1, 2, 3, 4) }

    /// How a box for this key is made.
    package let parameters: ECIESParameters
    /// The point, checked to be on the curve.
    package let point: P256.PublicKey

    package init(_ point: P256.PublicKey, parameters: ECIESParameters = ECIESParameters()) {
        (self.point, self.parameters) = (point, parameters)
    }

    /// Takes `04 ‖ X ‖ Y`, 65 bytes, CryptoKit's `x963Representation`.
    ///
    /// - Throws: `.notAPoint` for any other bytes.
    package init(
        uncompressedPoint bytes: some Collection<UInt8>, parameters: ECIESParameters = ECIESParameters()
    ) throws(KeysetError) {
        let bytes = Array(bytes)
        do { self.init(try P256.PublicKey(bytes.span), parameters: parameters) } catch { throw .notAPoint }
    }

    /// `04 ‖ X ‖ Y`, 65 bytes, CryptoKit's `x963Representation`.
    package var uncompressedPoint: [UInt8] { point.uncompressed }

    init(parsing value: Span<UInt8>) throws(KeysetError) {
        try self.init(parsing: value, in: 0..<value.count)
    }

    init(parsing value: Span<UInt8>, in range: Range<Int>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(value, in: range)
        try message.requireVersion0(Field.version)
        parameters = try ECIESParameters(parsing: value, in: try message.range(Field.parameters))
        let x = try IntegerWidth.read(value.extracting(try message.range(Field.x)))
        let y = try IntegerWidth.read(value.extracting(try message.range(Field.y)))
        point = try Self.point(x: x, y: y)
    }

    private static func point(
        x: borrowing SecretBytes, y: borrowing SecretBytes
    ) throws(KeysetError) -> P256.PublicKey {
        let encoded = [UInt8](capacity: P256.PointFormat.uncompressed.byteCount) { output in
            output.append(4)
            x.withBytes { output.append($0) }
            y.withBytes { output.append($0) }
        }
        do { return try P256.PublicKey(encoded.span) } catch { throw .notAPoint }
    }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>, integers: IntegerWidth) {
        output.appendMessage(Field.parameters) { parameters.append(to: &$0) }
        integers.append(Field.x, point.x.span, to: &output)
        integers.append(Field.y, point.y.span, to: &output)
    }
}

/// A Tink ECIES private key, `EciesAeadHkdfPrivateKey`: a scalar in locked memory, with its public key.
package final class ECIESPrivateKey: Sendable {
    static let typeURL = "type.googleapis.com/google.crypto.tink.EciesAeadHkdfPrivateKey"
    private enum Field { static let (version, publicKey, keyValue) = (1, 2, 3) }

    /// The public half.
    package let publicKey: ECIESPublicKey
    /// The secret half.
    let scalar: P256.PrivateKey

    /// A new key.
    package convenience init(
        parameters: ECIESParameters = ECIESParameters(), from randomness: Randomness = .system
    ) {
        self.init(.random(from: randomness), parameters: parameters)
    }

    /// Takes a scalar that is in range.
    package init(_ scalar: P256.PrivateKey, parameters: ECIESParameters = ECIESParameters()) {
        self.scalar = scalar
        publicKey = ECIESPublicKey(scalar.publicKey, parameters: parameters)
    }

    convenience init(parsing value: Span<UInt8>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(value)
        try message.requireVersion0(Field.version)
        let publicKey = try ECIESPublicKey(parsing: value, in: try message.range(Field.publicKey))
        let scalar = try Self.scalar(value.extracting(try message.range(Field.keyValue)))
        // The point is computed from the scalar in any case. If another one stands beside it, its author made a mistake or
        // wants us to publish another one's key.
        guard scalar.publicKey == publicKey.point else { throw .publicKeyMismatch }
        self.init(scalar, parameters: publicKey.parameters)
    }

    /// The x coordinate of the point that both keys share, 32 bytes: for protocols that prove who sent a box.
    package func sharedSecret(with theirs: ECIESPublicKey) -> SecretBytes {
        scalar.sharedSecret(with: theirs.point)
    }

    private static func scalar(_ bytes: Span<UInt8>) throws(KeysetError) -> P256.PrivateKey {
        let scalar = try IntegerWidth.read(bytes)
        do { return try P256.PrivateKey(adopting: scalar) } catch { throw .integerOutOfRange }
    }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>, integers: IntegerWidth) {
        output.appendMessage(Field.publicKey) { publicKey.append(to: &$0, integers: integers) }
        scalar.withScalar { integers.append(Field.keyValue, $0, to: &output) }
    }
}

extension ECIESPrivateKey: CustomStringConvertible, CustomReflectable {
    /// A text without the key.
    package var description: String { "ECIESPrivateKey(redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Integers

/// In how many bytes a 32-byte integer of a key is written: the only choice in which implementations of Tink differ.
enum IntegerWidth: CaseIterable, Sendable {
    /// `00` and 32 bytes, as Java 1.13 and Go write. Ours.
    case padded33
    /// 32 bytes, as C++ and Python write.
    case plain32

    /// Appends the integer field `number` of a message.
    func append(_ number: Int, _ integer: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        output.appendMessage(number) { output in
            if self == .padded33 { output.append(0) }
            output.append(integer)
        }
    }

    /// Longer integers are refused unread. Tink writes 33 bytes at most; this is twice as much.
    private static let maximumByteCount = 66

    /// The 32 bytes of an integer that may have leading zeros too many or too few, as old Java's two's complement does.
    ///
    /// It may be a private scalar, so all bytes that must be 0 are looked at, and the code branches only on all of them
    /// together.
    static func read(_ bytes: Span<UInt8>) throws(KeysetError) -> SecretBytes {
        guard bytes.count <= maximumByteCount else { throw .integerOutOfRange }
        let excess = max(0, bytes.count - P256.scalarByteCount)
        let high = (0..<excess).reduce(UInt8(0)) { $0 | bytes[$1] }
        guard high == 0 else { throw .integerOutOfRange }
        return SecretBytes(capacity: P256.scalarByteCount) { output in
            output.append(repeating: 0, count: P256.scalarByteCount - (bytes.count - excess))
            output.append(bytes.extracting(droppingFirst: excess))
        }
    }
}
