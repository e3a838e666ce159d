internal import CloserPrimitives
internal import CloserWire

/// How an ECIES key encrypts, `EciesAeadHkdfParams`. The curve is always P-256 and the KDF HKDF-SHA256.
///
/// The default is Tink's template `ECIES_P256_HKDF_HMAC_SHA256_AES128_GCM`.
public struct ECIESParameters: Equatable, Sendable {
    /// The cipher inside: the data encapsulation mechanism.
    public enum DEM: Equatable, Sendable {
        /// AES-128-GCM, as in Tink's template.
        case aes128GCM
        /// AES-256-GCM.
        case aes256GCM

        var keyByteCount: Int { self == .aes128GCM ? 16 : 32 }
    }

    /// How the ephemeral point is written (SEC 1 §2.3.3).
    public enum PointFormat: Equatable, Sendable {
        /// `04 ‖ X ‖ Y`, 65 bytes.
        case uncompressed
        /// `02` or `03`, then X: 33 bytes.
        case compressed

        var encoding: P256.PointFormat { self == .uncompressed ? .uncompressed : .compressed }
    }

    /// How the point of a box is written.
    public var pointFormat: PointFormat
    /// The cipher inside.
    public var dem: DEM
    /// HKDF's salt; empty by default.
    public var salt: [UInt8]
    /// The prefix that the key names for the DEM. It is ignored, as Tink ignores it: the inner ciphertext has none. It is
    /// kept so that a keyset is written as it was read.
    var demPrefix: OutputPrefix = .tink

    /// A salt has at most 1024 bytes. That is far more than SHA-256 can use, and bounds what a stranger's key costs.
    public static let maximumSaltByteCount = 1024

    /// A salt above ``maximumSaltByteCount`` is a mistake of the caller and stops the process.
    public init(pointFormat: PointFormat = .uncompressed, dem: DEM = .aes128GCM, salt: [UInt8] = []) {
        precondition(salt.count <= Self.maximumSaltByteCount, "a salt has at most 1024 bytes")
        (self.pointFormat, self.dem, self.salt) = (pointFormat, dem, salt)
    }
}

// MARK: - Protobuf

extension ECIESParameters {
    private enum Field { static let (kem, dem, pointFormat) = (1, 2, 3) }
    private enum KEMField { static let (curve, hash, salt) = (1, 2, 11) }
    private enum DEMField { static let template = 2 }
    private enum TemplateField { static let (typeURL, value, prefix) = (1, 2, 3) }
    private enum FormatField { static let (keySize, version) = (2, 3) }
    private enum Number {
        static let (p256, sha256, uncompressed, compressed) = (
            2 as UInt32, 3 as UInt32, 1 as UInt32, 2 as UInt32
        )
    }

    init(parsing bytes: Span<UInt8>, in range: Range<Int>) throws(KeysetError) {
        let message = try ProtoMessage.parsing(bytes, in: range)
        let kem = try message.message(Field.kem, in: bytes)
        guard try kem.number(KEMField.curve) == Number.p256, try kem.number(KEMField.hash) == Number.sha256
        else { throw .unsupportedParameters }
        let salt = try kem.range(KEMField.salt)
        guard salt.count <= Self.maximumSaltByteCount else {
            throw .tooLarge(maximumByteCount: Self.maximumSaltByteCount)
        }
        let template = try message.message(Field.dem, in: bytes).message(DEMField.template, in: bytes)
        self.init(
            pointFormat: try Self.pointFormat(try message.number(Field.pointFormat)),
            dem: try Self.dem(template, in: bytes),
            salt: Array(copying: bytes.extracting(salt)))
        demPrefix = try OutputPrefix(parsing: try template.number(TemplateField.prefix))
    }

    /// Appends the protobuf message.
    func append(to output: inout OutputSpan<UInt8>) {
        output.appendMessage(Field.kem) { kem in
            kem.appendField(KEMField.curve, uint32: Number.p256)
            kem.appendField(KEMField.hash, uint32: Number.sha256)
            kem.appendField(KEMField.salt, bytes: salt)
        }
        output.appendMessage(Field.dem) { output in
            output.appendMessage(DEMField.template) { template in
                template.appendField(TemplateField.typeURL, bytes: Array(AESGCMKey.typeURL.utf8))
                template.appendMessage(TemplateField.value) {
                    $0.appendField(FormatField.keySize, uint32: UInt32(dem.keyByteCount))
                }
                template.appendField(TemplateField.prefix, uint32: demPrefix.rawValue)
            }
        }
        let format = pointFormat == .uncompressed ? Number.uncompressed : Number.compressed
        output.appendField(Field.pointFormat, uint32: format)
    }

    private static func pointFormat(_ number: UInt32) throws(KeysetError) -> PointFormat {
        switch number {
        case Number.uncompressed: .uncompressed
        case Number.compressed: .compressed
        default: throw .unsupportedParameters
        }
    }

    private static func dem(_ template: ProtoMessage, in bytes: Span<UInt8>) throws(KeysetError) -> DEM {
        guard
            WireText(bytes.extracting(try template.range(TemplateField.typeURL)))
                == WireText(AESGCMKey.typeURL)
        else { throw .unsupportedParameters }
        let format = try template.message(TemplateField.value, in: bytes)
        try format.requireVersion0(FormatField.version)
        switch try format.number(FormatField.keySize) {
        case 16: return .aes128GCM
        case 32: return .aes256GCM
        default: throw .unsupportedParameters
        }
    }
}

extension OutputPrefix {
    init(parsing number: UInt32) throws(KeysetError) {
        guard let prefix = OutputPrefix(rawValue: number) else { throw .unknownPrefix(number) }
        self = prefix
    }
}
