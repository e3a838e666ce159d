/// One state of a vault's file, of which every byte was checked.
struct Snapshot {
    let slot: KeySlot
    let index: Index
    let bytes: [UInt8]
    let version: VaultVersion
    let key: VaultKey

    init(_ content: VaultFile, _ key: VaultKey) throws(VaultError) {
        guard content.slot.vaultID == key.vaultID else { throw .replaced(path: content.path) }
        (slot, index, bytes, self.key) = (content.slot, try content.index(key), content.bytes, key)
        version = VaultVersion(index, head: content.head, key)
    }

    /// Whether this state is `known`, or came of it.
    func follows(_ known: VaultVersion) -> Bool {
        version.vaultID == known.vaultID && (version.digest == known.digest || index.history.follows(known))
    }

    /// Whether this state is `known`, or names it among those that it came of.
    func lists(_ known: VaultVersion) -> Bool {
        version == known || index.history.states.contains(VaultHistory.State(known))
    }

    func check(follows known: VaultVersion, _ path: String) throws(VaultError) {
        guard version.vaultID == known.vaultID else { throw .replaced(path: path) }
        guard follows(known) else { throw .rolledBack(path: path) }
    }

    /// The state after this one, which lists it, and `known` if a person gives that up.
    func followed(
        by new: Transaction, under slot: KeySlot? = nil, givingUp known: VaultVersion? = nil
    ) throws(VaultError) -> Snapshot {
        let former = [known, version].compactMap(\.self)
        return try Snapshot(slot ?? self.slot, new.index.counted(after: former, index.history), new.key)
    }

    /// A new state, and the file for it.
    init(_ slot: KeySlot, _ index: Index, _ key: VaultKey) throws(VaultError) {
        (self.slot, self.index, self.key) = (slot, index, key)
        bytes = try VaultFile.bytes(slot, index, key)
        version = VaultVersion(index, head: bytes.dropLast(index.boxByteCount), key)
    }
}
