internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct AnswerCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Seal, release and reveal answers.",
        subcommands: [
            Seal.self, Release.self, Reveal.self, Open.self, Verify.self, Status.self, Canonical.self,
        ])

    enum Profile: String, CaseIterable, ExpressibleByArgument {
        case hardened, compat

        fileprivate var ours: AnswerProfile { self == .hardened ? .hardened : .compat }
    }

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal your answer, a JSON object, and print the document for the app's server.")

        @Argument(
            help: ArgumentHelp("The answer; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Option(help: "hardened binds it to its author and place, and hides its length; compat does neither.")
        var profile = Profile.hardened
        @Flag(help: "Replace your answer, as long as it is not released and theirs not revealed.")
        var replace = false
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, name) = try answer.open(&inputs)
            guard let place = name.place else {
                throw Failure(.usage, "missing expected argument '--place <place>'")
            }
            let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let result = try output.prepare(.json, inputs: inputs)
            let sealed = try vault.seal(
                answer: bytes, to: name.question, at: place, of: name.couple, profile: profile.ours,
                replacing: replace)
            let document = try sealed.document.bytes
            try result.deliver(document.span, named: "answer", details: AnswerSummary(sealed).members)
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say where a question stands, or print your answer's document again.")

        @Flag(help: "Print the document for the app's server again.") var document = false
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, name) = try answer.open(&inputs)
            do {
                let sealed = try vault.answer(name)
                let summary = AnswerSummary(sealed)
                guard document else {
                    return try output.report(
                        summary.lines, json: .object(summary.members), inputs: inputs)
                }
                let bytes = try sealed.document.bytes
                try output.deliver(
                    bytes.span, .json, named: "answer", details: summary.members, inputs: inputs)
            } catch VaultError.answer(.notSealed) where !document {
                try output.report(
                    "state: unanswered",
                    json: ["questionId": .string(name.question.text), "state": "unanswered"], inputs: inputs)
            }
        }
    }
}

/// Which answer of ours, and in which vault.
struct AnswerOptions: ParsableArguments {
    @OptionGroup var couple: CoupleOptions
    @Option(help: ArgumentHelp("The question.", valueName: "id")) var question: String
    @Option(
        help: ArgumentHelp(
            "Where it belongs: daily:YYYY-MM-DD or thread:ID. After sealing it may be left out while only one answer has the question.",
            valueName: "place"))
    var place: String?

    func open(_ inputs: inout Inputs) throws -> (Vault, AnswerName) {
        let question = try Identifier(parsing: question)
        let place = try place.map { try AnswerPlace(parsing: $0) }
        let (vault, id) = try couple.open(&inputs)
        return (vault, AnswerName(couple: id, question: question, place: place))
    }
}
