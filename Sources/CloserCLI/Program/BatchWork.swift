#if CommandLine
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Does something to each line of an input, in as many threads as are allowed, and writes the results in the order of the lines.
///
/// Each thread reads a block of lines and makes the results. Whichever thread has the next block in order writes it, and those
/// after it that are ready. A thread that is far ahead waits for the others, so memory does not grow. A line that comes alone is
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
        var lineCount = 0
        var failureCount = 0
        private var writtenCount = 0
        /// The results of blocks that wait for those before them, each at its number modulo their count.
        private var ready: [[UInt8]?]
        /// Memory to be used once more.
        private var spares: [[UInt8]] = []

        init(_ lines: consuming LineWriter, blockCount: Int) {
            self.lines = consume lines
            ready = Array(repeating: nil, count: blockCount)
        }

        func hasRoom(for number: Int) -> Bool { number < writtenCount + ready.count }

        /// Takes the results of a block, and gives other memory for them.
        mutating func take(_ number: Int, _ results: inout [UInt8]) throws {
            ready[number % ready.count] = results
            results = spares.popLast() ?? []
            while let next = ready[writtenCount % ready.count].take() {
                writtenCount += 1
                try lines?.write(next)
                spares.append(next)
            }
        }
    }

    init(
        _ lines: consuming LineReader, _ results: consuming LineWriter, _ shape: BatchShape, jobs: Int,
        generation: @escaping @Sendable () throws -> Int,
        _ makeBody: @escaping @Sendable (_ nonces: Randomness) -> Body,
        together: @escaping @Sendable (_ lines: () -> Void) throws -> Void
    ) {
        self.together = together
        (self.shape, self.generation, self.makeBody, self.jobs) = (shape, generation, makeBody, jobs)
        (input, output) = (
            Monitor(Input(lines: lines)), Monitor(Results(results, blockCount: jobs * Self.blocksAhead))
        )
    }

    /// Works until the input ends. Gives how many lines there were, and how many of them failed.
    func run() throws -> (lineCount: Int, failureCount: Int) {
        var threads = WorkerThreads()
        try work { block in
            // Whoever has a few lines for us, or one at a time, needs no others.
            if block.isFull, threads.isEmpty {
                threads.start(jobs - 1) { [self] in try? work { _ in false } }
            }
            return threads.isEmpty
        }
        threads.join()
        if let error = input.now({ $0.error }) { throw error }
        return try finish()
    }

    private func finish() throws -> (lineCount: Int, failureCount: Int) {
        let lines = output.now { $0.lines.take() }
        try lines?.finish()
        return output.now { ($0.lineCount, $0.failureCount) }
    }

    /// Takes blocks until there are none. `begin` comes before each, and says whether this is the only thread.
    private func work(_ begin: (LineBlock) -> Bool) throws {
        var worker = BatchWorker(shape, makeBody)
        while let (number, generation) = nextBlock(&worker.block) {
            let isAlone = begin(worker.block)
            worker.keepUp(with: generation, makeBody)
            try together { worker.makeResults() }
            try output.when({ $0.hasRoom(for: number) }) { output in
                output.lineCount += worker.block.lines.count
                output.failureCount += worker.failureCount
                do { try output.take(number, &worker.results) } catch {
                    // Another thread may be waiting for a line that never comes: nobody could tell it to stop.
                    guard isAlone else { Exit.end(with: CLIError(error)) }
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

/// What one thread needs for its lines. All of it is kept from line to line, so that a line takes no new memory.
private struct BatchWorker: ~Copyable {
    var block = LineBlock()
    /// The lines that the block becomes.
    var results: [UInt8] = []
    private(set) var failureCount = 0
    private var line: BatchLine
    private var members = JSONMembers()
    private let nonces = Randomness.pooledForNonces()
    private var body: BatchWork.Body
    private var generation = 0

    init(_ shape: BatchShape, _ makeBody: (Randomness) -> BatchWork.Body) {
        line = BatchLine(shape)
        body = makeBody(nonces)
    }

    /// Takes another body if this is not the number of the last one.
    mutating func keepUp(with newest: Int, _ makeBody: (Randomness) -> BatchWork.Body) {
        guard newest != generation else { return }
        (generation, body) = (newest, makeBody(nonces))
    }

    mutating func makeResults() {
        results.removeAll(keepingCapacity: true)
        failureCount = 0
        for (index, line) in block.lines.enumerated() {
            makeResult(of: line, number: block.lineCountBefore + index + 1)
            results.append(UInt8(ascii: "\n"))
        }
        line.forget()
        nonces.wipePool()
    }

    private mutating func makeResult(of bytes: LineBlock.Line, number: Int) {
        members.removeAll()
        do {
            guard case .bytes(let range) = bytes else {
                line.forget()
                throw CLIError(.limit, "a line has at most \(LineReader.maximumByteCount) bytes")
            }
            try line.read(range, of: block.bytes)
            guard !line.hasFailedBefore else { return passOn(range) }
            try line.refuseResults()
            try body(line, &members)
            line.append(to: &results, with: members)
        } catch {
            fail(error, number)
        }
    }

    private mutating func passOn(_ range: Range<Int>) {
        failureCount += 1
        results += block.bytes[range]
    }

    private mutating func fail(_ error: any Error, _ number: Int) {
        failureCount += 1
        members.removeAll()
        members.append([.init("line", .number(Double(number))), .init("error", CLIError(error).json)])
        line.appendFailed(to: &results, with: members)
    }
}
#endif
