internal import CloserFiles
internal import CloserTink

/// Seals or opens the segments at the front of its input, and returns how many bytes of the input they took.
protocol StreamStage: ~Copyable {
    var segmentByteCount: Int { get }
    var isFinished: Bool { get }

    mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws -> Int
}

extension StreamSealer: StreamStage {
    mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws -> Int {
        try seal(input, isEnd: isEnd, into: &output)
    }
}

extension StreamOpener: StreamStage {
    mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws -> Int {
        try open(input, isEnd: isEnd, into: &output)
    }
}

extension StreamStage where Self: ~Copyable {
    /// Moves all of `input` to `output` through two buffers that never grow.
    mutating func move(
        from input: borrowing Descriptor, to output: inout Sink
    ) throws -> (bytesIn: Int, bytesOut: Int) {
        var (buffer, ready) = (StreamBuffer(segmentByteCount: segmentByteCount), [UInt8]())
        var progress = Progress(total: input.regularByteCount, isWanted: output.allowsProgress)
        defer { progress.erase() }
        while !isFinished {
            let isEnd = try !buffer.fill(from: input)
            while try process(&buffer, isEnd: isEnd, into: &ready) { try output.write(ready.span) }
            progress.show(buffer.droppedByteCount)
        }
        return (buffer.droppedByteCount, output.byteCount)
    }

    /// Replaces `ready` with the output for as much of the buffer as is complete; false if there is none.
    private mutating func process(
        _ buffer: inout StreamBuffer, isEnd: Bool, into ready: inout [UInt8]
    ) throws -> Bool {
        ready.removeAll(keepingCapacity: true)
        guard !isFinished else { return false }
        var count = 0
        try ready.append(addingCapacity: buffer.capacity) { room in
            count = try buffer.withRest { try process($0, isEnd: isEnd, into: &room) }
        }
        buffer.drop(count)
        return !ready.isEmpty
    }
}

/// Bytes that were read but not yet processed.
///
/// It has room for a segment and one more byte: a byte behind a segment proves that the segment is not the last.
struct StreamBuffer {
    /// Small segments are read together: one system call for every 4 KiB would take longer than the cipher.
    private static let leastByteCount = 1 << 20

    let capacity: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private(set) var droppedByteCount = 0

    init(segmentByteCount: Int) { capacity = max(segmentByteCount, Self.leastByteCount) + 1 }

    /// Lends the bytes that are not yet processed.
    func withRest<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(bytes.span.extracting(droppingFirst: start))
    }

    mutating func drop(_ count: Int) {
        start += count
        droppedByteCount += count
    }

    /// Appends the result of one read, so that no segment of a slow pipe waits for the next one; false at the end.
    mutating func fill(from descriptor: borrowing Descriptor) throws -> Bool {
        bytes.removeSubrange(..<start)
        start = 0
        var isMore = false
        try bytes.append(addingCapacity: capacity - bytes.count) { isMore = try descriptor.read(into: &$0) }
        return isMore
    }
}
