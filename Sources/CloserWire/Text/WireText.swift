/// A text from outside, compared byte by byte.
///
/// `String ==` compares what two texts mean to a reader: it takes U+212A, the Kelvin sign, for a K, and two encodings of an
/// accent for the same. Names and values of a format have one spelling. A reader that accepts another one disagrees with every
/// other implementation about what a document says.
package struct WireText: Equatable, Hashable, Sendable {
    /// In UTF-8.
    package let bytes: [UInt8]

    /// Takes a text that was parsed, or one of ours to compare it with.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Takes the bytes as they stand in a message.
    package init(_ bytes: Span<UInt8>) { self.bytes = Array(copying: bytes) }
}

extension String {
    /// The text of these bytes; nil unless they are UTF-8. Most are ASCII, which is seen at once.
    package init?(utf8 bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        // What is not UTF-8 was replaced by U+FFFD. `init(validating:as:)`, which says so, is of iOS 18 and macOS 15.
        guard bytes.allSatisfy({ $0 < 0x80 }) || utf8.elementsEqual(bytes) else { return nil }
    }

    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
