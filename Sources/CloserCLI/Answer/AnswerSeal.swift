#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal",
            abstract: "Seal your answer, a JSON object, and print the document for the app's server.")

        @Argument(
            help: ArgumentHelp("The answer; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Option(help: "hardened binds it to its author and place, and hides its length; compat does neither.")
        var profile = Named(AnswerProfile.hardened)
        @Flag(help: "Replace your answer, as long as yours is not released and theirs is not revealed.")
        var replace = false
        @Option(
            help: ArgumentHelp("Where it belongs: daily:YYYY-MM-DD or thread:ID.", valueName: "place"))
        var place: String
        @OptionGroup var answer: AnswerOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), answer.couple.vault.inputName])
            let place = try AnswerPlace(parsing: place)
            let (vault, name) = try answer.open(&inputs, at: place)
            let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let result = try Output(output, .json, inputs: inputs)
            let sealed = try AnswerPayload.naming(bytes) {
                try vault.seal(
                    answer: bytes, to: name.question, at: place, of: name.couple, profile: profile.value,
                    replacing: replace)
            }
            let document = try sealed.document.bytes
            try result.deliver(document, named: "answer", details: AnswerSummary(sealed.overview).members)
        }
    }
}

extension AnswerProfile: NamedValue {}

extension AnswerPayload {
    /// Runs `body`, which seals an answer. Where the answer is no JSON object, the error says what it is.
    static func naming<Result>(_ answer: [UInt8], _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch VaultError.payload(.malformed) {
            guard let fault = JSONFault(answer.span) else { throw VaultError.payload(.malformed) }
            throw CLIError(fault, of: "the answer")
        }
    }
}
#endif
