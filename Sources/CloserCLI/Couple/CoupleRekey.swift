internal import ArgumentParser
internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rekey",
            abstract: "Give the couple a new key that no server ever sees, or accept the partner's.",
            discussion: """
                Both must have verified each other. The partner whose user id sorts first sends the rekey. Running it again \
                prints the same rekey.
                """)

        @Argument(file: "With --accept: the partner's rekey; standard input by default.") var file: String?
        @Flag(help: "Accept the partner's rekey.") var accept = false
        @Flag(help: "With --accept: accept the rekey even if an earlier one never arrived.") var allowGap =
            false
        @Flag(help: "Make another key, even if one was sent before.") var new = false
        @Option(
            "The epoch that the partner's device expects, if this device was recovered and has lost it.",
            value: "number")
        var epoch: UInt32?
        @OptionGroup var partner: PartnerChoice
        @OptionGroup var beside: CoupleOutOptions
        @OptionGroup var phrase: NewPhraseOptions
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !accept || (!new && epoch == nil) else {
                throw CLIError(.usage, "--accept makes no key: --new and --epoch go without it")
            }
            guard accept || (file == nil && !allowGap) else {
                throw CLIError(
                    .usage, "unexpected argument", hint: "to accept the partner's rekey, use --accept")
            }
            var inputs = try Inputs([
                accept ? .fileOrStandardInput(file) : .file(nil), couple.vault.inputName,
            ])
            try accept ? receive(&inputs) : send(&inputs)
        }

        private func send(_ inputs: inout Inputs) throws {
            let (vault, id) = try couple.open(&inputs)
            let partner = try partner.id(of: id, in: vault)
            if let sent = try sent(vault, id, to: partner) {
                return try sendAgain(sent, partner, vault, id, &inputs)
            }
            let draft = try vault.draftRekey(of: id, partner: partner, epoch: epoch)
            // Another command may have sent one between the two; after the draft, it would not be stored.
            if let sent = try sent(vault, id, to: partner) {
                return try sendAgain(sent, partner, vault, id, &inputs)
            }
            try Self.warnOfGivenKeys(vault, id)
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let outputs = try StepOutputs(output, .json, beside, inputs: &inputs)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .rekeyed, keeping: phrase.keeps
            ) {
                [sending(to: partner)]
            } _: {
                try vault.store(draft)
                return .rekey(draft.document)
            }
        }

        private func sent(_ vault: Vault, _ id: CoupleID, to partner: UserID) throws -> RekeyDocument? {
            guard !new, epoch == nil else { return nil }
            return try vault.sentRekey(of: id, partner: partner)
        }

        private func sendAgain(
            _ sent: RekeyDocument, _ partner: UserID, _ vault: Vault, _ id: CoupleID,
            _ inputs: inout Inputs
        ) throws {
            phrase.noteNotKept(by: id)
            try StepOutputs(output, .json, beside, inputs: &inputs).tell(.rekey(sent), of: id, in: vault) {
                ["this rekey was made before: --new makes another key", sending(to: partner)]
            }
        }

        private func receive(_ inputs: inout Inputs) throws {
            let rekey = try inputs.document(file, "rekey") { (bytes) throws(DocumentError) in
                try RekeyDocument(parsing: bytes)
            }
            let (vault, id) = try couple.open(&inputs)
            let partner = try partner.id(of: id, in: vault)
            try Self.warnOfGivenKeys(vault, id)
            let drafted = try vault.draftAcceptance(
                for: rekey, of: id, partner: partner, allowingGap: allowGap)
            let accepted = StepResult.report("accepted a new key of \(id.text)")
            guard let draft = drafted else {
                phrase.noteNotKept(by: id)
                return try StepOutputs(output, .line, beside, inputs: &inputs).tell(
                    accepted, of: id, in: vault
                ) {
                    ["this rekey was accepted before, and its phrase was given then"]
                }
            }
            let place = try phrase.place(&inputs, mayAsk: couple.mayAsk)
            let outputs = try StepOutputs(output, .line, beside, inputs: &inputs)
            try outputs.carryOut(
                of: id, in: vault, bringing: draft.phrase, to: place, .accepted, keeping: phrase.keeps
            ) {
                ["\(id.text) has the new key of \(partner.text), and the old phrase does not open it"]
            } _: {
                try vault.store(draft)
                return accepted
            }
        }

        private static func warnOfGivenKeys(_ vault: Vault, _ id: CoupleID) throws {
            guard try vault.couple(id).hasGivenKeys else { return }
            Diagnostics.warn(
                "keys of this couple were given away, unknown to your partner's device: pair again to tell it"
            )
        }

        private func sending(to partner: UserID) -> String {
            "send \(output.named("rekey")) to \(partner.text), who takes it with couple rekey --accept"
        }
    }
}

extension StepResult {
    fileprivate static func rekey(_ rekey: RekeyDocument) -> StepResult {
        .document(rekey.bytes, named: "rekey")
    }
}
