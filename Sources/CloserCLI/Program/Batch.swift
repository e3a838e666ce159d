#if CommandLine
internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Many records in one run. Each line in gives one line out, in the same order: a result or an error.
struct BatchOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "One JSON object a line, in and out: many records with one key.",
            discussion:
                "plaintext or plaintextBase64 on one side, token, keybox, field or a message on the other."))
    var jsonl = false

    @Option(
        help: ArgumentHelp(
            "With --jsonl: how many threads work at once; one for each core by default.", valueName: "number")
    )
    var jobs: Int?

    @Option(
        help: ArgumentHelp("With --jsonl: stop after so many lines that fail.", valueName: "number"))
    var maxErrors: Int?

    /// More threads than any machine has cores would only take memory.
    private static let maximumJobs = 256

    func validate() throws {
        try Self.check(jobs, "--jobs", 1...Self.maximumJobs, isBatch: jsonl)
        try Self.check(maxErrors, "--max-errors", 1...Int(Int32.max), isBatch: jsonl)
    }

    private static func check(
        _ number: Int?, _ option: String, _ range: ClosedRange<Int>, isBatch: Bool
    ) throws {
        guard let number else { return }
        guard isBatch else { throw ValidationError("The option \(option) goes with --jsonl") }
        guard range.contains(number) else {
            throw ValidationError(
                "The option \(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// Runs a body for each line, which gives the members that take the place of the consumed ones. Each thread makes one with
    /// `makeBody`, from where its nonces come, and another one whenever `generation`, which is asked for each block of lines, gives
    /// another number.
    ///
    /// Throws `.partial` at the end if a line failed.
    func run(
        _ path: String?, _ shape: BatchShape, _ output: OutputOptions, inputs: inout Inputs,
        generation: @escaping @Sendable () throws -> Int = { 0 },
        _ makeBody: @escaping @Sendable (_ nonces: Randomness) -> BatchWork.Body
    ) throws {
        guard !output.json else { throw CLIError(.usage, "give --json or --jsonl, not both") }
        let lines = LineReader(try inputs.open(path))
        let results = LineWriter(try Output(output, shape.isSecret ? .secret : .line, inputs: inputs))
        let work = BatchWork(
            lines, results, shape, jobs: jobs ?? WorkerThreads.coreCount,
            maximumFailureCount: maxErrors ?? .max, generation: generation, makeBody)
        let (count, failures) = try work.run()
        guard failures > 0 else { return }
        throw CLIError.reported("\(failures) of \(count) lines failed", .partial)
    }
}
#endif
