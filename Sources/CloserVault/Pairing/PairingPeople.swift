internal import CloserFiles
internal import CloserKeys
internal import CloserTink

// Who pairs with whom, and what a pairing makes of the couple, on either side (closer-keys-pairing(7), STEPS).

/// What a person agreed to in a pairing: each answers one error.
public struct PairingConsents: OptionSet, Sendable {
    /// One bit for each of the four.
    public let rawValue: Int

    /// Takes the bits of the four below.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The maker of the code gets every key of the couple (`.wouldSendKeys`).
    public static let sendingKeys = PairingConsents(rawValue: 1)
    /// The code was made after this vault was imported or put back (`.olderCopy`).
    public static let newCode = PairingConsents(rawValue: 2)
    /// The partner has another key than before, as with a new device (`.partnerKeyChanged`).
    public static let newPartnerKey = PairingConsents(rawValue: 4)
    /// The other side takes the place of a partner who was never verified (`.otherPartner`).
    public static let replacingPartner = PairingConsents(rawValue: 8)
}

extension Device {
    /// This side of a pairing.
    func party() throws(VaultError) -> PairingParty {
        PairingParty(user: userID, publicKey: publicKey, x25519PublicKey: chatKey.publicKey)
    }
}

extension Transaction {
    /// Refuses another side than it may be. This leaves the offer open.
    func check(
        _ party: PairingParty, of couple: CoupleID, _ named: UserID?, _ consents: PairingConsents
    ) throws(VaultError) {
        let us = try device.party()
        do { try us.check(party) } catch { throw .refused(error) }
        guard named.map({ $0 == party.user }) ?? true else { throw .pairing(.notTheNamed) }
        guard try isNoOther(party) || consents.contains(.newPartnerKey) else {
            throw .pairing(.partnerKeyChanged)
        }
        let known = try partners(of: couple)
        let isKnown = known.contains { $0.userID == party.user && $0.key != nil }
        let isAnswered = try isAnswered(couple) && !isKnown
        for partner in known {
            guard partner.userID == party.user else {
                // The maker of a code may have told it for another couple: only people say that it is this one.
                let isInTheWay = partner.key != nil || isAnswered
                guard !isInTheWay || consents.contains(.replacingPartner) && !partner.isVerified else {
                    throw .pairing(.otherPartner)
                }
                continue
            }
            guard let key = partner.key else { continue }
            let isSameDevice =
                key.isSameKey(as: party.publicKey)
                && partner.x25519Key.map { $0 == party.x25519PublicKey } ?? true
            guard isSameDevice || consents.contains(.newPartnerKey) else {
                throw .pairing(.partnerKeyChanged)
            }
        }
    }

    /// Whether no other key for chats is known of that user: one that was pinned, or that a pairing of another couple brought.
    private func isNoOther(_ party: PairingParty) throws(VaultError) -> Bool {
        if let person = try record(Person.self, Person.id(party.user)) {
            return person.key == party.x25519PublicKey
        }
        return try records(Partner.self)
            .allSatisfy {
                $0.userID != party.user || $0.x25519Key.map { $0 == party.x25519PublicKey } ?? true
            }
    }

    /// Whether a partner without a key, who proved an answer, is one of the couple as it is now, and not of one that was forgotten.
    private func isAnswered(_ id: CoupleID) throws(VaultError) -> Bool {
        guard let couple = try record(Couple.self, Couple.id(id)) else { return false }
        return try !isNotYetPaired(couple)
    }

    /// What there is or was of that name here; nil if nothing.
    func known(_ id: CoupleID) throws(VaultError) -> PairingStepError.KnownCouple? {
        if try record(Couple.self, Couple.id(id)) != nil { return .held }
        if try livePairing(of: id, .waiting) != nil { return .unfinished }
        if try record(ForgottenCouple.self, ForgottenCouple.id(id)) != nil { return .forgotten }
        return try pairings(of: id).isEmpty ? nil : .unfinished
    }

    /// What this device holds of a couple; nil if that is nothing.
    func hold(of id: CoupleID) throws(VaultError) -> CoupleHold? {
        try record(Couple.self, Couple.id(id)).map { CoupleHold(epoch: $0.epoch, key: $0.key) }
    }

    /// The keys that were given up here, also before the couple was forgotten.
    func retired(of id: CoupleID) throws(VaultError) -> FormerKeys {
        let couple = try record(Couple.self, Couple.id(id))?.retired ?? FormerKeys(of: id)
        return couple.union(try record(ForgottenCouple.self, ForgottenCouple.id(id))?.retired)
    }

    /// From now on another device has what was private.
    mutating func give(_ couple: Couple) throws(VaultError) {
        guard !couple.privateKeyIDs.isEmpty else { return }
        var couple = couple
        couple.give()
        put(couple)
        delete(.phrase, under: StoredPhrase.id(couple.id))
        try closeGrants(of: couple.id)
    }

    /// Ends the private state of a couple whose partner came without a pairing: how they got this device's key is unknown.
    mutating func exposeUnpaired(_ id: CoupleID) throws(VaultError) {
        guard let couple = try record(Couple.self, Couple.id(id)), try isNotYetPaired(couple) else { return }
        expose(couple)
    }

    /// From now on the server may hold each key of a couple.
    mutating func expose(_ couple: Couple) {
        var couple = couple
        couple.expose()
        put(couple)
        delete(.phrase, under: StoredPhrase.id(couple.id))
    }

    /// What was granted here stays here from now on.
    mutating func closeGrants(of id: CoupleID) throws(VaultError) {
        for pairing in try pairings(of: id) where pairing.status == .granted {
            put(pairing.closed(.cancelled))
        }
    }

    /// Keeps what a pairing brought: the keys, whose primary is private and the rest exposed, and a partner who counts as compared
    /// any more.
    mutating func pair(_ couple: Couple, _ hold: CoupleHold, _ wrap: KeyWrap, with party: PairingParty)
        throws(VaultError)
    {
        var paired = couple
        (paired.key, paired.epoch, paired.wrap) = (hold.key, hold.epoch, wrap)
        // What came back by a recovery counts as kept again.
        paired.retired = paired.retired.union(try retired(of: couple.id))
            .subtracting(FormerKeys(hold.key, of: couple.id))
        (paired.privateSince, paired.acceptedRekey) = (hold.epoch, nil)
        paired.origins = [hold.key.keyset.primaryID: .pairing]
        paired.expose(besides: hold.key.keyset.primaryID)
        // Keys of before this device: it replaces another one of its user.
        let ours = try record(Couple.self, Couple.id(couple.id))?.key
        let older = hold.key.keyset.entries.filter { $0.id != hold.key.keyset.primaryID }
        if !older.allSatisfy({ entry in ours?.keyset.entries.contains { $0.id == entry.id } ?? false }) {
            paired.recoveredAt = WallClock.now
        }
        try closeGrants(of: couple.id)
        put(paired)
        var partner = try partner(party.user, of: couple.id)
        partner.verify(party.publicKey, by: .code)
        partner.x25519Key = party.x25519PublicKey
        partner.authenticates = true
        try meet(party.user, party.x25519PublicKey)
        put(partner)
        try forgetOthers(than: party.user, of: couple.id)
        for kind in [RecordKind.invite, .rekey, .phrase] { delete(kind, under: RecordID(couple.id.bytes)) }
        // If the couple had a greater epoch before it was forgotten, that stays known: older rekeys must not count again.
        let former = try record(ForgottenCouple.self, ForgottenCouple.id(couple.id))
        if let former, former.epoch <= hold.epoch { put(former.keysAlone) }
        try raisePin(of: paired)
    }
}
