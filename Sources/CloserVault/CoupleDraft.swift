public import CloserKeys
public import CloserPrimitives
internal import CloserTink

/// A couple key under a new phrase and a new code, made and not yet stored.
///
/// Between the two, the phrase can be brought to paper or to a file: whatever fails there, the vault is as before.
public struct CoupleDraft: ~Copyable, Sendable {
    public let couple: Couple
    /// Shown once; only the invite holds it, under the code.
    public let phrase: RecoveryPhrase
    /// The invite's JSON document, with its code; nil for a couple that was rekeyed: it is what a server must not see.
    public let invite: SecretBytes?
    fileprivate let isNew: Bool

    fileprivate init(_ id: Identifier, _ key: CoupleKey) {
        let phrase = RecoveryPhrase.random()
        let wrap = KeyWrap(key, under: phrase)
        invite = Self.invite(phrase, wrap)
        self.phrase = phrase
        (couple, isNew) = (Couple(id, key, wrap), true)
    }

    fileprivate init(rewrapping couple: Couple) {
        let phrase = RecoveryPhrase.random()
        let wrap = KeyWrap(couple.key, under: phrase)
        invite = couple.isRekeyed ? nil : Self.invite(phrase, wrap)
        self.phrase = phrase
        (self.couple, isNew) = (Couple(couple.id, couple.key, wrap), false)
    }

    private static func invite(_ phrase: borrowing RecoveryPhrase, _ wrap: KeyWrap) -> SecretBytes {
        let code = InviteCode.random()
        let invited = InvitedPhrase(phrase, under: code)
        return InviteDocument(code: code, wrap: wrap, phrase: invited).bytes
    }
}

extension CoupleDraft {
    fileprivate borrowing func storedInvite() -> StoredInvite? {
        switch invite {
        case .some(let invite):
            StoredInvite(invite.withBytes { SecretBytes(copying: $0) }, couple: couple.id)
        case .none: nil
        }
    }
}

extension Vault {
    /// Makes a couple key, with its phrase and its invite. `.exists` if there is such a couple.
    public func draftCouple(_ id: Identifier) throws -> CoupleDraft {
        guard try read({ try $0.record(Couple.self, Couple.id(id)) }) == nil else { throw CoupleError.exists }
        return CoupleDraft(id, try CoupleKey(Keyset(.aes256GCM)))
    }

    /// Puts the couple key under another phrase. The old phrase still opens every old wrap (security §2, W14).
    public func draftRewrap(_ id: Identifier) throws -> CoupleDraft {
        CoupleDraft(rewrapping: try couple(id))
    }

    /// Stores what was drafted: from now on it counts.
    public func store(_ draft: borrowing CoupleDraft) throws {
        let (drafted, isNew) = (draft.couple, draft.isNew)
        let invite = draft.storedInvite()
        try change { transaction in
            let existing = try transaction.record(Couple.self, Couple.id(drafted.id))
            guard (existing == nil) == isNew else { throw isNew ? CoupleError.exists : CoupleError.unknown }
            guard
                existing.map({ $0.key.hasAllKeys(of: drafted.key) && drafted.key.hasAllKeys(of: $0.key) })
                    ?? true
            else { throw CoupleError.lacksKey }
            var couple = existing ?? drafted
            couple.wrap = drafted.wrap
            try transaction.put(couple)
            if let invite { try transaction.put(invite) }
            try transaction.raisePin(of: couple.id, to: .strict)
        }
    }
}
