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

    /// More threads than any machine has cores would only take memory.
    private static let maximumJobs = 256

    func validate() throws {
        guard let jobs else { return }
        guard jsonl else { throw ValidationError("The option --jobs goes with --jsonl") }
        guard (1...Self.maximumJobs).contains(jobs) else {
            throw ValidationError("The option --jobs takes a number from 1 to \(Self.maximumJobs)")
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
            lines, results, shape, jobs: jobs ?? WorkerThreads.coreCount, generation: generation, makeBody)
        let (count, failures) = try work.run()
        guard failures > 0 else { return }
        throw CLIError.reported("\(failures) of \(count) lines failed", .partial)
    }
}
#endif
