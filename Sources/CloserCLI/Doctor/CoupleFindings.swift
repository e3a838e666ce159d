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
            whole.couple.map { phrase(of: $0) + keys(of: $0, in: whole.state) } ?? []
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

    private func keys(of couple: Couple, in state: PairingState?) -> [DoctorFinding] {
        let name = couple.id.text
        let option = "--couple \(name)"
        guard state?.isPrivate ?? false else {
            let verb = state == .verified ? "couple rekey" : "pair invite"
            return [
                DoctorFinding(
                    "keyExposed", "the server may hold the key of \(name)",
                    mend: NextCommand.line("\(verb) \(option)"))
            ]
        }
        let keyset = couple.key.keyset
        return keyset.entries.filter { $0.id != keyset.primaryID && !couple.origin(ofKey: $0.id).isPrivate }
            .map { key in
                DoctorFinding(
                    "keyExposed",
                    "the older key \(key.id) of \(name) may be known to others: retire it once you have sealed its fields again",
                    mend: NextCommand.line("couple retire \(option) --key-id \(key.id)"))
            }
    }

    func pairings(in opened: Vault) throws -> [DoctorFinding] {
        try opened.livePairings.compactMap { pairing in
            let (name, option) = (pairing.couple.text, "--couple \(pairing.couple.text)")
            guard pairing.status == .open else {
                return DoctorFinding(
                    "answerWaiting", "your reply to the offer of \(name) waits for its grant",
                    mend: NextCommand.line("pair finish \(option) GRANT"))
            }
            guard let end = pairing.end, now < end else { return nil }
            return DoctorFinding(
                "inviteOpen", "an offer to \(name) is open until \(WallClock.text(end))",
                mend: NextCommand.line("pair invite --cancel \(option)"))
        }
    }

    func answers(in opened: Vault) throws -> [DoctorFinding] {
        try opened.overviews.flatMap { whole in
            whole.couple == nil
                ? [] : try opened.answers(of: whole.id).compactMap { answer(of: whole, $0) }
        }
    }

    private func answer(of whole: CoupleOverview, _ answer: AnswerOverview) -> DoctorFinding? {
        let name = "\(answer.question.text) of \(answer.couple.text)"
        if !answer.isReleased, answer.isPinned || answer.isRevealed {
            return DoctorFinding(
                "answerOwed", "your partner's answer to \(name) is here: release yours",
                mend: NextCommand.line(whole.releasing(answer)))
        }
        guard answer.isReleased, !answer.isRevealed else { return nil }
        return DoctorFinding(
            "answerAwaited", "your answer to \(name) is released: reveal your partner's",
            mend: NextCommand.line(whole.revealing(answer)))
    }
}
#endif
