#if CommandLine
internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserVault

/// Something of a couple that waits for a person, and the command to type next.
struct WaitingStep {
    let what: String
    let command: String

    init(_ what: String, _ words: String) { (self.what, command) = (what, NextCommand.line(words)) }

    /// The steps of a couple: that of its pairing, then those of its keys, then those of its answers.
    static func all(of whole: CoupleOverview, in vault: Vault) throws -> [WaitingStep] {
        let pairing = whole.pairing?.waitingStep.map { [$0] } ?? []
        guard let couple = whole.couple else { return pairing }
        let ours = try vault.device.userID
        let keys = pairing.isEmpty ? whole.keyStep(ours).map { [$0] } ?? [] : []
        return pairing + keys + couple.migrationSteps + couple.exposedKeySteps
            + answers(try vault.answers(of: whole.id), whole)
    }
}

// MARK: - Of a pairing

extension StoredPairing {
    /// Whether the time of the open offer ran out.
    private var isOver: Bool { end.map { $0 <= WallClock.now } ?? false }

    /// For a person; nil once it is closed.
    var words: String? {
        switch status {
        case .waiting: "waits for a grant of \(inviter.text), since \(WallClock.text(madeAt))"
        case .open:
            "open offer, code \(lookup.text)-…, \(isOver ? "over since" : "until") \(WallClock.text(end ?? madeAt))"
        default: nil
        }
    }

    fileprivate var waitingStep: WaitingStep? {
        switch status {
        case .waiting:
            WaitingStep(
                "a grant of \(inviter.text), to the reply of \(WallClock.text(madeAt))", "pair finish GRANT")
        case .open where isOver:
            WaitingStep("another offer, because its time ran out", .inviting(couple))
        case .open:
            WaitingStep(
                "a reply to the offer, until \(WallClock.text(end ?? madeAt))", "pair confirm REPLY")
        default: nil
        }
    }
}

extension String {
    /// The words that pair a couple, and also one that was paired before.
    static func inviting(_ couple: CoupleID) -> String { "pair invite --couple \(couple.text)" }
}

// MARK: - Of keys

extension CoupleOverview {
    /// What makes the key that seals one that only the two devices have; nil if it is.
    fileprivate func keyStep(_ ours: UserID) -> WaitingStep? {
        guard let couple, let state else { return nil }
        switch state {
        case .paired, .rekeyed: return nil
        case .alone: return WaitingStep("a partner: this couple has one device", .inviting(id))
        case .verified where couple.origin(ofKey: couple.key.keyset.primaryID) != .given:
            return rekeyStep(ours)
        case .verified, .serverKnown:
            return WaitingStep("a key that the server cannot hold: pair, or verify and rekey", .inviting(id))
        }
    }

    /// The one of the two whose user id sorts first sends.
    private func rekeyStep(_ ours: UserID) -> WaitingStep? {
        guard let partner = partners.first(where: \.isVerified)?.userID else { return nil }
        let rekey = "couple rekey --couple \(id.text)"
        return ours.text.utf8.lexicographicallyPrecedes(partner.text.utf8)
            ? WaitingStep("a key that the server cannot hold, for \(partner.text)", rekey)
            : WaitingStep("a rekey of \(partner.text), who sends it", "\(rekey) --accept REKEY")
    }
}

extension Couple {
    /// Texts that are in the clear on the server.
    fileprivate var migrationSteps: [WaitingStep] {
        guard document.version == .migrating else { return [] }
        return [
            WaitingStep(
                "texts in the clear: seal them with field seal --migrate --jsonl, and finish",
                "couple migrate finish --couple \(id.text) COUPLE")
        ]
    }

    /// What was sealed under keys that others may hold.
    fileprivate var exposedKeySteps: [WaitingStep] {
        let ids = exposedKeyIDs.map(String.init)
        guard !ids.isEmpty else { return [] }
        let open = NextCommand.line("field open --couple \(id.text) --jsonl FIELDS")
        return [
            WaitingStep(
                "fields and files that you stored under \(ids.listed), which others may hold: open them, and seal them again; then couple retire removes the key",
                piping: open, to: "field seal --couple \(id.text) --require-rekeyed --trust-old --jsonl")
        ]
    }
}

extension WaitingStep {
    fileprivate init(_ what: String, piping first: String, to words: String) {
        (self.what, command) = (what, "\(first) | \(NextCommand.line(words))")
    }
}

// MARK: - Of answers

extension WaitingStep {
    /// One for each kind of step: the command is of the first question.
    fileprivate static func answers(_ all: [AnswerOverview], _ whole: CoupleOverview) -> [WaitingStep] {
        let disputed = all.filter { $0.isInConflict && !$0.isRevealed }
        let owed = all.filter { $0.isRevealed && !$0.isReleased }
        let sealed = all.filter { !$0.isRevealed && !$0.isReleased && !$0.isInConflict }
        let released = all.filter { $0.isReleased && !$0.isRevealed && !$0.isInConflict }
        return [
            step("a talk with your partner: two different answers were shown", disputed) {
                "answer status \($0.options)"
            },
            step("your release, which you owe", owed, whole.releasing),
            step("your partner's answer", sealed, whole.releasing),
            step("your partner's release", released, whole.revealing),
        ].compactMap(\.self)
    }

    private static func step(
        _ what: String, _ answers: [AnswerOverview], _ words: (AnswerOverview) -> String
    ) -> WaitingStep? {
        let questions = answers.map(\.question.text).listed
        return answers.first.map { WaitingStep("\(what), for \(questions)", words($0)) }
    }
}

extension CoupleOverview {
    /// The option that names the partner, which a couple needs until it has the partner's key.
    private var partnerOption: String? {
        guard !partners.contains(where: { $0.key != nil }) else { return nil }
        return " --partner \(partners.first?.userID.text ?? "USER")"
    }

    /// The words that release an answer.
    func releasing(_ answer: AnswerOverview) -> String {
        "answer release \(answer.options)\(partnerOption.map { "\($0) --partner-key KEY" } ?? "") ANSWER"
    }

    /// The words that reveal the partner's answer.
    func revealing(_ answer: AnswerOverview) -> String {
        "answer reveal \(answer.options)\(partnerOption ?? "") --release RELEASE ANSWER"
    }
}

extension AnswerOverview {
    fileprivate var options: String {
        "--couple \(couple.text) --question \(question.text) --place \(place.text)"
    }
}
#endif
