internal import CloserWire

/// Seals or opens the segments at the front of its input, and returns how many bytes of the input they took.
package protocol StreamStage: ~Copyable {
    associatedtype Failure: Error

    var segmentByteCount: Int { get }
    var isFinished: Bool { get }

    mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(Failure) -> Int
}

extension StreamSealer: StreamStage {
    package mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(StreamingAEAD.SealError) -> Int {
        try seal(input, isEnd: isEnd, into: &output)
    }
}

extension StreamOpener: StreamStage {
    package mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int {
        try open(input, isEnd: isEnd, into: &output)
    }
}

extension StreamStage where Self: ~Copyable {
    /// Moves all that `read` gives to `write`, through two buffers of constant size. Returns how many bytes came in.
    ///
    /// `read` appends what there is, at most the free room, and gives false at the end. `tell` is told now and then how many bytes
    /// were processed.
    package mutating func move(
        from read: (inout OutputSpan<UInt8>) throws -> Bool, to write: (Span<UInt8>) throws -> Void,
        telling tell: (Int) -> Void = { _ in }
    ) throws -> Int {
        var (buffer, ready) = (StreamBuffer(segmentByteCount: segmentByteCount), [UInt8]())
        while !isFinished {
            let isEnd = try !buffer.fill(read)
            while try process(&buffer, isEnd: isEnd, into: &ready) { try write(ready.span) }
            tell(buffer.droppedByteCount)
        }
        return buffer.droppedByteCount
    }

    /// Replaces `ready` with the output for as much of the buffer as is complete; false if there is none.
    package mutating func process(
        _ buffer: inout StreamBuffer, isEnd: Bool, into ready: inout [UInt8]
    ) throws(Failure) -> Bool {
        ready.removeAll(keepingCapacity: true)
        guard !isFinished else { return false }
        var count = 0
        try ready.append(addingCapacity: buffer.capacity) { (room) throws(Failure) in
            count = try buffer.withRest { (rest) throws(Failure) in
                try process(rest, isEnd: isEnd, into: &room)
            }
        }
        buffer.drop(count)
        return !ready.isEmpty
    }
}

/// Bytes that were read and are to be processed.
///
/// It has room for a segment and one more byte: a byte behind a segment proves that the segment is not the last.
package struct StreamBuffer {
    /// Small segments are read together: one system call for every 4 KiB would take longer than the cipher.
    private static let leastByteCount = 1 << 20

    let capacity: Int
    private var bytes: [UInt8] = []
    private var start = 0
    package private(set) var droppedByteCount = 0

    package init(segmentByteCount: Int) { capacity = max(segmentByteCount, Self.leastByteCount) + 1 }

    /// Lends the bytes that are to be processed.
    func withRest<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes.span.extracting(droppingFirst: start))
    }

    mutating func drop(_ count: Int) {
        start += count
        droppedByteCount += count
    }

    /// Appends the result of one read, so that no segment of a slow pipe waits for the next one; false at the end.
    mutating func fill(_ read: (inout OutputSpan<UInt8>) throws -> Bool) throws -> Bool {
        forgetProcessed()
        var isMore = false
        try bytes.append(addingCapacity: capacity - bytes.count) { isMore = try read(&$0) }
        return isMore
    }

    mutating func append(_ chunk: some Collection<UInt8>) {
        forgetProcessed()
        bytes += chunk
    }

    private mutating func forgetProcessed() {
        bytes.removeSubrange(..<start)
        start = 0
    }
}
