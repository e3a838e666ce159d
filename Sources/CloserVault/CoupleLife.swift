public import CloserKeys
public import CloserPrimitives
internal import CloserTink

// A couple in this vault: joined, recovered, looked up, forgotten. Making one begins with a ``CoupleDraft``.

extension Vault {
    public func couple(_ id: Identifier) throws -> Couple { try read { try $0.couple(id) } }

    /// All of them, by name.
    public var couples: [Couple] {
        get throws { try read { try $0.records(Couple.self) }.sorted { $0.id.text < $1.id.text } }
    }

    /// How far the couple is from the server's reach.
    public func state(of id: Identifier) throws -> PairingState {
        try read { try $0.state(of: try $0.couple(id)) }
    }

    /// What is known of the couple's other people: one, as a rule.
    public func partners(of id: Identifier) throws -> [Partner] {
        try read { try $0.records(Partner.self, of: id) }.sorted { $0.userID.text < $1.userID.text }
    }

    /// The invite that was made here, to be handed out again.
    public func invite(of id: Identifier) throws -> SecretBytes {
        let invite = try read { transaction in
            guard try !transaction.couple(id).isRekeyed else {
                throw CoupleError.neverInvited
            }
            return try transaction.record(StoredInvite.self, StoredInvite.id(id))
        }
        guard let invite else { throw CoupleError.noInvite }
        return invite.copy()
    }

    /// Takes a partner's invite: the code opens the phrase, and the phrase the couple key.
    @discardableResult
    public func join(
        _ id: Identifier, with invite: borrowing InviteDocument, code: borrowing InviteCode
    ) throws -> Couple {
        let phrase: RecoveryPhrase
        do { phrase = try invite.phrase.open(with: code) } catch { throw CoupleError.invite(error) }
        return try adopt(id, CoupleDocument(invite.wrap), phrase)
    }

    /// Brings the couple key back with the phrase. Nothing else comes back: no pins, no answers, no verified state.
    @discardableResult
    public func recover(
        _ id: Identifier, from document: CoupleDocument, phrase: borrowing RecoveryPhrase
    ) throws -> Couple {
        try adopt(id, document, phrase)
    }

    /// Proves that phrase and document still bring back what this device has, and changes nothing (security §2, W16).
    public func rehearse(
        _ id: Identifier, from document: CoupleDocument, phrase: borrowing RecoveryPhrase
    ) throws -> CoupleKey {
        let ours = try read { transaction in
            try transaction.checkPin(of: id, document.version)
            return try transaction.couple(id).key
        }
        let key = try CoupleKey(of: document, phrase)
        guard key.hasAllKeys(of: ours) else {
            throw ours.hasAllKeys(of: key) ? CoupleError.olderKey : CoupleError.lacksKey
        }
        return key
    }

    /// Forgets the couple, its answers and its partners. What must never be unlearned stays: the version below which
    /// it never falls, and that a partner authenticates answers.
    public func forget(_ id: Identifier) throws {
        try change { transaction in
            _ = try transaction.couple(id)
            for kind in [RecordKind.couple, .invite, .rekey, .answer] { try transaction.delete(kind, of: id) }
            for partner in try transaction.records(Partner.self, of: id) { try transaction.forget(partner) }
        }
    }

    private func adopt(
        _ id: Identifier, _ document: CoupleDocument, _ phrase: borrowing RecoveryPhrase
    ) throws -> Couple {
        try read { try $0.checkPin(of: id, document.version) }
        guard let wrap = document.wrap else { throw CoupleError.notEncrypted }
        let key = try CoupleKey(of: document, phrase)
        return try change { transaction in
            try transaction.checkPin(of: id, document.version)
            let couple = try transaction.merged(Couple(id, key, wrap))
            try transaction.put(couple)
            try transaction.raisePin(of: id, to: document.version)
            return couple
        }
    }
}

extension CoupleKey {
    /// The key in a couple's document.
    public init(of document: CoupleDocument, _ phrase: borrowing RecoveryPhrase) throws(CoupleError) {
        guard let wrap = document.wrap else { throw .notEncrypted }
        do { self = try wrap.unwrap(with: phrase) } catch { throw .wrap(error) }
    }
}

extension Transaction {
    func couple(_ id: Identifier) throws -> Couple {
        guard let couple = try record(Couple.self, Couple.id(id)) else { throw CoupleError.unknown }
        return couple
    }

    func state(of couple: Couple) throws -> PairingState {
        guard !couple.isRekeyed else { return .rekeyed }
        let partners = try records(Partner.self, of: couple.id)
        return partners.contains { $0.isVerified } ? .verified : .serverKnown
    }

    func checkPin(of couple: Identifier, _ version: EncryptionVersion) throws {
        let pin = try record(VersionPin.self, VersionPin.id(couple))?.version ?? .plaintext
        guard version >= pin else { throw CoupleError.lowered(to: version, from: pin) }
    }

    /// A pin never goes down (security §2, W9).
    func raisePin(of couple: Identifier, to version: EncryptionVersion) throws {
        let pin = try record(VersionPin.self, VersionPin.id(couple))?.version ?? .plaintext
        try put(VersionPin(max(pin, version), of: couple))
    }

    /// What to store of a couple that came in: all keys that this device holds must be in it.
    fileprivate func merged(_ new: Couple) throws -> Couple {
        guard var couple = try record(Couple.self, Couple.id(new.id)) else { return new }
        guard new.key.hasAllKeys(of: couple.key) else { throw CoupleError.lacksKey }
        (couple.key, couple.wrap) = (try couple.withoutRetired(new.key), new.wrap)
        couple.epoch = max(couple.epoch, new.epoch)
        return couple
    }

    fileprivate func forget(_ partner: Partner) throws {
        guard partner.authenticates else { return try delete(Partner.kind, partner.recordID) }
        var rest = Partner(partner.userID, of: partner.couple)
        rest.authenticates = true
        try put(rest)
    }
}
