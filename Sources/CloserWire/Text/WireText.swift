/// A text of somebody else's, compared byte by byte.
///
/// `String ==` compares what two texts mean to a reader: it takes U+212A, the Kelvin sign, for a K, and two encodings of an
/// accent for the same. Names and values of a format have one spelling. Whoever accepts another one disagrees with every
/// other implementation about what a document says.
package struct WireText: Equatable, Hashable, Sendable {
    /// In UTF-8.
    package let bytes: [UInt8]

    /// Takes a text that was parsed, or one of ours to compare it with.
    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Takes the bytes as they stand in a message.
    package init(_ bytes: Span<UInt8>) { self.bytes = Array(copying: bytes) }
}
