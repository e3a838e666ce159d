internal import Synchronization

#if canImport(Clibsodium)
    internal import Clibsodium
#else
    internal import CCloserSodium
#endif

/// Locked memory for secrets that live for one call: 64 slots of 256 bytes in one guarded allocation.
///
/// `sodium_malloc` takes several pages and some 13 µs, which is more than a small operation needs for its work. Taking
/// a slot sets one bit of a word. A slot is wiped when it comes back. All slots together have 16 KiB, well below the
/// 64 KiB that old systems let a process lock.
@safe final class SecretArena: Sendable {
    /// Enough for every key, nonce and digest; a longer secret gets pages of its own.
    static let slotByteCount = 256
    /// One for each bit of the word that says which are lent.
    static let slotCount = 64

    /// A slot that is lent. Whoever took it gives it back exactly once.
    struct Slot { fileprivate let index: Int }

    /// The only arena of the process.
    static let shared = SecretArena()

    private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>
    private let taken = Mutex<UInt64>(0)

    private init() {
        unsafe base = GuardedPages.take(Self.slotCount * Self.slotByteCount)
    }

    /// A free slot, or nil when all are lent or `byteCount` does not fit.
    func take(_ byteCount: Int) -> Slot? {
        guard byteCount <= Self.slotByteCount else { return nil }
        return taken.withLock { bits in
            let index = (~bits).trailingZeroBitCount
            guard index < Self.slotCount else { return nil }
            bits |= 1 << index
            return Slot(index: index)
        }
    }

    /// Wipes the slot, then frees it. The C function is `sodium_memzero`.
    func giveBack(_ slot: Slot) {
        unsafe sodium_memzero(memory(of: slot).baseAddress, Self.slotByteCount)
        taken.withLock { $0 &= ~(1 << slot.index) }
    }

    /// The 256 bytes of a slot. Unsafe to keep: another owner gets them when the slot is given back.
    @unsafe func memory(of slot: Slot) -> UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(
            start: base + slot.index * Self.slotByteCount, count: Self.slotByteCount)
    }
}
