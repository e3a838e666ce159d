#if CommandLine
internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserVault

// What may be wrong with a couple: its phrase, its keys, and what one of the two waits for.

extension Visit {
    /// A year: paper is lost, and handwriting fades from memory.
    private static let rehearsalDays: UInt64 = 365

    func couples(in opened: Vault) throws -> [DoctorFinding] {
        try opened.overviews.flatMap { whole in
            try (whole.couple.map(phrase) ?? [])
                + opened.waiting(for: whole).flatMap { DoctorFinding.all(of: $0, in: whole, at: now) }
        }
    }

    private func phrase(of couple: Couple) -> [DoctorFinding] {
        let (name, option) = (couple.id.text, "--couple \(couple.id.text)")
        // A rehearsal looks into the vault only if it is named.
        let rehearsal = "closer-keys couple recover --rehearse \(option) --vault \(vault.shellWord) DOCUMENT"
        switch couple.phrase {
        case .notConfirmed:
            return [
                DoctorFinding(
                    "phraseNotConfirmed", "the recovery phrase of \(name) was never confirmed",
                    mend: NextCommand.line("couple rewrap \(option)"))
            ]
        case .rehearsed(let day):
            let days = days(since: day)
            guard days > Self.rehearsalDays else { return [] }
            return [
                DoctorFinding(
                    "phraseNotRehearsed", "the recovery phrase of \(name) was rehearsed \(days) days ago",
                    mend: rehearsal)
            ]
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
    /// What there is to mend of what waits; nothing where the partner's turn is next.
    fileprivate static func all(
        of waiting: Waiting, in whole: CoupleOverview, at now: UInt64
    ) -> [DoctorFinding] {
        let (name, mend) = (whole.id.text, NextCommand.line(whole.words(of: waiting)))
        let question = waiting.answer.map { "\($0.question.text) of \(name)" } ?? ""
        return switch waiting {
        case .privateKey, .rekey, .rekeyOf:
            [DoctorFinding("keyExposed", "the server may hold the key of \(name)", mend: mend)]
        case .exposedKeys(let ids): ids.map { exposed(key: $0, of: name) }
        case .grant:
            [
                DoctorFinding(
                    "answerWaiting", "your reply to the offer of \(name) waits for its grant", mend: mend)
            ]
        case .reply(let end):
            [
                DoctorFinding(
                    "inviteOpen", "an offer to \(name) is open until \(WallClock.text(end))",
                    mend: NextCommand.line("pair invite --cancel --couple \(name)"))
            ]
        case .ownRelease:
            [
                DoctorFinding(
                    "answerOwed", "your partner's answer to \(question) is here: release yours", mend: mend)
            ]
        case .partnersRelease:
            [
                DoctorFinding(
                    "answerAwaited", "your answer to \(question) is released: reveal your partner's",
                    mend: mend)
            ]
        case .offer, .partner, .plaintext, .dispute, .partnersAnswer: []
        }
    }

    private static func exposed(key id: UInt32, of name: String) -> DoctorFinding {
        DoctorFinding(
            "keyExposed",
            "the older key \(id) of \(name) may be known to others: retire it once you have sealed its fields again",
            mend: NextCommand.line("couple retire --couple \(name) --key-id \(id)"))
    }
}
#endif
