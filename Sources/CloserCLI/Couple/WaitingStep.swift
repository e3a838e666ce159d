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

    private init(_ what: String, piping first: String, to words: String) {
        (self.what, command) = (what, "\(NextCommand.line(first)) | \(NextCommand.line(words))")
    }

    /// The steps of a couple. Answers that wait for one kind of step are one: the command is of the first question.
    static func all(of whole: CoupleOverview, in vault: Vault) throws -> [WaitingStep] {
        let waiting = try vault.waiting(for: whole)
        return waiting.indices.compactMap { place in
            guard let answer = waiting[place].answer else { return WaitingStep(waiting[place], of: whole) }
            let same = waiting.filter { $0.answer != nil && $0.words == waiting[place].words }
            guard same.first?.answer == answer else { return nil }
            let questions = same.compactMap { $0.answer?.question.text }.listed
            return WaitingStep("\(waiting[place].words), for \(questions)", whole.words(of: waiting[place]))
        }
    }

    init(_ waiting: Waiting, of whole: CoupleOverview) {
        guard case .exposedKeys = waiting else {
            self.init(waiting.words, whole.words(of: waiting))
            return
        }
        let couple = "--couple \(whole.id.text)"
        self.init(
            waiting.words, piping: "field open \(couple) --jsonl FIELDS",
            to: "field seal \(couple) --require-rekeyed --trust-old --jsonl")
    }
}

extension Waiting {
    /// The answer that it is about; nil for what is no answer.
    var answer: AnswerOverview? {
        switch self {
        case .dispute(let answer), .ownRelease(let answer), .partnersAnswer(let answer),
            .partnersRelease(let answer):
            answer
        default: nil
        }
    }

    fileprivate var words: String {
        switch self {
        case .grant(let inviter, let time):
            "a grant of \(inviter.text), to the reply of \(WallClock.text(time))"
        case .reply(let end): "a reply to the offer, until \(WallClock.text(end))"
        case .offer: "another offer, because its time ran out"
        case .partner: "a partner: this couple has one device"
        case .privateKey: "a key that the server cannot hold: pair, or verify and rekey"
        case .rekey(let partner): "a key that the server cannot hold, for \(partner.text)"
        case .rekeyOf(let partner): "a rekey of \(partner.text), who sends it"
        case .plaintext: "texts in the clear: seal them with field seal --migrate --jsonl, and finish"
        case .exposedKeys(let ids):
            "fields and files that you stored under \(ids.map(String.init).listed), which others may hold: open them, and seal them again; then couple retire removes the key"
        case .dispute: "a talk with your partner: two different answers were shown"
        case .ownRelease: "your release, which you owe"
        case .partnersAnswer: "your partner's answer"
        case .partnersRelease: "your partner's release"
        }
    }
}

extension CoupleOverview {
    /// What to type next, without the program's name.
    func words(of waiting: Waiting) -> String {
        let couple = "--couple \(id.text)"
        return switch waiting {
        case .grant: "pair finish GRANT"
        case .reply: "pair confirm REPLY"
        case .offer, .partner, .privateKey: .inviting(id)
        case .rekey: "couple rekey \(couple)"
        case .rekeyOf: "couple rekey \(couple) --accept REKEY"
        case .plaintext: "couple migrate finish \(couple) COUPLE"
        case .exposedKeys(let ids): "couple retire \(couple) --key-id \(ids.first ?? 0)"
        case .dispute(let answer): "answer status \(answer.options)"
        case .ownRelease(let answer), .partnersAnswer(let answer): releasing(answer)
        case .partnersRelease(let answer): revealing(answer)
        }
    }
}

extension String {
    /// The words that pair a couple, and also one that was paired before.
    static func inviting(_ couple: CoupleID) -> String { "pair invite --couple \(couple.text)" }
}

extension StoredPairing {
    /// For a person; nil once it is closed.
    func words() throws -> String? {
        switch status {
        case .waiting: return "waits for a grant of \(try inviter().text), since \(WallClock.text(madeAt))"
        case .open:
            let over = isOver(at: WallClock.now) ? "over since" : "until"
            return "open offer, code \(lookup.text)-…, \(over) \(WallClock.text(end ?? madeAt))"
        default: return nil
        }
    }
}

extension CoupleOverview {
    /// The option that names the partner, which a couple needs until it has the partner's key.
    private var partnerOption: String? {
        guard !partners.contains(where: { $0.key != nil }) else { return nil }
        return " --partner \(partners.first?.userID.text ?? "USER")"
    }

    private func releasing(_ answer: AnswerOverview) -> String {
        "answer release \(answer.options)\(partnerOption.map { "\($0) --partner-key KEY" } ?? "") ANSWER"
    }

    private func revealing(_ answer: AnswerOverview) -> String {
        "answer reveal \(answer.options)\(partnerOption ?? "") --release RELEASE ANSWER"
    }
}

extension AnswerOverview {
    fileprivate var options: String {
        "--couple \(couple.text) --question \(question.text) --place \(place.text)"
    }
}
#endif
