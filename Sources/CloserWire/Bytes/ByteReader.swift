/// A place in a span of bytes that moves forward, up to the end.
///
/// It does not hold the bytes, since a span cannot be stored: it hands out ranges, and the caller cuts the span with
/// them. ``finish()`` makes sure that nothing is left over.
package struct ByteReader: Sendable {
    /// Why bytes have another layout than they should.
    package enum LayoutError: Error, Equatable, Sendable {
        /// There are fewer than the layout needs.
        case truncated
        /// Behind the last part there are this many more.
        case trailing(Int)
    }

    /// The next byte's index in the span.
    package private(set) var position: Int
    private let end: Int

    /// Reads all of a span of `count` bytes.
    package init(count: Int) {
        (position, end) = (0, count)
    }

    /// Reads one part of a span.
    package init(range: Range<Int>) {
        (position, end) = (range.lowerBound, range.upperBound)
    }

    package var remaining: Int { end - position }

    package var isAtEnd: Bool { position == end }

    /// The next `count` bytes. Throws `.truncated` if fewer are left, as do all that take something.
    package mutating func take(_ count: Int) throws(LayoutError) -> Range<Int> {
        guard count <= remaining else { throw .truncated }
        defer { position += count }
        return position..<position + count
    }

    package mutating func byte(in bytes: Span<UInt8>) throws(LayoutError) -> UInt8 {
        bytes[try take(1).lowerBound]
    }

    /// The next four bytes, big-endian.
    package mutating func uint32(in bytes: Span<UInt8>) throws(LayoutError) -> UInt32 {
        UInt32(bigEndian: bytes.extracting(try take(4)))
    }

    /// The next item of `LP(items)`: the bytes that stand behind their count (closer-keys-formats(7), NOTATION).
    package mutating func item(in bytes: Span<UInt8>) throws(LayoutError) -> Range<Int> {
        try take(Int(clamping: try uint32(in: bytes)))
    }

    package mutating func rest() -> Range<Int> {
        defer { position = end }
        return position..<end
    }

    /// Throws `.trailing` unless every byte was read.
    package func finish() throws(LayoutError) {
        guard isAtEnd else { throw .trailing(remaining) }
    }
}

extension UInt32 {
    /// The number that four bytes write, big-endian; any other count is a mistake of the caller.
    package init(bigEndian bytes: Span<UInt8>) {
        precondition(bytes.count == 4, "a UInt32 has 4 bytes")
        self = UInt32(truncatingIfNeeded: UInt64(bigEndianDigits: bytes))
    }

    package init(bigEndian bytes: [UInt8]) { self.init(bigEndian: bytes.span) }
    package init(bigEndian bytes: ArraySlice<UInt8>) { self.init(bigEndian: bytes.span) }
}

extension UInt64 {
    /// The number that eight bytes write, big-endian; any other count is a mistake of the caller.
    package init(bigEndian bytes: Span<UInt8>) {
        precondition(bytes.count == 8, "a UInt64 has 8 bytes")
        self.init(bigEndianDigits: bytes)
    }

    package init(bigEndian bytes: [UInt8]) { self.init(bigEndian: bytes.span) }
    package init(bigEndian bytes: ArraySlice<UInt8>) { self.init(bigEndian: bytes.span) }

    /// The number that at most eight bytes write, big-endian: for the odd widths of some formats.
    package init(bigEndianDigits bytes: Span<UInt8>) {
        precondition(bytes.count <= 8, "a UInt64 has at most 8 bytes")
        self = 0
        for index in bytes.indices { self = self << 8 | UInt64(bytes[index]) }
    }
}
