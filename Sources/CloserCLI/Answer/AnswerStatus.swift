internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "List your answers, show the state of one, or print its document again.")

        @Option("The question; by default every one.", value: "id") var question: String?
        @Flag(help: "Print the document for the app's server again.") var document = false
        @OptionGroup var place: PlaceOption
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let place = try place.parsed
            guard let question = try question.map({ try QuestionID(parsing: $0) }) else {
                guard !document, place == nil else {
                    throw CLIError(.usage, "--document and --place need --question")
                }
                return try list()
            }
            var inputs = Inputs()
            let (vault, couple) = try couple.open(&inputs)
            try show(AnswerName(couple: couple, question: question, place: place), in: vault, inputs)
        }

        private func list() throws {
            var inputs = Inputs()
            let named = try CoupleID.named(couple.couple)
            let answers = try couple.vault.open(&inputs).answers(of: named).map(AnswerSummary.init)
            if answers.isEmpty, !output.json { Diagnostics.note("no answers yet") }
            try Output(output, .line, inputs: inputs).report(
                answers.map(\.line).joined(separator: "\n"),
                json: ["answers": .array(answers.map(\.json))])
        }

        private func show(_ name: AnswerName, in vault: Vault, _ inputs: Inputs) throws {
            do {
                let sealed = try vault.answer(name)
                let summary = AnswerSummary(sealed.overview)
                guard document else {
                    return try Output(output, .line, inputs: inputs).report(summary.members)
                }
                try Output(output, .json, inputs: inputs).deliver(
                    try sealed.document.bytes, named: "answer", details: summary.members)
            } catch VaultError.answer(.notSealed) where !document {
                let state = AnswerState.unanswered.rawValue
                try Output(output, .line, inputs: inputs).report(
                    "state: \(state)",
                    json: ["questionId": .string(name.question.text), "state": .string(state)])
            }
        }
    }
}

/// Where an answer of ours stands.
struct AnswerSummary {
    private let answer: AnswerOverview

    init(_ answer: AnswerOverview) { self.answer = answer }

    private var state: String { answer.state.rawValue }

    var members: [JSONValue.Member] {
        [
            .init("questionId", .string(answer.question.text)), .init("place", .string(answer.place.text)),
            .init("state", .string(state)), .init("released", .bool(answer.isReleased)),
            .init("revealed", .bool(answer.isRevealed)), .init("pinned", .bool(answer.isPinned)),
            .init("conflict", .bool(answer.isInConflict)), .init("archived", .bool(answer.isArchived)),
            .init("commitmentHash", .string(answer.commitment.description)),
        ]
    }

    /// One answer among those of several couples.
    var json: JSONValue { .object([.init("coupleId", .string(answer.couple.text))] + members) }

    /// The step that this device still owes or waits for; nil after a conflict, which people settle by talking.
    private var next: String? {
        guard answer.state != .conflict, answer.isKeyKept || !answer.isRevealed else { return nil }
        guard answer.isReleased else { return "release" }
        return answer.isRevealed ? nil : "reveal"
    }

    var line: String {
        [answer.couple.text, answer.place.text, answer.question.text, state, next ?? "-"]
            .joined(separator: "\t")
    }
}
