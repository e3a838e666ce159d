// Protobuf as Tink's keysets need it, in the form that all implementations of Tink write: fields in the order of the
// calls, minimal varints, and proto3's rule that a default value is not written.

extension OutputSpan where Element == UInt8 {
    /// Appends a uint32 or enum field, unless it is 0.
    package mutating func appendField(_ number: Int, uint32 value: UInt32) {
        guard value != 0 else { return }
        append(leb128: UInt64(number) << 3)
        append(leb128: UInt64(value))
    }

    /// Appends a bytes or string field, unless it is empty.
    package mutating func appendField(_ number: Int, bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        append(leb128: UInt64(number) << 3 | 2)
        append(leb128: UInt64(bytes.count))
        append(bytes)
    }

    /// Appends a bytes or string field, unless it is empty.
    package mutating func appendField(_ number: Int, bytes: [UInt8]) {
        appendField(number, bytes: bytes.span)
    }

    /// Appends a nested message: what `body` appends, with its length in front, even when it is empty.
    package mutating func appendMessage<Failure: Error>(
        _ number: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        append(leb128: UInt64(number) << 3 | 2)
        let start = count
        try body(&self)
        insertLength(of: start..<count)
    }

    /// A message's length is only known after it is written. So the length is appended behind it and then rotated to the
    /// front. This needs no second buffer, which for a key would be one more place to wipe.
    private mutating func insertLength(of message: Range<Int>) {
        let before = count
        append(leb128: UInt64(message.count))
        let lengthByteCount = count - before
        for _ in 0..<lengthByteCount {
            rotateLastByte(to: message.lowerBound)
        }
    }

    /// Moves the last byte to `target`, and those between up by one.
    private mutating func rotateLastByte(to target: Int) {
        var bytes = mutableSpan
        var index = bytes.count - 1
        let last = bytes[index]
        // A reversed range takes three times as long without the optimiser, as in the tests.
        while index > target {
            bytes[index] = bytes[index - 1]
            index -= 1
        }
        bytes[target] = last
    }
}
