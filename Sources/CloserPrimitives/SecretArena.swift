internal import CCloserSodium
internal import Synchronization

/// Locked memory for secrets that live for one call: 64 slots of 256 bytes in one guarded allocation.
///
/// `sodium_malloc` takes several pages and some 13 µs, more than the work of a small operation; a slot takes
/// a bit in a word. A slot is wiped when it comes back. 16 KiB stay below the 64 KiB of locked memory that
/// old systems allow.
@safe final class SecretArena: Sendable {
    static let slotByteCount = 256
    static let slotCount = 64

    struct Slot { fileprivate let index: Int }

    static let shared = SecretArena()

    private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt8>
    private let taken = Mutex<UInt64>(0)

    private init() {
        Sodium.start()
        guard let memory = unsafe sodium_malloc(Self.slotCount * Self.slotByteCount) else {
            preconditionFailure("no memory left for short-lived secrets")
        }
        unsafe base = memory.assumingMemoryBound(to: UInt8.self)
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

    /// Whether the system lets us lock memory. Locking twice changes nothing.
    var isLocked: Bool {
        unsafe sodium_mlock(base, Self.slotCount * Self.slotByteCount) == 0
    }

    @unsafe func memory(of slot: Slot) -> UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(
            start: base + slot.index * Self.slotByteCount, count: Self.slotByteCount)
    }
}
