package import CloserPrimitives
internal import CloserTink

// What a pairing does to the couple's keys (closer-keys-pairing(7), WHAT A PAIRING DOES): both sides end with the keys of both,
// under a primary that came by the pairing.

extension CoupleHold {
    /// How far an epoch may be above ours: people rekey far less than a thousand times between two pairings, and a higher one would use up
    /// the numbers that are left.
    package static let maximumEpochGap: UInt32 = 1000

    /// What the inviter has, and grants, when it admits a partner who holds `theirs`.
    ///
    /// If only the inviter has its keys (`isAlone`) and the partner holds none, that is what the inviter has already. Else it
    /// is the keys of both and a new primary, in an epoch of its own; keys that the inviter has retired stay away.
    ///
    /// - Throws: `.keyMismatch`, `.epochTooHigh` or `.tooManyKeys`.
    package func united(
        with theirs: CoupleHold?, isAlone: Bool, retired: FormerKeys? = nil,
        from randomness: Randomness = .system
    ) throws(PairingError) -> CoupleHold {
        if isAlone, theirs == nil { return self }
        if let theirs { try key.checkAgreement(with: theirs.key) }
        let epoch = try nextEpoch(after: theirs?.epoch ?? 0)
        let both = try key.appending(theirs?.key, besides: retired)
        let maximum = Keyset.maximumKeyCount
        while true {
            let new: CoupleKey
            do { new = try both.rotated(from: randomness) } catch { throw .tooManyKeys(maximum: maximum) }
            if retired?.contains(new.keyset.primary) != true { return CoupleHold(epoch: epoch, key: new) }
        }
    }

    private func nextEpoch(after theirs: UInt32) throws(PairingError) -> UInt32 {
        try Self.check(theirs, above: epoch)
        let greater = max(epoch, theirs)
        guard greater < .max - 1 else { throw .epochTooHigh(greater) }
        return greater + 1
    }

    fileprivate static func check(_ epoch: UInt32, above ours: UInt32) throws(PairingError) {
        guard epoch < .max, epoch <= ours || epoch - ours <= maximumEpochGap else {
            throw .epochTooHigh(epoch)
        }
    }
}

extension CoupleGrant {
    /// What the acceptor has when it takes the grant and holds `ours` until then: the granted primary and keys, without those
    /// that it has retired, and its own behind them.
    ///
    /// - Throws: `.epochMismatch`, `.keyMismatch`, `.epochTooHigh` or `.tooManyKeys`. Then refuse all of it.
    package borrowing func united(
        with ours: CoupleHold?, retired: FormerKeys? = nil
    ) throws(PairingError) -> CoupleHold {
        let primaryID = hold.key.keyset.primaryID
        if let ours {
            guard hold.epoch >= ours.epoch else { throw .epochMismatch(hold.epoch, ours: ours.epoch) }
            guard hold.key.hasNewPrimary(comparedTo: ours.key) else { throw .keyMismatch(primaryID) }
        }
        guard retired?.contains(hold.key.keyset.primary) != true else { throw .keyMismatch(primaryID) }
        if let ours { try hold.key.checkAgreement(with: ours.key) }
        try CoupleHold.check(hold.epoch, above: ours?.epoch ?? 0)
        let granted = hold.key.keeping { retired?.contains($0) != true }
        return CoupleHold(epoch: hold.epoch, key: try granted.appending(ours?.key, besides: nil))
    }
}

extension CoupleKey {
    /// Whether every key may be used, as in what one side seals for the other.
    var isEnabled: Bool { keyset.entries.allSatisfy { $0.status == .enabled } }

    /// These keys without the ones that are disabled or destroyed.
    package var enabledOnly: CoupleKey { isEnabled ? self : keeping { $0.status == .enabled } }

    /// Refuses two different keys of one id: that would make ciphertexts ambiguous.
    fileprivate func checkAgreement(with other: CoupleKey) throws(PairingError) {
        for theirs in other.keyset.entries {
            for ours in keyset.entries where ours.id == theirs.id && !ours.isSameKey(as: theirs) {
                throw .keyMismatch(ours.id)
            }
        }
    }

    /// These keys, and behind them those of another keyset that are missing here.
    fileprivate func appending(
        _ other: CoupleKey?, besides retired: FormerKeys?
    ) throws(PairingError) -> CoupleKey {
        guard let other else { return self }
        let known = Set(keyset.entries.map(\.id))
        let added = other.keyset.entries.filter { !known.contains($0.id) && retired?.contains($0) != true }
        do { return try CoupleKey(try keyset.appending(added)) } catch {
            throw .tooManyKeys(maximum: Keyset.maximumKeyCount)
        }
    }

    /// These keys without some; the primary is kept.
    fileprivate func keeping(_ isKept: (KeyEntry) -> Bool) -> CoupleKey {
        do { return try CoupleKey(try keyset.keeping(isKept)) } catch {
            preconditionFailure("a couple key without its primary")
        }
    }
}

extension KeyEntry {
    /// Whether both have the same prefix and bytes. A destroyed key has no bytes, and is the same as any.
    func isSameKey(as other: KeyEntry) -> Bool {
        guard case .aesGCM(let ours)? = material, case .aesGCM(let theirs)? = other.material else {
            return true
        }
        return prefix == other.prefix && ours.withBytes { a in theirs.withBytes { a.isEqual(to: $0) } }
    }
}
