package import CloserWire

/// Where the app keeps a field, such as `users/alice/encryptedStatus`: 1 to 512 characters of printable ASCII, 0x20 to 0x7e.
///
/// A field that is sealed for a place opens at that place alone, so a server that swaps two fields is noticed
/// (docs/threat-model.md#w11). The token does not contain the place: the reader takes it from where the token was found.
///
/// - Important: The server can still show an older value of the same place.
public struct FieldPlace: Equatable, Hashable, Sendable {
    /// The place in ASCII.
    public let bytes: [UInt8]

    /// 512 characters.
    public static let maximumCount = 512

    /// The text is empty, too long, or has another character. Letters that two phones may spell in two ways are refused.
    public struct FormatError: Error, Equatable, Sendable {}

    /// Takes ASCII as it is.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: some Collection<UInt8>) throws(FormatError) {
        let bytes = Array(text.prefix(Self.maximumCount + 1))
        guard (1...Self.maximumCount).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7e).contains($0) })
        else {
            throw FormatError()
        }
        self.bytes = bytes
    }

    /// Takes `text` as it is.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: String) throws(FormatError) { try self.init(parsing: text.utf8) }
}

extension FieldPlace: CustomStringConvertible {
    /// The place as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension FieldPlace.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(
            .malformed, "a field's place has 1 to \(FieldPlace.maximumCount) printable characters of ASCII")
    }
}

// MARK: - Binding

extension FieldPlace {
    /// What the ciphertext of a field is tied to: the couple's id in ASCII, and the place if there is one (closer-keys-formats(7), FIELDS).
    package static func associatedData(of couple: [UInt8], at place: FieldPlace?) -> [UInt8] {
        place.map { [UInt8](lengthPrefixed: [name, couple, $0.bytes]) } ?? couple
    }

    private static let name = Array("closer-keys/v2/field".utf8)
}
