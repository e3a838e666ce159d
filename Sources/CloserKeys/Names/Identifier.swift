/// The name of a couple, a question, a user, a chat, a thread or a device.
///
/// 1 to 128 of ASCII's letters and digits and `. _ - : @ +` (closer-keys-formats(7), NOTATION, Identifiers). Any other
/// character is refused: with a `|` inside, two contexts could look the same (SECURITY.md, W20).
public struct Identifier: Equatable, Hashable, Sendable {
    /// The text is empty, too long, or has a character that is not allowed.
    public struct FormatError: Error, Equatable, Sendable {}

    /// 128 characters.
    public static let maximumCount = 128

    /// The name as it is written.
    public let text: String

    /// Takes `text` as it is; nothing is trimmed or folded.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: String) throws(FormatError) {
        guard (1...Self.maximumCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
        else { throw FormatError() }
        self.text = text
    }

    /// The name in ASCII.
    public var bytes: [UInt8] { Array(text.utf8) }

    /// Whether a character may stand in a name.
    package static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-:@+".utf8.contains(byte)
        }
    }
}
