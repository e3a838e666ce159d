internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// Many records in one run. Each line in gives one line out, in the same order: a result or an error.
protocol Batch {
    /// How many threads work at once; nil for one for each core.
    var jobs: Int? { get }
    /// After how many failed lines the run stops; nil to go on to the end.
    var maxErrors: Int? { get }
}

/// Many changes of a vault in one run. One thread makes them, one after the other.
struct VaultBatchOptions: ParsableArguments, Batch {
    @Flag(help: "One JSON object a line, in and out: many answers in one opened vault.")
    var jsonl = false

    var jobs: Int? { 1 }
    /// A change that was made is always told.
    var maxErrors: Int? { nil }
}

/// A verb that handles many records in one run.
protocol BatchVerb {
    /// Which members of a line become which, for the help.
    static var lines: String { get }
}

/// Many records in one run, with keys that stay as they are.
struct BatchOptions<Verb: BatchVerb>: ParsableArguments, Batch {
    @Flag(help: "One JSON object a line: \(Verb.lines).") var jsonl = false
    @Option("With --jsonl: threads at work; else one a core.", value: "number") var jobs: Int?
    @Option("With --jsonl: stop after so many lines that fail.", value: "number") var maxErrors: Int?

    /// More threads than any machine has cores would only take memory.
    private static var maximumJobs: Int { 256 }

    func validate() throws {
        try Self.check(jobs, "--jobs", 1...Self.maximumJobs, isBatch: jsonl)
        try Self.check(maxErrors, "--max-errors", 1...Int(Int32.max), isBatch: jsonl)
    }

    private static func check(
        _ number: Int?, _ option: String, _ range: ClosedRange<Int>, isBatch: Bool
    ) throws {
        guard let number else { return }
        guard isBatch else { throw ValidationError("the option \(option) goes with --jsonl") }
        guard range.contains(number) else {
            throw ValidationError(
                "the option \(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension Batch {
    /// Runs a body for each line, which gives the members that take the place of the consumed ones. Each thread makes one with
    /// `makeBody`, from where its nonces come, and another one whenever `generation`, which is asked for each block of lines, gives
    /// another number.
    ///
    /// With a `vault`, the body may change it: the lines of a block change it in one transaction, and their results are written after it,
    /// so each result that is shown is stored.
    ///
    /// Throws `.partial` at the end if a line failed.
    func run(
        _ path: String?, _ shape: BatchShape, _ output: OutputOptions, inputs: inout Inputs,
        generation: @escaping @Sendable () throws -> Int = { 0 }, changing vault: Vault? = nil,
        _ makeBody: @escaping @Sendable (_ nonces: Randomness) -> BatchWork.Body
    ) throws {
        guard !output.json else { throw CLIError(.usage, "use either --json or --jsonl") }
        let lines = LineReader(try inputs.open(path))
        let results = LineWriter(try Output(output, shape.isSecret ? .secret : .line, inputs: inputs))
        let work = BatchWork(
            lines, results, shape, jobs: jobs ?? WorkerThreads.coreCount,
            maximumFailureCount: maxErrors ?? .max, generation: generation, makeBody
        ) { lines in
            if let vault { try vault.together(lines) } else { lines() }
        }
        let (count, failures) = try work.run()
        guard failures > 0 else { return }
        throw CLIError.reported("\(failures) of \(count) lines failed", .partial)
    }
}
