internal import CloserKeys
internal import CloserTink

extension Couple {
    /// Whether this state can have come of a former one: by rekeys, pairings, keys that were retired, and keys that were given away.
    ///
    /// The vault of another machine, which knows less, can be newer by its count. Then a retired key may be back, or one that was given
    /// away may count as private.
    package func follows(_ former: Couple) -> Bool {
        let (now, before) = (key.keyset, former.key.keyset)
        let isReplaced = now.primaryID != before.primaryID
        let isBack = isReplaced && before.entries.contains { $0.id == now.primaryID }
        let isLost =
            !now.entries.contains { $0.id == before.primaryID } && !retiredIDs.contains(before.primaryID)
        return !isBack && !isLost && epoch >= former.epoch && retiredIDs.isSuperset(of: former.retiredIDs)
            && before.entries.allSatisfy {
                !former.origin(ofKey: $0.id).provesLess(than: origin(ofKey: $0.id))
            }
    }
}
