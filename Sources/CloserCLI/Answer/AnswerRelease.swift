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

        @OptionGroup var answer: FacingOptions
        @Option(
            "The partner's public key, a pub:v1: token; by default the one that is pinned.", value: "token")
        var partnerKey: String?
        @Flag(help: "Refuse a partner whose key is unverified.") var requireVerified = false
        @OptionGroup var batch: VaultBatchOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([
                .fileOrStandardInput(answer.partnerAnswer), answer.couple.vault.inputName,
            ])
            guard !batch.jsonl else { return try releaseMany(&inputs) }
            let given = try partnerKey.map { try PublicKeyToken(reading: $0) }
            let (vault, whole, name, theirs) = try answer.open(&inputs, .toBeReleased)
            let key = try whole.partners.key(of: theirs.partner, or: given)
            let result = try Output(output, .json, inputs: inputs)
            let released = try vault.tellingLoss(of: whole) {
                try name.atItsPlace(facing: theirs, in: vault) {
                    try vault.release(name, to: theirs, key: key, requiringVerified: requireVerified)
                }
            }
            if !released.isPartnerVerified { Self.warnOfTrust(in: theirs.partner) }
            if released.isToNewKey || answer.question == nil || answer.partner.partner == nil {
                let to = released.isToNewKey ? "key \(key.keyset.primaryID) of " : ""
                Diagnostics.note(
                    "your answer to \(name.question.text) is released to \(to)\(theirs.partner.text)")
            }
            let bytes = released.document.bytes
            try result.deliver(
                bytes, named: "releaseKey",
                details: [.init("partnerKeyVerified", .bool(released.isPartnerVerified))])
        }

        private static func warnOfTrust(in partner: UserID) {
            Diagnostics.warn("the key of \(partner.text) is unverified: compare it, or pair")
        }

        private func releaseMany(_ inputs: inout Inputs) throws {
            try batch.refuseBesides(question: answer.question, place: answer.place.place)
            let given = try partnerKey.map { try PublicKeyToken(reading: $0) }
            let (vault, couple) = try answer.couple.open(&inputs)
            let whole = try vault.overview(of: couple)
            let partner = try answer.partner.id(of: whole)
            let key = try whole.partners.key(of: partner, or: given)
            let (released, unverified) = (LineCount(), LineCount())
            let (facing, requireVerified) = (answer, requireVerified)
            try vault.runBatch(on: whole) {
                try batch.run(
                    answer.partnerAnswer, .releasingAnswers, output, inputs: &inputs, changing: vault
                ) { _ in
                    { line, result in
                        let (name, theirs) = (
                            try line.name(in: couple), try facing.facing(try line.answer(), of: partner)
                        )
                        let ours = try name.atItsPlace(facing: theirs, in: vault) {
                            try vault.release(
                                name, to: theirs, key: key, requiringVerified: requireVerified)
                        }
                        released.add()
                        if !ours.isPartnerVerified { unverified.add() }
                        result.append([
                            try OutputKind.json.member("releaseKey", ours.document.bytes.span),
                            .init("partnerKeyVerified", .bool(ours.isPartnerVerified)),
                        ])
                    }
                }
            } thenSaying: {
                if unverified.value > 0 { Self.warnOfTrust(in: partner) }
                guard answer.partner.partner == nil, released.value > 0 else { return }
                Diagnostics.note("answers of yours that are released to \(partner.text): \(released.value)")
            }
        }
    }
}
