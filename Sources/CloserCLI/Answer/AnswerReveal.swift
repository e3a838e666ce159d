internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Reveal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reveal", abstract: "Open the partner's answer, check all of it, and print it.")

        @OptionGroup var answer: FacingOptions
        @Option(file: "What the partner released to this device.") var release: String?
        @Flag(help: "Accept an answer whose author is unproven.")
        var allowUnauthenticated = false
        @Flag(help: AnswerCommand.answerOnly) var answerOnly = false
        @OptionGroup var batch: VaultBatchOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .fileOrStandardInput(answer.partnerAnswer), .file(release), answer.couple.vault.inputName,
            ])
            guard !batch.jsonl else { return try revealMany(&inputs) }
            let (vault, whole, name, theirs) = try answer.open(&inputs, .toBeRevealed)
            let keybox = try release.map {
                try inputs.releaseKey($0, from: theirs.partner, to: whole.ours)
            }
            let result = try Output(output, .payload, inputs: inputs)
            let revelation = try vault.tellingLoss(of: whole) {
                try name.atItsPlace(facing: theirs, in: vault) {
                    try vault.reveal(
                        name, of: theirs, with: keybox, allowingUnauthenticated: allowUnauthenticated)
                }
            }
            let (revealed, authenticity) = (revelation.answer, revelation.authenticity)
            if authenticity == .unauthenticated {
                Diagnostics.warn("nothing proves who wrote this answer")
            }
            try result.deliver(
                answerOnly ? revealed.answer : revealed.payload, named: "payload",
                details: AnswerCommand.details(authenticity.rawValue, revealed.place, revealed.commitment))
        }

        private func revealMany(_ inputs: inout Inputs) throws {
            try batch.refuseBesides(question: answer.question, place: answer.place.place)
            guard release == nil else {
                throw CLIError(.usage, "with --jsonl each line has its own releaseKey")
            }
            let (vault, couple) = try answer.couple.open(&inputs)
            let whole = try vault.overview(of: couple)
            let partner = try answer.partner.id(of: whole)
            let unproven = LineCount()
            let (facing, allowUnauthenticated, answerOnly) = (answer, allowUnauthenticated, answerOnly)
            try vault.runBatch(on: whole) {
                try batch.run(
                    answer.partnerAnswer, .revealingAnswers, output, inputs: &inputs, changing: vault
                ) { _ in
                    { line, result in
                        let (name, theirs) = (
                            try line.name(in: couple), try facing.facing(try line.answer(), of: partner)
                        )
                        let keybox = try line.releaseKey(from: theirs.partner, to: whole.ours)
                        let revealed = try name.atItsPlace(facing: theirs, in: vault) {
                            try vault.reveal(
                                name, of: theirs, with: keybox, allowingUnauthenticated: allowUnauthenticated)
                        }
                        if revealed.authenticity == .unauthenticated { unproven.add() }
                        result.append(try revealed.members(answerOnly: answerOnly))
                    }
                }
            } thenSaying: {
                unproven.warnOfUnproven()
            }
        }
    }
}

extension AnswerRevelation {
    /// What a line of a batch shows of it.
    fileprivate func members(answerOnly: Bool) throws -> [JSONValue.Member] {
        let payload = answerOnly ? answer.answer : answer.payload
        return [try OutputKind.payload.member("payload", payload.span)]
            + AnswerCommand.details(authenticity.rawValue, answer.place, answer.commitment)
    }
}

extension AnswerCommand {
    static let answerOnly: ArgumentHelp =
        "Print what the author's app gave to be sealed, without the members that closer-keys added."

    /// The members that `--json` shows beside the payload.
    static func details(
        _ authenticity: String, _ place: AnswerPlace?, _ commitment: Commitment
    ) -> [JSONValue.Member] {
        [
            .init("authenticity", .string(authenticity)),
            .init("place", place.map { .string($0.text) } ?? .null),
            .init("commitmentHash", .string(commitment.description)),
        ]
    }
}
