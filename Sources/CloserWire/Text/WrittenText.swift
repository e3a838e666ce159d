// Secrets that somebody else chose and that a person writes down: looked at without a copy of them.

extension Span<UInt8> {
    /// Whether a person can copy it from a screen by hand: it is UTF-8, and has no control characters, line breaks or
    /// invisible characters.
    package var isWritable: Bool {
        var index = 0
        while index < count {
            guard let (scalar, byteCount) = scalar(at: index), scalar.isSeen else { return false }
            index += byteCount
        }
        return true
    }

    private func scalar(at index: Int) -> (Unicode.Scalar, byteCount: Int)? {
        var next = FewBytes(self, from: index)
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &next) else { return nil }
        return (Unicode.UTF8.decode(encoded), encoded.count)
    }
}

/// As many bytes as a character of UTF-8 can have.
private struct FewBytes: IteratorProtocol {
    private var bytes: UInt32 = 0
    private var count: Int

    init(_ span: Span<UInt8>, from start: Int) {
        count = Swift.min(4, span.count - start)
        for offset in 0..<count { bytes |= UInt32(span[start + offset]) << (8 * offset) }
    }

    mutating func next() -> UInt8? {
        guard count > 0 else { return nil }
        defer { (bytes, count) = (bytes >> 8, count - 1) }
        return UInt8(truncatingIfNeeded: bytes)
    }
}

extension Unicode.Scalar {
    /// Whether a reader sees it, or the space that it makes.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
            false
        default: true
        }
    }
}
