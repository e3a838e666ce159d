#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Reveal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reveal", abstract: "Open the partner's answer, check all of it, and print it.")

        @OptionGroup var answer: FacingOptions
        @Option(
            help: ArgumentHelp("What the partner released to this device.", valueName: "file"),
            completion: .file())
        var release: String?
        @Flag(help: "Take an answer that nothing proves to be the partner's.")
        var allowUnauthenticated = false
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .file(answer.partnerAnswer), .file(release), answer.couple.vault.inputName,
            ])
            let keybox = try release.map { try inputs.releaseKey($0) }
            let (vault, name, theirs) = try answer.open(&inputs, .toBeRevealed)
            let result = try Output(output, .payload, inputs: inputs)
            let revelation = try vault.tellingLoss(of: name.couple) {
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
                revealed.payload, named: "payload",
                details: AnswerCommand.details(authenticity.rawValue, revealed.place, revealed.commitment))
        }
    }
}

extension AnswerCommand {
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
#endif
