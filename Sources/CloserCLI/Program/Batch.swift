internal import ArgumentParser
internal import CloserFiles
internal import CloserWire

/// Many records in one run. Each line in gives one line out, in the same order: a result or an error.
struct BatchOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "One JSON object a line, in and out: many records with one key.",
            discussion:
                "plaintext or plaintextBase64 on one side, token, keybox, field or a message on the other."))
    var jsonl = false

    /// Runs `body` for each line. `body` returns the members that take the place of the consumed ones.
    ///
    /// Throws ``ExitStatus/partial`` at the end if a line failed.
    func run(
        _ path: String?, _ shape: BatchShape, _ output: OutputOptions, inputs: inout Inputs,
        _ body: (BatchLine) throws -> [JSONValue.Member]
    ) throws {
        guard !output.json else { throw Failure(.usage, "give --json or --jsonl, not both") }
        var lines = LineReader(try inputs.open(path))
        var results = LineWriter(try Sink(output, shape.isSecret ? .secret : .line, inputs: inputs))
        var (count, failures) = (0, 0)
        while let line = try lines.next(beforeWaiting: { try results.flush() }) {
            count += 1
            let (bytes, isFailure) = Self.result(of: line, count, shape, body)
            failures += isFailure ? 1 : 0
            try results.append(bytes)
        }
        try results.finish()
        guard failures > 0 else { return }
        throw Failure.reported("\(failures) of \(count) lines failed", status: .partial)
    }

    private static func result(
        of line: LineReader.Line, _ number: Int, _ shape: BatchShape,
        _ body: (BatchLine) throws -> [JSONValue.Member]
    ) -> (bytes: [UInt8], isFailure: Bool) {
        var parsed: BatchLine?
        do {
            guard case .bytes(let bytes) = line else {
                throw Failure(.limit, "a line has at most \(LineReader.maximumByteCount) bytes")
            }
            let line = try BatchLine(bytes, shape)
            guard !line.hasFailedBefore else { return (bytes, true) }
            parsed = line
            try line.refuseResults()
            return (line.replaced(with: try body(line)), false)
        } catch {
            let members: [JSONValue.Member] = [
                .init("line", .number(Double(number))), .init("error", Failure(error).json),
            ]
            return (parsed?.failed(members) ?? JSONValue.object(members).printableBytes, true)
        }
    }
}
