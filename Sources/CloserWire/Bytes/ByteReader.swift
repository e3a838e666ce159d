/// A place in a span of bytes that moves forward and never past the end.
///
/// It hands out ranges; the caller cuts the span with them. ``finish()`` says that nothing is left over.
public struct ByteReader: Sendable {
    /// Why bytes did not have the layout they should.
    public enum LayoutError: Error, Equatable, Sendable {
        /// They end too early.
        case truncated
        /// This many are left over.
        case trailing(Int)
    }

    /// The next byte's index in the span.
    public private(set) var position: Int
    private let end: Int

    /// Reads all of a span of `count` bytes.
    public init(count: Int) {
        (position, end) = (0, count)
    }

    /// Reads one part of a span.
    public init(range: Range<Int>) {
        (position, end) = (range.lowerBound, range.upperBound)
    }

    /// How many bytes are left.
    public var remaining: Int { end - position }

    /// Whether nothing is left.
    public var isAtEnd: Bool { position == end }

    /// The next `count` bytes.
    public mutating func take(_ count: Int) throws(LayoutError) -> Range<Int> {
        guard count <= remaining else { throw .truncated }
        defer { position += count }
        return position..<position + count
    }

    /// The next byte.
    public mutating func byte(in bytes: Span<UInt8>) throws(LayoutError) -> UInt8 {
        bytes[try take(1).lowerBound]
    }

    /// The next four bytes, big-endian.
    public mutating func uint32(in bytes: Span<UInt8>) throws(LayoutError) -> UInt32 {
        var value: UInt32 = 0
        for index in try take(4) { value = value << 8 | UInt32(bytes[index]) }
        return value
    }

    /// The next item of `LP(items)` (formats §1): what stands behind its byte count as u32be.
    public mutating func item(in bytes: Span<UInt8>) throws(LayoutError) -> Range<Int> {
        try take(Int(try uint32(in: bytes)))
    }

    /// All that is left.
    public mutating func rest() -> Range<Int> {
        defer { position = end }
        return position..<end
    }

    /// Throws unless every byte was read.
    public func finish() throws(LayoutError) {
        guard isAtEnd else { throw .trailing(remaining) }
    }
}
