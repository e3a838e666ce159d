internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault

// What may be wrong with a couple: its phrase, its keys, and what one of the two waits for.

extension Visit {
    /// A year: paper is lost, and handwriting fades from memory.
    private static let rehearsalDays: UInt64 = 365

    func couples(in opened: Vault) throws -> [DoctorFinding] {
        try opened.overviews.flatMap { whole in
            try (whole.couple.map { phrase(of: $0, whole) } ?? [])
                + opened.waiting(for: whole).flatMap { DoctorFinding.all(of: $0, in: whole) }
        }
    }

    private func phrase(of couple: Couple, _ whole: CoupleOverview) -> [DoctorFinding] {
        let (name, option) = (couple.id.text, couple.id.option)
        let rehearsal = NextCommand.line("couple rehearse \(option) DOCUMENT")
        switch couple.phrase {
        case .notConfirmed:
            return [
                DoctorFinding(
                    "phraseNotConfirmed", "the recovery phrase of \(name) was never confirmed",
                    mend: whole.wayToPhrase)
            ]
        case .rehearsed(let day):
            return age(of: day.secondsSince1970, above: Self.rehearsalDays).map { age in
                [
                    DoctorFinding(
                        "phraseNotRehearsed", "the recovery phrase of \(name) was rehearsed \(age)",
                        mend: rehearsal)
                ]
            } ?? []
        case .confirmed, nil:
            return [
                DoctorFinding(
                    "phraseNotRehearsed", "the recovery phrase of \(name) was never rehearsed here",
                    mend: rehearsal)
            ]
        }
    }
}

extension DoctorFinding {
    /// What a person should mend about a step that waits. Empty where the partner acts next, and for a step that `couple status` alone tells.
    fileprivate static func all(of waiting: Waiting, in whole: CoupleOverview) -> [DoctorFinding] {
        let name = whole.id.text
        func found(_ id: String, _ text: String, _ words: String? = nil) -> [DoctorFinding] {
            [DoctorFinding(id, text, mend: words.map { NextCommand.line($0) } ?? whole.command(for: waiting))]
        }
        func each(_ id: String, _ text: (String) -> String) -> [DoctorFinding] {
            waiting.answers.map { answer in
                DoctorFinding(
                    id, text("\(answer.question.text) of \(name)"),
                    mend: whole.command(for: waiting, answer))
            }
        }
        return switch waiting {
        case .privateKey:
            found("keyExposed", "the server may hold the key of \(name): \(Waiting.waysToPrivacy)")
        case .rekey, .rekeyOf: found("keyExposed", "the server may hold the key of \(name)")
        case .exposedKeys(let ids):
            ids.flatMap { id in
                found(
                    "keyExposed",
                    "the older key \(id) of \(name) may be known to others: retire it once you have sealed its fields again",
                    "couple retire \(whole.id.option) --key-id \(id)")
            }
        case .grant: found("answerWaiting", "your reply to the offer of \(name) waits for its grant")
        case .reply(let end):
            found(
                "inviteOpen", "an offer to \(name) is open until \(end.text)",
                "pair invite --cancel \(whole.id.option)")
        case .ownRelease:
            each("answerOwed") { "your partner's answer to \($0) is here: release yours" }
        case .partnersRelease:
            each("answerAwaited") { "your answer to \($0) is released: reveal your partner's" }
        case .offer, .otherDocument, .partner, .plaintext, .dispute, .partnersAnswer: []
        }
    }
}
