internal import CloserKeys
internal import CloserVault
internal import Synchronization

/// What another program changed in the vault between two looks of this run: what was decided or told by the first may be wrong by the
/// second. It is told once, before the result.
enum ForeignChange {
    private struct Watch {
        let vault: Vault
        let couple: CoupleID
        let countsAnswers: Bool
        var toldCount = 0

        var count: Int {
            countsAnswers ? vault.foreignChangeCount : vault.foreignChangeCountBesidesAnswers
        }
    }

    private static let current = Mutex<Watch?>(nil)

    /// From now on a change that somebody else makes is told. Whoever seals many answers at once need not hear of each; but who deletes
    /// them does.
    static func watch(_ vault: Vault, for couple: CoupleID, countingAnswers: Bool = true) {
        var watch = Watch(vault: vault, couple: couple, countsAnswers: countingAnswers)
        watch.toldCount = watch.count
        current.withLock { [watch] in $0 = watch }
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
            guard let count = watch?.count, count != watch?.toldCount else { return nil }
            watch?.toldCount = count
            return watch?.couple
        }
    }
}
