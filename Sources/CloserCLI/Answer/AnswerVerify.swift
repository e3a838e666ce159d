internal import ArgumentParser
internal import CloserKeys
internal import CloserWire

// What needs no key.
extension AnswerCommand {
    struct Verify: ParsableCommand, BatchVerb {
        static let lines = "answer and payload become verified"
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Say whether a payload is what an answer's author committed to. Needs no key.")

        @Option(file: "The answer's document, with the commitment.") var answer: String?
        @Argument(file: "The payload; standard input by default.") var file: String?
        @OptionGroup var batch: BatchOptions<Verify>
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(answer), .fileOrStandardInput(file)])
            guard !batch.jsonl else {
                guard answer == nil else {
                    throw CLIError(.usage, "with --jsonl each line has its own answer")
                }
                return try batch.verify(file, output, inputs: &inputs)
            }
            guard let answer else { throw CLIError(.usage, "missing expected argument '--answer <file>'") }
            let commitment = try inputs.answer(answer).commitment
            let payload = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let verdict = try commitment.verdict(on: payload)
            try Output(output, .line, inputs: inputs).report("verified", json: .object(verdict))
        }
    }
}

extension Commitment {
    /// That it is what was committed to; otherwise it throws.
    func verdict(on payload: [UInt8]) throws(RevealError) -> [JSONValue.Member] {
        guard committedBytes(in: payload) != nil else { throw .commitmentMismatch }
        return [.init("verified", true), .init("commitmentHash", .string(description))]
    }
}
