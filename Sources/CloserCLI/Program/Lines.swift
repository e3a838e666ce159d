internal import CloserFiles
internal import CloserSystem
internal import CloserWire

/// Some lines of an input that follow each other, as they were read together.
struct LineBlock {
    /// The lines, and between them what separates them.
    fileprivate(set) var bytes: [UInt8] = []
    fileprivate(set) var lines: [Line] = []
    /// How many lines the input has before these.
    fileprivate(set) var lineCountBefore = 0
    /// Whether as much was read as is read at once: there is probably more.
    fileprivate(set) var isFull = false

    enum Line {
        /// Up to its LF or CRLF.
        case bytes(Range<Int>)
        /// More than ``LineReader/maximumByteCount``; its bytes are dropped.
        case tooLong
    }

    /// Refuses an input in another form than lines, with one error in place of one for each line. These are its first lines.
    func refuseOtherForms() throws {
        guard case .bytes(let range)? = lines.first else { return }
        let line = bytes[Inputs.textRange(of: bytes.span, in: range)]
        if line.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw CLIError(
                .malformed, "the input begins with a byte order mark",
                hint: "leave out its first three bytes: tail -c +4")
        }
        if [[0xFF, 0xFE], [0xFE, 0xFF]].contains(where: line.starts) {
            throw CLIError(
                .malformed, "the input is UTF-16, which begins with a byte order mark",
                hint: "make UTF-8 of it: iconv -f UTF-16 -t UTF-8")
        }
        if line.first == UInt8(ascii: "[") {
            throw CLIError(
                .malformed, "the input is a JSON array instead of an object on each line",
                hint: "make lines of it: jq -c '.[]'")
        }
        if line.elementsEqual("{".utf8) {
            throw CLIError(
                .malformed, "the input is JSON over several lines instead of an object on each line",
                hint: "make lines of it: jq -c .")
        }
    }
}

/// The lines of an input block by block, in bounded memory.
struct LineReader: ~Copyable, Sendable {
    /// The longest line that is accepted: 2 MiB.
    static let maximumByteCount = 2 << 20
    private static let blockByteCount = 64 * 1024

    private let descriptor: Descriptor
    /// The beginning of a line whose end is yet to be read.
    private var begun: [UInt8] = []
    /// Whether that beginning was too long already, and was dropped.
    private var isSkipping = false
    private var lineCount = 0
    private var isAtEnd = false

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Fills `block` with the lines that can be read now, and waits for at least one. Its memory is used again. False at the end.
    mutating func read(into block: inout LineBlock) throws -> Bool {
        block.bytes.removeAll(keepingCapacity: true)
        block.lines.removeAll(keepingCapacity: true)
        block.lineCountBefore = lineCount
        block.bytes += begun
        begun.removeAll(keepingCapacity: true)
        while block.lines.isEmpty {
            let searched = block.bytes.count
            guard try readMore(&block) else { return finish(&block) }
            split(&block, from: searched)
        }
        lineCount += block.lines.count
        return true
    }

    private mutating func readMore(_ block: inout LineBlock) throws -> Bool {
        guard !isAtEnd else { return false }
        var hasMore = false
        let before = block.bytes.count
        try block.bytes.append(addingCapacity: Self.blockByteCount) {
            hasMore = try descriptor.read(into: &$0)
        }
        block.isFull = block.bytes.count - before >= Self.blockByteCount / 2
        isAtEnd = !hasMore
        return hasMore
    }

    /// Finds the lines that are whole by now, and keeps back what follows the last of them.
    private mutating func split(_ block: inout LineBlock, from searched: Int) {
        var (start, search) = (0, searched)
        while let end = block.bytes.span.newline(from: search) {
            block.lines.append(line(block.bytes, start..<end))
            (start, search) = (end + 1, end + 1)
            isSkipping = false
        }
        guard start > 0 || isSkipping || block.bytes.count > Self.maximumByteCount else { return }
        isSkipping = isSkipping || block.bytes.count - start > Self.maximumByteCount
        if !isSkipping { begun += block.bytes[start...] }
        block.bytes.removeLast(block.bytes.count - start)
    }

    private func line(_ bytes: [UInt8], _ range: Range<Int>) -> LineBlock.Line {
        guard !isSkipping, range.count <= Self.maximumByteCount else { return .tooLong }
        let hasReturn = !range.isEmpty && bytes[range.upperBound - 1] == UInt8(ascii: "\r")
        return .bytes(hasReturn ? range.dropLast() : range)
    }

    /// The LF of the last line is optional.
    private mutating func finish(_ block: inout LineBlock) -> Bool {
        guard isSkipping || !block.bytes.isEmpty else { return false }
        block.lines.append(line(block.bytes, 0..<block.bytes.count))
        isSkipping = false
        lineCount += 1
        return true
    }
}

struct LineWriter: ~Copyable, Sendable {
    private var output: Output

    init(_ output: consuming Output) { self.output = output }

    var allowsProgress: Bool { output.allowsProgress }

    /// Writes whole lines, each with its LF. A signal that ends the run waits for them.
    mutating func write(_ lines: [UInt8]) throws {
        // Members that only pass through may hold characters that steer a terminal.
        let bytes = output.isTerminal ? JSONValue.printable(lines) : lines
        try ProcessEnd.waiting { () throws in try output.write(bytes) }
    }

    /// A file appears only now.
    consuming func finish() throws { try output.finish() }
}
