internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the state of a question, or print your answer's document again.")

        @Flag(help: "Print the document for the app's server again.") var document = false
        @OptionGroup var place: PlaceOption
        @OptionGroup var answer: AnswerOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, name) = try answer.open(&inputs, at: place.parsed)
            do {
                let sealed = try vault.answer(name)
                let summary = AnswerSummary(sealed.overview)
                guard document else {
                    return try Output(output, .line, inputs: inputs).report(summary.members)
                }
                let bytes = try sealed.document.bytes
                try Output(output, .json, inputs: inputs).deliver(
                    bytes, named: "answer", details: summary.members)
            } catch VaultError.answer(.notSealed) where !document {
                try Output(output, .line, inputs: inputs).report(
                    "state: \(AnswerState.unanswered.rawValue)",
                    json: [
                        "questionId": .string(name.question.text),
                        "state": .string(AnswerState.unanswered.rawValue),
                    ])
            }
        }
    }
}

extension AnswerCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the answers that were sealed here, with their states.")

        @Option(
            help: ArgumentHelp("Only those of this couple; by default $CLOSER_KEYS_COUPLE.", valueName: "id"))
        var couple: String?
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let couple = try CoupleID.named(couple)
            let answers = try vault.open(&inputs).answers(of: couple).map(AnswerSummary.init)
            if answers.isEmpty, !output.json { Diagnostics.note("no answers yet") }
            try Output(output, .line, inputs: inputs).report(
                answers.map(\.line).joined(separator: "\n"),
                json: ["answers": .array(answers.map(\.json))])
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
            .init("conflict", .bool(answer.isInConflict)),
            .init("commitmentHash", .string(answer.commitment.description)),
        ]
    }

    /// One answer among those of several couples.
    var json: JSONValue { .object([.init("coupleId", .string(answer.couple.text))] + members) }

    /// The step that this device still owes or waits for; nil after a conflict, which people settle by talking.
    private var next: String? {
        guard answer.state != .conflict else { return nil }
        guard answer.isReleased else { return "release" }
        return answer.isRevealed ? nil : "reveal"
    }

    /// The status on one line.
    var line: String {
        [answer.couple.text, answer.place.text, answer.question.text, state, next ?? "-"]
            .joined(separator: "\t")
    }
}
