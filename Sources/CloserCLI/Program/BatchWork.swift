internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Does something to each line of an input, in as many threads as are allowed, and writes the results in the order of the lines.
///
/// Each thread reads a block of lines and makes the results. The thread that has the next block in order writes it, and those
/// after it that are ready. A thread that is far ahead waits for the others, which bounds the memory. A line that comes alone is
/// answered before the program waits for the next one.
///
/// A thread draws nonces for one block, and wipes the rest before it waits for the next block. So a machine that is copied or put
/// back seals the lines of that block as before, and finds no nonce for others.
final class BatchWork: Sendable {
    /// What happens to a line: its results, or an error. Each thread has one of its own.
    typealias Body = (borrowing BatchLine, inout JSONMembers) throws -> Void

    private let shape: BatchShape
    private let makeBody: @Sendable (_ nonces: Randomness) -> Body
    /// Asked once the lines of a block are there.
    private let generation: @Sendable () throws -> Int
    /// Runs what makes the results of a block. If that throws, they are not written, and the work ends: it is given to a single thread alone.
    private let together: @Sendable (_ lines: () -> Void) throws -> Void
    private let jobs: Int
    /// For each thread: enough for one to go on while another one has to wait for a processor.
    private static let blocksAhead = 4
    private let input: Monitor<Input>
    private let output: Monitor<Results>

    private struct Input: ~Copyable, Sendable {
        var lines: LineReader
        var blockCount = 0
        var error: (any Error)?
        var isAtEnd = false
    }

    private struct Results: ~Copyable, Sendable {
        var lines: LineWriter?
        private(set) var lineCount = 0
        private(set) var failureCount = 0
        /// With so many lines that failed it is enough.
        private let maximumFailureCount: Int
        var progress: Progress
        private var writtenCount = 0
        /// The results of blocks that wait for those before them, each at its number modulo their count.
        private var ready: [BlockResults?]
        /// Memory to be used once more.
        private var spares: [BlockResults] = []

        init(_ lines: consuming LineWriter, blockCount: Int, maximumFailureCount: Int) {
            progress = Progress(of: .lines, isWanted: lines.allowsProgress)
            self.lines = consume lines
            self.maximumFailureCount = maximumFailureCount
            ready = Array(repeating: nil, count: blockCount)
        }

        func hasRoom(for number: Int) -> Bool { number < writtenCount + ready.count }

        /// Takes the results of a block, and gives other memory for them.
        mutating func take(_ number: Int, _ results: inout BlockResults) throws {
            ready[number % ready.count] = results
            results = spares.popLast() ?? BlockResults()
            while let next = ready[writtenCount % ready.count].take() {
                writtenCount += 1
                do { try write(next) } catch {
                    progress.erase()
                    throw error
                }
                spares.append(next)
            }
        }

        private mutating func write(_ block: BlockResults) throws {
            let allowedCount = maximumFailureCount - failureCount
            lineCount += block.lineCount
            failureCount += block.failures.count
            guard block.failures.count >= allowedCount else {
                try lines?.write(block.bytes)
                return progress.show(lineCount)
            }
            let last = block.failures[allowedCount - 1]
            try lines?.write(Array(block.bytes[..<last.end]))
            throw CLIError(.partial, "stopped at line \(last.line), as --max-errors says")
        }

        mutating func finish() throws {
            progress.erase()
            let lines = lines.take()
            try lines?.finish()
        }
    }

    init(
        _ lines: consuming LineReader, _ results: consuming LineWriter, _ shape: BatchShape, jobs: Int,
        maximumFailureCount: Int,
        generation: @escaping @Sendable () throws -> Int,
        _ makeBody: @escaping @Sendable (_ nonces: Randomness) -> Body,
        together: @escaping @Sendable (_ lines: () -> Void) throws -> Void
    ) {
        self.together = together
        (self.shape, self.generation, self.makeBody, self.jobs) = (shape, generation, makeBody, jobs)
        (input, output) = (
            Monitor(Input(lines: lines)),
            Monitor(
                Results(
                    results, blockCount: jobs * Self.blocksAhead, maximumFailureCount: maximumFailureCount))
        )
    }

    /// Works until the input ends. Gives how many lines there were, and how many of them failed.
    func run() throws -> (lineCount: Int, failureCount: Int) {
        var threads = WorkerThreads()
        try work { block in
            // One thread is enough for a few lines, or for one at a time.
            if block.isFull, threads.isEmpty {
                threads.start(jobs - 1) { [self] in try? work { _ in false } }
            }
            return threads.isEmpty
        }
        threads.join()
        if let error = input.now({ $0.error }) {
            output.now { $0.progress.erase() }
            throw error
        }
        return try finish()
    }

    private func finish() throws -> (lineCount: Int, failureCount: Int) {
        try output.now { output in
            try output.finish()
            return (output.lineCount, output.failureCount)
        }
    }

    /// Takes blocks to the end of the input. `begin` comes before each, and says whether this is the only thread.
    private func work(_ begin: (LineBlock) -> Bool) throws {
        var worker = BatchWorker(shape, makeBody)
        while let (number, generation) = nextBlock(&worker.block) {
            let isAlone = begin(worker.block)
            worker.keepUp(with: generation, makeBody)
            do { try together { worker.makeResults() } } catch {
                output.now { $0.progress.erase() }
                throw error
            }
            try output.when({ $0.hasRoom(for: number) }) { output in
                do { try output.take(number, &worker.results) } catch {
                    // Another thread may be blocked in a read.
                    guard isAlone else { Exit.end(because: error) }
                    throw error
                }
            }
        }
    }

    /// The number of the next block, and which body it needs; nil at the end.
    private func nextBlock(_ block: inout LineBlock) -> (number: Int, generation: Int)? {
        input.now { input in
            guard !input.isAtEnd else { return nil }
            do {
                input.isAtEnd = try !input.lines.read(into: &block)
                guard !input.isAtEnd else { return nil }
                if input.blockCount == 0 { try block.refuseOtherForms() }
                let generation = try generation()
                defer { input.blockCount += 1 }
                return (input.blockCount, generation)
            } catch {
                (input.isAtEnd, input.error) = (true, error)
                return nil
            }
        }
    }
}

/// What the lines of a block became.
private struct BlockResults {
    var bytes: [UInt8] = []
    private(set) var lineCount = 0
    /// The number of each line that failed, and where its result ends.
    private(set) var failures: [(line: Int, end: Int)] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        failures.removeAll(keepingCapacity: true)
        lineCount = 0
    }

    mutating func end(_ line: Int, hasFailed: Bool) {
        bytes.append(UInt8(ascii: "\n"))
        lineCount += 1
        if hasFailed { failures.append((line, bytes.count)) }
    }
}

/// What one thread needs for its lines, allocated once.
private struct BatchWorker: ~Copyable {
    var block = LineBlock()
    var results = BlockResults()
    private var line: BatchLine
    private var members = JSONMembers()
    private let nonces = Randomness.pooledForNonces()
    private var body: BatchWork.Body
    private var generation = 0

    init(_ shape: BatchShape, _ makeBody: (Randomness) -> BatchWork.Body) {
        line = BatchLine(shape)
        body = makeBody(nonces)
    }

    /// Takes another body when the number changes.
    mutating func keepUp(with newest: Int, _ makeBody: (Randomness) -> BatchWork.Body) {
        guard newest != generation else { return }
        (generation, body) = (newest, makeBody(nonces))
    }

    mutating func makeResults() {
        results.removeAll()
        for (index, line) in block.lines.enumerated() {
            let number = block.lineCountBefore + index + 1
            results.end(number, hasFailed: !makeResult(of: line, number: number))
        }
        line.forget()
        nonces.wipePool()
    }

    /// False if the line failed, now or before.
    private mutating func makeResult(of bytes: LineBlock.Line, number: Int) -> Bool {
        members.removeAll()
        do {
            guard case .bytes(let range) = bytes else {
                line.forget()
                throw CLIError(.limit, "a line has at most \(LineReader.maximumByteCount) bytes")
            }
            try line.read(range, of: block.bytes)
            guard !line.hasFailedBefore else {
                results.bytes += block.bytes[range]
                return false
            }
            try line.refuseResults()
            try body(line, &members)
            line.append(to: &results.bytes, with: members)
            return true
        } catch {
            fail(error, number)
            return false
        }
    }

    private mutating func fail(_ error: any Error, _ number: Int) {
        members.removeAll()
        members.append([.init("line", .number(Double(number))), .init("error", CLIError(error).json)])
        line.appendFailed(to: &results.bytes, with: members)
    }
}
