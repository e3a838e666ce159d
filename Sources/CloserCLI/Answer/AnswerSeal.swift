internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal",
            abstract: "Seal your answer, a JSON object, and print the document for the app's server.",
            // One answer needs both, and with --jsonl each line has its own.
            usage: "closer-keys answer seal --place <place> --question <id> [<options>] [<file>]")

        @Argument(file: "The answer; standard input by default.") var file: String?
        @Option(help: "hardened binds it to its author and place, and hides its length; compat does neither.")
        var profile = Named(AnswerProfile.hardened)
        @Flag(help: "Replace your answer, while it is unreleased and the partner's is unrevealed.")
        var replace = false
        @Option("The day or thread: daily:YYYY-MM-DD or thread:ID.", value: "place") var place: String?
        @Option("The question.", value: "id") var question: String?
        @OptionGroup var batch: VaultBatchOptions
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.fileOrStandardInput(file), couple.vault.inputName])
            guard !batch.jsonl else { return try sealMany(&inputs) }
            let (question, place) = try named()
            let (vault, couple) = try couple.open(&inputs)
            let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let result = try Output(output, .json, inputs: inputs)
            let sealed = try vault.seal(
                answer: bytes, to: question, at: place, of: couple, profile: profile.value,
                replacing: replace)
            let document = try sealed.document.bytes
            try result.deliver(document, named: "answer", details: AnswerSummary(sealed.overview).members)
        }

        private func named() throws -> (QuestionID, AnswerPlace) {
            guard let question, let place else {
                let missing = [
                    question == nil ? "'--question <id>'" : nil, place == nil ? "'--place <place>'" : nil,
                ]
                let names = missing.compactMap { $0 }
                throw CLIError(
                    .usage,
                    "missing expected argument\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))",
                    hint: "closer-keys answer seal --help")
            }
            return (try QuestionID(parsing: question), try AnswerPlace(parsing: place))
        }

        private func sealMany(_ inputs: inout Inputs) throws {
            try batch.refuseBesides(question: question, place: place)
            let (vault, couple) = try couple.open(&inputs)
            let (profile, replace) = (profile.value, replace)
            try batch.run(file, .sealingAnswers, output, inputs: &inputs, changing: vault) { _ in
                { line, result in
                    let sealed = try vault.seal(
                        answer: try line.answerToSeal(), to: try line.question(), at: try line.place(),
                        of: couple, profile: profile, replacing: replace)
                    let document = try sealed.document.bytes
                    result.append(try OutputKind.json.member("answer", document.span))
                }
            }
        }
    }
}

extension AnswerProfile: NamedValue {}
