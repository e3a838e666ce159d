/// A name, a token or a document within an app's own `Codable` values: one text, which is parsed as strictly where it is decoded as
/// anywhere else.
///
/// A document is its JSON as a text, too, and no nested object: a decoder would hide a name that stands there twice. The error of a text
/// that is refused is the `underlyingError` of a `DecodingError`.
public protocol TextCodable: Codable {
    /// Takes the text's only accepted spelling.
    init(parsing text: some Collection<UInt8>) throws
    /// The exact text, in UTF-8.
    var codedText: [UInt8] { get }
}

extension TextCodable {
    /// Decodes a text, and parses it strictly.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do { self = try Self(parsing: text.utf8) } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "this is not a \(Self.self)",
                    underlyingError: error))
        }
    }

    /// Encodes the exact text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: codedText, as: UTF8.self))
    }
}

/// A JSON document within an app's own `Codable` values, as a text.
public protocol DocumentCodable: TextCodable {
    /// The JSON document.
    var bytes: [UInt8] { get }
}

extension DocumentCodable {
    /// The exact text, in UTF-8.
    public var codedText: [UInt8] { bytes }
}

extension TextCodable where Self: CustomStringConvertible {
    /// The exact text, in UTF-8.
    public var codedText: [UInt8] { Array(description.utf8) }
}

extension Token: TextCodable {}
extension FieldToken: TextCodable {}
extension PublicKeyToken: TextCodable {}
extension Commitment: TextCodable {}
extension X25519PublicKey: TextCodable {}

extension Identifier.Of: TextCodable {
    /// Takes the name in ASCII.
    public init(parsing text: some Collection<UInt8>) throws {
        try self.init(parsing: String(decoding: text, as: UTF8.self))
    }
}

extension AnswerPlace: TextCodable {
    /// Takes the place in ASCII.
    public init(parsing text: some Collection<UInt8>) throws {
        try self.init(parsing: String(decoding: text, as: UTF8.self))
    }

    /// The exact text, in ASCII.
    public var codedText: [UInt8] { Array(text.utf8) }
}

extension CoupleDocument: DocumentCodable {}
extension AnswerDocument: DocumentCodable {}
extension ReleaseKeyDocument: DocumentCodable {}
extension RekeyDocument: DocumentCodable {}
extension DeviceDocument: DocumentCodable {}
extension PairOffer: DocumentCodable {}
extension PairReply: DocumentCodable {}
extension PairGrant: DocumentCodable {}
