internal import CloserFiles
internal import CloserWire

/// The lines of an input one by one, in memory that does not grow with it.
struct LineReader: ~Copyable {
    /// The longest line that is accepted: 2 MiB.
    static let maximumByteCount = 2 << 20
    private static let chunkByteCount = 64 * 1024

    private let descriptor: Descriptor
    private var chunk: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    enum Line {
        case bytes([UInt8])
        /// More than ``maximumByteCount``; the rest of the line is skipped.
        case tooLong
    }

    /// The next line without its LF or CRLF; nil at the end. `beforeWaiting` runs whenever more must be read.
    mutating func next(beforeWaiting: () throws -> Void) throws -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if position == chunk.count {
                guard try refill(beforeWaiting) else {
                    return line.isEmpty && !isTooLong ? nil : finished(line, isTooLong)
                }
            }
            let rest = chunk[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            if !isTooLong { line += rest[..<(end ?? rest.endIndex)] }
            position = end.map { $0 + 1 } ?? chunk.count
            if line.count > Self.maximumByteCount { (line, isTooLong) = ([], true) }
            if end != nil { return finished(line, isTooLong) }
        }
    }

    private func finished(_ line: [UInt8], _ isTooLong: Bool) -> Line {
        guard !isTooLong else { return .tooLong }
        return .bytes(line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line)
    }

    private mutating func refill(_ beforeWaiting: () throws -> Void) throws -> Bool {
        guard !isAtEnd else { return false }
        try beforeWaiting()
        var (next, hasMore): ([UInt8], Bool) = ([], false)
        try next.append(addingCapacity: Self.chunkByteCount) { hasMore = try descriptor.read(into: &$0) }
        (chunk, position, isAtEnd) = (next, 0, !hasMore)
        return hasMore
    }
}

/// The lines of an output, written together: at the latest when reading the next line of the input could wait.
struct LineWriter: ~Copyable {
    private static let bufferByteCount = 64 * 1024
    private var buffer: [UInt8] = []
    private var sink: Sink

    init(_ sink: consuming Sink) { self.sink = sink }

    mutating func append(_ line: [UInt8]) throws {
        // Members that only pass through may hold characters that steer a terminal.
        buffer += sink.isTerminal ? JSONValue.printable(line) : line
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    mutating func flush() throws {
        try sink.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes the last lines; a file appears only now.
    consuming func finish() throws {
        try flush()
        try sink.finish()
    }
}
