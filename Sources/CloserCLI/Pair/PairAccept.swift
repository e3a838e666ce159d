internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension PairCommand {
    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept your partner's offer with the code that your partner told you.",
            discussion: """
                Type a code on one device only. Running it again prints the same reply until the grant is accepted.
                """)

        @Argument(file: "The offer; standard input by default.") var file: String?
        @Option(file: "The pairing code, from a file.") var codeFile: String?
        @Option("The couple; by default the one in the offer, if this device does not know it.", value: "id")
        var couple: String?
        @OptionGroup var partner: ExpectedPartnerOptions
        @Flag(help: "Send every key of the couple to the maker of the code.") var yes = false
        @Flag(help: "The code was made after this vault was imported or put back.") var codeIsNewer = false
        @Flag(help: "Cancel the reply that waits for its grant.") var cancel = false
        @OptionGroup(title: "Vault options") var vault: VaultOptions
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let couple = try couple.map { try CoupleID(parsing: $0) }
            guard !cancel else { return try close(couple) }
            let source = SecretSource(
                option: "code", file: codeFile, mayAsk: !vault.passphrase.noInput, isSpoken: true)
            var inputs = try Inputs([.fileOrStandardInput(file), .secret(source), vault.inputName])
            let offer = try inputs.document(file, "pair-offer") { (bytes) throws(DocumentError) in
                try PairOffer(parsing: bytes)
            }
            let vault = try vault.open(&inputs)
            let agreed = try agreement(to: offer, for: couple, vault)
            try vault.noteIfNew(offer.couple)
            let code = try inputs.pairingCode(source, of: offer.lookup)
            let result = try Output(output, .json, inputs: inputs)
            let reply = try vault.accept(
                offer, code: code, ifOf: agreed.couple, partner: partner.user, agreed.consents)
            if !reply.hold.isEmpty {
                try vault.openQuestions(of: offer.couple, to: offer.inviter).warnThatTheyAreOpen()
                try vault.noteMigration(of: offer.couple)
            }
            try result.deliver(
                reply.bytes, named: "reply", details: [.init("coupleId", .string(offer.couple.text))])
            Diagnostics.note(
                "send \(output.named("reply")) to \(offer.inviter.user.text)",
                next: NextCommand.line("pair finish GRANT"))
        }

        /// What the options and the person agreed to.
        private struct Agreement {
            var couple: CoupleID?
            var consents: PairingConsents
        }

        /// Asks what only a person can know, each question once, and before the code.
        private func agreement(
            to offer: PairOffer, for couple: CoupleID?, _ vault: Vault
        ) throws -> Agreement {
            let user = try partner.user
            var agreed = Agreement(couple: couple, consents: partner.consents)
            if yes { agreed.consents.insert(.sendingKeys) }
            if codeIsNewer { agreed.consents.insert(.newCode) }
            while true {
                do {
                    try vault.check(offer, ifOf: agreed.couple, partner: user, agreed.consents)
                    return agreed
                } catch { try ask(error, of: offer, &agreed) }
            }
        }

        private func ask(_ refusal: VaultError, of offer: PairOffer, _ agreed: inout Agreement) throws {
            let maker = "the maker of this code says that they are \(offer.inviter.user.text)"
            switch refusal {
            case .pairing(.coupleNotNamed(let couple, let known)) where known != .held:
                let words = known == .forgotten ? "forgotten" : "a couple whose pairing is not finished"
                try ask("\(maker), and \(couple.text) is known here as \(words): go on with it?", or: refusal)
                agreed.couple = couple
            case .pairing(.partnerKeyChanged):
                try ask("\(maker), who had another key before: do they have a new phone?", or: refusal)
                agreed.consents.insert(.newPartnerKey)
            case .pairing(.olderCopy(let since)):
                try ask(
                    "was this code made after \(since.text), when this vault was imported or put back?",
                    or: refusal)
                agreed.consents.insert(.newCode)
            case .pairing(.wouldSendKeys):
                try ask(
                    "\(maker), and gets every key of \(offer.couple.text): did you hear the code from them?",
                    or: refusal)
                agreed.consents.insert(.sendingKeys)
            default: throw refusal
            }
        }

        private func ask(_ question: String, or refusal: VaultError) throws {
            guard !vault.passphrase.noInput, let terminal = Terminal.open() else { throw refusal }
            try terminal.confirm(question, or: "nothing was sent")
        }

        private func close(_ couple: CoupleID?) throws {
            guard let couple, file == nil, codeFile == nil else {
                throw CLIError(.usage, "--cancel needs --couple, and an offer or a code does not go with it")
            }
            var inputs = try Inputs([vault.inputName])
            let vault = try vault.open(&inputs)
            let result = try Output(output, .line, inputs: inputs)
            let didWait = try vault.cancelAnswer(of: couple)
            try result.report(
                didWait ? "the reply is cancelled: a grant for it is refused" : "no reply was waiting",
                json: ["coupleId": .string(couple.text), "didWait": .bool(didWait)])
        }
    }
}

/// What a person says of the other side.
struct ExpectedPartnerOptions: ParsableArguments {
    @Option("The partner's user id; by default the user who knows the code.", value: "id")
    var partner: String?
    @Flag(help: "The partner may have another key than before, as with a new device.") var partnerHasNewKey =
        false
    @Flag(help: "The partner may replace one who was never verified.") var replacePartner = false

    var user: UserID? { get throws { try partner.map { try UserID(parsing: $0) } } }

    var consents: PairingConsents {
        var consents: PairingConsents = []
        if partnerHasNewKey { consents.insert(.newPartnerKey) }
        if replacePartner { consents.insert(.replacingPartner) }
        return consents
    }
}

extension Vault {
    /// A reply cannot tell the maker of the offer that the couple migrates.
    fileprivate func noteMigration(of id: CoupleID) throws {
        guard try existingCouple(id) != nil, try migration(of: id).sealsPlaintext else { return }
        Diagnostics.note(
            "tell your partner, if \(id.text) is new there: closer-keys couple migrate \(id.option) --migrating"
        )
    }
}

extension [QuestionID] {
    /// Warns of questions to which an answer waits here: the couple's new key changes what can be revealed.
    func warnThatTheyAreOpen() {
        guard !isEmpty else { return }
        Diagnostics.warn(
            "release your answers to \(map(\.text).listed) before the pairing ends, or the partner's stay closed"
        )
    }
}

extension Inputs {
    /// The code that the inviter told. Its first half must be the offer's; a slip in the second half shows only when the inviter
    /// confirms.
    fileprivate mutating func pairingCode(
        _ source: SecretSource, of lookup: PairingCode.Lookup
    ) throws -> PairingCode {
        try retrying(source) { inputs in
            let text = try inputs.passphrase(source, "pairing code")
            let code: PairingCode
            do throws(PairingCode.FormatError) { code = try PairingCode(typed: text) } catch {
                throw Slip(CLIError(error.words))
            }
            guard code.lookup == lookup else { throw Slip(CLIError(PairingError.otherCode)) }
            return code
        }
    }
}
