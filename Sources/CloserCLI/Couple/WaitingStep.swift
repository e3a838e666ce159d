internal import CloserFiles
internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// Something of a couple that waits for a person, and the command to type next.
struct WaitingStep {
    let what: String
    let command: String

    /// One for each kind of step. Where several answers wait for it, the command is of the first.
    init(_ waiting: Waiting, of whole: CoupleOverview) {
        let questions = waiting.answers.map(\.question.text)
        what = waiting.words + (questions.isEmpty ? "" : ", for \(questions.listed)")
        command = whole.command(for: waiting)
    }

    static func all(
        of whole: CoupleOverview, in vault: Vault, seeing document: ServerDocument? = nil
    ) throws -> [WaitingStep] {
        try vault.waiting(for: whole, seeing: document).map { WaitingStep($0, of: whole) }
    }
}

extension Waiting {
    /// Both apps can pair; an app that can only compare digits follows a rekey.
    static let waysToPrivacy =
        "pair, or, if your partner's app only compares digits, couple verify and couple rekey (docs/android.md)"

    fileprivate var words: String {
        switch self {
        case .grant(let inviter, let time):
            "a grant of \(inviter.text), to the reply of \(time.text), or after a wrong code another offer"
        case .reply(let end):
            "a reply to the offer, which pair invite prints again, until \(end.text)"
        case .offer: "another offer, because its time ran out"
        case .otherDocument:
            "a rehearsal of this document: if your phrase opens it, it may stay; if not, your partner has another phrase, or it is an old one or an attacker's"
        case .partner: "a partner: this couple has one device"
        case .privateKey: "a key that the server cannot hold: \(Self.waysToPrivacy)"
        case .rekey(let partner):
            "a key that the server cannot hold, for \(partner.text); or pair, if both apps can"
        case .rekeyOf(let partner): "a rekey of \(partner.text), who sends it; or pair, if both apps can"
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
    /// The line to type next; of several answers, for one of them.
    func command(for waiting: Waiting, _ answer: AnswerOverview? = nil) -> String {
        let (couple, answer) = (id.option, answer ?? waiting.answers.first)
        return switch waiting {
        case .grant: NextCommand.line("pair finish GRANT")
        case .reply: NextCommand.line("pair confirm REPLY")
        case .offer, .partner, .privateKey: NextCommand.line(.inviting(id))
        case .otherDocument: NextCommand.line("couple rehearse \(couple) DOCUMENT")
        case .rekey: NextCommand.line("couple rekey \(couple)")
        case .rekeyOf: NextCommand.line("couple rekey \(couple) --accept REKEY")
        case .plaintext: NextCommand.line("couple migrate \(couple) --finish COUPLE")
        case .exposedKeys:
            "\(NextCommand.line("field open \(couple) --jsonl FIELDS")) | \(NextCommand.line("field seal \(couple) --require-private --trust-old --jsonl"))"
        case .dispute: NextCommand.line("answer status \(options(of: answer))")
        case .ownRelease, .partnersAnswer:
            NextCommand.line(
                "answer release \(options(of: answer))\(partnerOption.map { "\($0) --partner-key KEY" } ?? "") ANSWER"
            )
        case .partnersRelease:
            NextCommand.line(
                "answer reveal \(options(of: answer))\(partnerOption ?? "") --release RELEASE ANSWER")
        }
    }

    /// The option that names the partner, which a couple needs until it has the partner's key.
    private var partnerOption: String? {
        guard !partners.contains(where: { $0.key != nil }) else { return nil }
        return " \("--partner".option(partners.first?.userID.text ?? "USER"))"
    }

    private func options(of answer: AnswerOverview?) -> String {
        let question = answer.map {
            " \("--question".option($0.question.text)) \("--place".option($0.place.text))"
        }
        return "\(id.option)\(question ?? "")"
    }
}

extension String {
    /// The words that pair a couple, and also one that was paired before.
    static func inviting(_ couple: CoupleID) -> String { "pair invite \(couple.option)" }
}

extension StoredPairing {
    /// For a person; nil once it is closed.
    func words() throws -> String? {
        switch status {
        case .waiting: return "waits for a grant of \(try inviter().text), since \(madeAt.text)"
        case .open:
            let over = isOver(at: .now) ? "over since" : "until"
            return "open offer, code \(lookup.text)-…, \(over) \((end ?? madeAt).text)"
        default: return nil
        }
    }
}
