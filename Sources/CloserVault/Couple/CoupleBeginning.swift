internal import CloserKeys
internal import CloserTink

// How a couple begins: at which version, and whose its first key is.

extension Couple {
    /// This couple as it begins: at 2, or at 1 with texts that are in the clear.
    func beginning(at version: EncryptionVersion) -> Couple {
        precondition(version != .plaintext, "a couple that has a key begins at version 1 or 2")
        var couple = self
        couple.migrated = Migration(beginningAt: version).migrated
        return couple
    }

    /// A new couple that only this device has. One that was forgotten goes on where it was.
    init(
        alone id: CoupleID, at version: EncryptionVersion, under wrapping: borrowing WrappingKey,
        after former: ForgottenCouple?
    ) throws(VaultError) {
        let key = CoupleKey.new()
        self = Couple(id, key, wrapping.wrap(key)).beginning(at: version)
        (origins, self.phrase) = ([key.keyset.primaryID: .pairing], .notConfirmed)
        guard let former else { return }
        guard former.epoch < .max - 1 else { throw .rekey(.epochTooHigh(former.epoch)) }
        (epoch, retired) = (former.epoch + 1, former.retired)
    }

    /// Whether it was made after this very one.
    fileprivate func comes(after former: ForgottenCouple?) -> Bool {
        epoch == former.map { $0.epoch + 1 } ?? 0 && retired == former?.retired ?? FormerKeys(of: id)
    }
}

extension CoupleKey {
    static func new() -> CoupleKey {
        guard let key = try? CoupleKey(Keyset(.aes256GCM)) else {
            preconditionFailure("a new AES-256-GCM keyset is a couple key")
        }
        return key
    }
}

extension Transaction {
    /// At which version a couple begins that is new here: as a person says, or at 1 if one of that name was forgotten at 1, since it has
    /// texts in the clear.
    func beginning(of id: CoupleID, at version: EncryptionVersion) throws(VaultError) -> EncryptionVersion {
        try pinnedVersion(of: id) == .migrating ? .migrating : version
    }

    /// Stores a new couple that only this device has, and its phrase.
    mutating func put(alone couple: Couple, _ phrase: StoredPhrase) throws(VaultError) {
        let former = try record(ForgottenCouple.self, ForgottenCouple.id(couple.id))
        guard couple.comes(after: former) else { throw .pairing(.changedMeanwhile) }
        put(couple)
        put(phrase)
        if let former { put(former.keysAlone) }
        try raisePin(of: couple)
    }
}
