#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

/// Locked memory for secrets that live for one call: slots of one size in one guarded allocation.
///
/// `sodium_malloc` takes several pages and some 13 µs, which is more than a small operation needs for its work. Taking
/// a slot sets one bit of a word. A slot is wiped when it comes back. All slots of both sizes together have 32 KiB, well
/// below the 64 KiB that old systems let a process lock.
@safe final class SecretArena: Sendable {
    /// A slot that is lent. Its borrower gives it back exactly once.
    struct Slot {
        fileprivate let arena: SecretArena
        fileprivate let index: Int
    }

    /// Enough for every key, nonce and digest.
    private static let short = SecretArena(slotByteCount: 256, slotCount: 64)
    /// Enough for a record of a vault; a longer secret gets pages of its own. It is there from the first that needs it.
    private static let long = SecretArena(slotByteCount: 4096, slotCount: 4)

    private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>
    private let (slotByteCount, slotCount): (Int, Int)
    /// A bit for each slot says whether it is lent: at most 64.
    private let taken = Counter()

    /// The one whose pages these are, for slots that are kept long.
    private let owner: SharedPages?

    init(slotByteCount: Int, slotCount: Int, of owner: SharedPages? = nil) {
        unsafe base = GuardedPages.take(slotCount * slotByteCount)
        (self.slotByteCount, self.slotCount, self.owner) = (slotByteCount, slotCount, owner)
    }

    /// A free slot of the smallest size that will do, or nil when all of it are lent or `byteCount` does not fit.
    static func take(_ byteCount: Int) -> Slot? {
        byteCount <= short.slotByteCount ? short.take() : byteCount <= long.slotByteCount ? long.take() : nil
    }

    /// A free slot, or nil when all are lent.
    func take() -> Slot? {
        var bits = taken.value
        while true {
            let index = (~bits).trailingZeroBitCount
            guard index < slotCount else { return nil }
            if taken.replace(&bits, by: bits | 1 << index) { return Slot(arena: self, index: index) }
        }
    }

    var lentCount: Int { taken.value.nonzeroBitCount }

    /// The next borrower sees the slot wiped.
    fileprivate func takeBack(_ index: Int) { taken.keep(~(1 << index)) }

    deinit { unsafe sodium_free(base) }
}

extension SecretArena.Slot {
    /// The bytes of the slot. Unsafe to keep: another owner gets them when the slot is given back.
    @unsafe var memory: UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(
            start: arena.base + index * arena.slotByteCount, count: arena.slotByteCount)
    }

    /// Wipes the slot, then frees it. The C function is `sodium_memzero`.
    func giveBack() {
        unsafe sodium_memzero(memory.baseAddress, arena.slotByteCount)
        guard let owner = arena.owner else { return arena.takeBack(index) }
        owner.takeBack(arena) { arena.takeBack(index) }
    }
}
