internal import CloserSystem
internal import CloserTink

/// What seals or opens the segments at the front of what it is given, and says how many bytes they were.
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
        from input: borrowing Descriptor, to output: inout StreamOutput
    ) throws -> (bytesIn: Int, bytesOut: Int) {
        var (buffer, ready) = (StreamBuffer(segmentByteCount: segmentByteCount), [UInt8]())
        var (bytesIn, isEnd) = (0, false)
        var progress = Progress(total: input.regularByteCount, isWanted: output.allowsProgress)
        defer { progress.erase() }
        while !isFinished {
            isEnd = try !buffer.fill(from: input)
            var moved = 0
            repeat {
                ready.removeAll(keepingCapacity: true)
                try ready.append(addingCapacity: buffer.capacity) { room in
                    moved = try buffer.withRest { try process($0, isEnd: isEnd, into: &room) }
                }
                buffer.drop(moved)
                bytesIn += moved
                try output.write(ready.span)
            } while moved > 0 && !isFinished
            progress.show(bytesIn)
        }
        return (bytesIn, output.byteCount)
    }
}

/// What was read and is not yet processed. Room for a segment and the byte behind it, which says that it is not the last.
struct StreamBuffer {
    /// Small segments go together: a call of the system for each 4 KiB would take longer than the cipher.
    private static let leastByteCount = 1 << 20

    let capacity: Int
    private var bytes: [UInt8] = []
    private var start = 0

    init(segmentByteCount: Int) { capacity = max(segmentByteCount, Self.leastByteCount) + 1 }

    /// Lends what is not yet processed.
    func withRest<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(bytes.span.extracting(droppingFirst: start))
    }

    mutating func drop(_ count: Int) { start += count }

    /// Appends what one read gives, so that a slow pipe's segments do not wait for each other; false at the end.
    mutating func fill(from descriptor: borrowing Descriptor) throws -> Bool {
        bytes.removeSubrange(..<start)
        start = 0
        var isMore = false
        try bytes.append(addingCapacity: capacity - bytes.count) { isMore = try descriptor.read(into: &$0) }
        return isMore
    }
}
