package import CloserKeys
package import CloserPrimitives

/// Something of a couple that waits for a person. A status, and a check of what to mend, say the same of it.
package enum Waiting: Sendable {
    /// The grant to a reply that this device made, at a time in seconds since 1970.
    case grant(of: UserID, since: Timestamp)
    /// A reply to the open offer, until a time in seconds since 1970.
    case reply(until: Timestamp)
    /// Another offer: the time of the open one ran out.
    case offer
    /// A look at the server's document, whose wrap is another than this vault's.
    case otherDocument
    /// A partner: only this device has the couple's key.
    case partner
    /// A key that the server cannot hold, by a pairing.
    case privateKey
    /// A key that the server cannot hold, by a rekey that this device sends.
    case rekey(to: UserID)
    /// Such a rekey, which the partner sends.
    case rekeyOf(UserID)
    /// Texts that are in the clear on the server.
    case plaintext
    /// Fields and files under older keys that others may hold, by the keys' ids.
    case exposedKeys([UInt32])
    /// Two different answers of the partner were shown.
    case dispute([AnswerOverview])
    /// Our release: the partner's answer is here.
    case ownRelease([AnswerOverview])
    /// The partner's answer.
    case partnersAnswer([AnswerOverview])
    /// The partner's release.
    case partnersRelease([AnswerOverview])

    /// The answers that it is about; none for a step of a pairing or of keys.
    package var answers: [AnswerOverview] {
        switch self {
        case .dispute(let answers), .ownRelease(let answers), .partnersAnswer(let answers),
            .partnersRelease(let answers):
            answers
        default: []
        }
    }
}

extension Vault {
    /// The questions that a person should release before a pairing with `party` ends.
    package func openQuestions(of id: CoupleID, to party: PairingParty) throws(VaultError) -> [QuestionID] {
        try read { (transaction) throws(VaultError) in try transaction.openQuestions(of: id, to: party) }
    }

    /// What waits of a couple: of its pairing, then of the server's document, if it was compared, then of its keys, then of its answers, in
    /// the order of these cases. A pairing that is under way brings a partner and a key.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, or `.damaged`.
    package func waiting(
        for whole: CoupleOverview, seeing document: ServerDocument? = nil
    ) throws(VaultError) -> [Waiting] {
        let pairing = try whole.pairing?.waiting(at: now)
        guard let couple = whole.couple else { return pairing.map { [$0] } ?? [] }
        let (exposed, answers) = (couple.exposedKeyIDs, try self.answers(of: whole.id))
        let steps: [Waiting?] = [
            pairing, document == .other ? .otherDocument : nil, pairing == nil ? whole.waitingForKey : nil,
            whole.migration?.sealsPlaintext == true ? .plaintext : nil,
            exposed.isEmpty ? nil : .exposedKeys(exposed),
        ]
        let facing: [Waiting] = [
            .dispute(answers.filter(\.isDisputed)), .ownRelease(answers.filter(\.isOwed)),
            .partnersAnswer(answers.filter(\.waitsForAnswer)),
            .partnersRelease(answers.filter(\.waitsForRelease)),
        ]
        return steps.compactMap(\.self) + facing.filter { !$0.answers.isEmpty }
    }
}

extension StoredPairing {
    fileprivate func waiting(at now: Timestamp) throws(VaultError) -> Waiting? {
        switch status {
        case .waiting: return .grant(of: try inviter(), since: madeAt)
        case .open: return isOver(at: now) ? .offer : .reply(until: end ?? madeAt)
        default: return nil
        }
    }

    /// Whether the time of an offer has run out.
    package func isOver(at now: Timestamp) -> Bool { end.map { $0 <= now } ?? false }
}

extension CoupleOverview {
    /// What makes the key that seals one that only the two devices have; nil if it is.
    fileprivate var waitingForKey: Waiting? {
        guard let couple, let state else { return nil }
        switch state {
        case .paired, .rekeyed: return nil
        case .alone: return .partner
        case .verified where couple.primaryOrigin != .given:
            // The one of the two whose user id sorts first sends.
            guard let partner = partners.first(where: \.isVerified)?.userID else { return nil }
            return RekeyRoute.sends(ours, before: partner) ? .rekey(to: partner) : .rekeyOf(partner)
        case .verified, .serverKnown: return .privateKey
        }
    }
}

extension AnswerOverview {
    fileprivate var isDisputed: Bool { isInConflict && !isRevealed }
    fileprivate var isOwed: Bool { !isReleased && isKeyKept && !isDisputed && (isRevealed || isPinned) }
    fileprivate var waitsForAnswer: Bool { !isReleased && isKeyKept && !isDisputed && !isOwed }
    fileprivate var waitsForRelease: Bool { isReleased && !isRevealed && !isDisputed }
}
