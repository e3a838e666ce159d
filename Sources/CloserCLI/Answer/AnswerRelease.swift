#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Release: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "release",
            abstract: "Give your answer's key to the partner, and pin the partner's answer.")

        @Option(help: ArgumentHelp("The partner's public key, a pub:v1: token.", valueName: "token"))
        var partnerKey: String
        @Flag(help: "Refuse a partner whose key was never compared.") var requireVerified = false
        @OptionGroup var partner: PartnerOptions
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([.file(partner.partnerAnswer), answer.couple.vault.inputName])
            let key = try PublicKeyToken(reading: partnerKey)
            let theirs = try partner.read(&inputs)
            let (vault, name) = try answer.open(&inputs)
            let result = try Output(output, .json, inputs: inputs)
            let released = try vault.tellingLoss(of: name.couple) {
                try name.atItsPlace(in: vault) {
                    try vault.release(name, to: theirs, key: key, requiringVerified: requireVerified)
                }
            }
            if !released.isPartnerVerified {
                Diagnostics.warn("nobody has compared \(theirs.partner.text)'s key; it is taken on trust")
            }
            let bytes = released.document.bytes
            try result.deliver(
                bytes, named: "releaseKey",
                details: [.init("partnerKeyVerified", .bool(released.isPartnerVerified))])
        }
    }
}

/// Who the partner is, and their answer as the server shows it.
struct PartnerOptions: ParsableArguments {
    @OptionGroup var name: PartnerName
    @Option(
        help: ArgumentHelp("The partner's answer, as the server stores it.", valueName: "file"),
        completion: .file())
    var partnerAnswer: String

    func read(_ inputs: inout Inputs) throws -> PartnerAnswer {
        PartnerAnswer(of: try name.id, try inputs.answer(partnerAnswer))
    }
}
#endif
