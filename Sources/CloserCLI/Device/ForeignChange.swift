internal import CloserKeys
internal import CloserVault
internal import Synchronization

/// What another program changed in the vault between two looks of this run: what was decided or told by the first may be wrong by the
/// second. It is told once, before the result.
enum ForeignChange {
    private struct Watch {
        let vault: Vault
        let couple: CoupleID
        var toldCount: Int
    }

    private static let current = Mutex<Watch?>(nil)

    /// From now on a change that somebody else makes is told.
    static func watch(_ vault: Vault, for couple: CoupleID) {
        current.withLock { $0 = Watch(vault: vault, couple: couple, toldCount: vault.foreignChangeCount) }
    }

    /// Tells of what was met since it was told last, if anything was.
    static func tell() {
        guard let couple = untold() else { return }
        Messages.insist(
            "another program changed the vault while this command ran; check \(couple.text) with closer-keys couple show, and its phrase with closer-keys couple recover --rehearse"
        )
    }

    private static func untold() -> CoupleID? {
        current.withLock { watch in
            guard let count = watch?.vault.foreignChangeCount, count != watch?.toldCount else { return nil }
            watch?.toldCount = count
            return watch?.couple
        }
    }
}
