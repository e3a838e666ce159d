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
        @Option(file: "Your own answer, as the app's server has it.")
        var own: String?
        @Option(file: "Also write both answers to this file, as a field of the couple.")
        var archiveOut: String?
        @Flag(help: "Accept an archive that the server may be able to open.") var yes = false
        @Flag(help: "Accept an answer whose author is unproven.")
        var allowUnauthenticated = false
        @Flag(help: AnswerCommand.answerOnly) var answerOnly = false
        @OptionGroup var batch: VaultBatchOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .fileOrStandardInput(answer.partnerAnswer), .file(release), .file(own),
                answer.couple.vault.inputName,
            ])
            guard !batch.jsonl else { return try revealMany(&inputs) }
            let ours = try ownAnswer(&inputs)
            let (vault, whole, name, theirs) = try answer.open(&inputs, .toBeRevealed)
            let keybox = try release.map {
                try inputs.releaseKey($0, from: theirs.partner, to: whole.ours)
            }
            let archive = try Output.beside(output, archiveOut, .line, inputs: &inputs)
            let result = try Output(output, .payload, inputs: inputs)
            let revelation = try vault.tellingLoss(of: whole) {
                try name.atItsPlace(facing: theirs, in: vault) {
                    try vault.reveal(
                        name, of: theirs, with: keybox, own: ours,
                        archiving: archiving(archiveOut != nil),
                        allowingUnauthenticated: allowUnauthenticated)
                }
            }
            let (revealed, authenticity) = (revelation.answer, revelation.authenticity)
            if authenticity == .unauthenticated {
                Diagnostics.warn("nothing proves who wrote this answer")
            }
            if let archive = consume archive, let token = revelation.archive {
                try archive.deliver(token.text, named: "archive")
                try vault.noteArchive(token, of: name)
            }
            try result.deliver(
                answerOnly ? revealed.answer : revealed.payload, named: "payload",
                details: AnswerCommand.details(authenticity.rawValue, revealed.place, revealed.commitment))
        }

        /// The document names no place, so a person does.
        private func ownAnswer(_ inputs: inout Inputs) throws -> OwnAnswer? {
            guard let own else { return nil }
            guard answer.question != nil, let place = try answer.place.parsed else {
                throw CLIError(.usage, "--own needs --question and --place")
            }
            return OwnAnswer(try inputs.answer(own), at: place)
        }

        private func archiving(_ isWanted: Bool) -> Vault.Archiving? {
            isWanted ? yes ? .always : .ifPrivate : nil
        }

        private func revealMany(_ inputs: inout Inputs) throws {
            try batch.refuseBesides(question: answer.question, place: answer.place.place)
            guard release == nil, own == nil, archiveOut == nil else {
                throw CLIError(
                    .usage, "with --jsonl each line has its own releaseKey, and own and archive if need be")
            }
            let (vault, couple) = try answer.couple.open(&inputs)
            let whole = try vault.overview(of: couple)
            let partner = try answer.partner.id(of: whole)
            let (unproven, verb) = (LineCount(), self)
            try vault.runBatch(on: whole) {
                try batch.run(
                    answer.partnerAnswer, .revealingAnswers, output, inputs: &inputs, changing: vault
                ) { _ in
                    { line, result in
                        let (name, theirs) = (
                            try line.name(in: couple),
                            try verb.answer.facing(try line.answer(), of: partner)
                        )
                        let keybox = try line.releaseKey(from: theirs.partner, to: whole.ours)
                        let (own, archiving) = (
                            try line.ownAnswer(), verb.archiving(try line.wantsArchive())
                        )
                        let revealed = try name.atItsPlace(facing: theirs, in: vault) {
                            try vault.reveal(
                                name, of: theirs, with: keybox, own: own, archiving: archiving,
                                allowingUnauthenticated: verb.allowUnauthenticated)
                        }
                        if revealed.authenticity == .unauthenticated { unproven.add() }
                        result.append(try revealed.members(answerOnly: verb.answerOnly))
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
            + (archive.map { [.init("archive", .string($0.description))] } ?? [])
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
