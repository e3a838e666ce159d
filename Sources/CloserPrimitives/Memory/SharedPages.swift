/// Locked memory for short secrets that live long, such as keys: some of them share one guarded allocation.
///
/// With pages of its own, each key takes ten calls of the system and four pages, and a vault of thousands would use up what a process may
/// lock. An allocation is given back with the last of its secrets, but for one that stays for the next secret.
final class SharedPages: Sendable {
    /// Enough for a keyset of one key, or for the keys of an extension.
    static let slotByteCount = 256
    /// All slots of one allocation have two pages of the smallest size.
    private static let slotCount = 32

    private static let all = SharedPages()

    /// Those that have a free slot.
    private let open = Lock<[SecretArena]>([])

    /// A slot for a secret that may live long; nil if it is too long.
    static func take(_ byteCount: Int) -> SecretArena.Slot? {
        byteCount <= slotByteCount ? all.take() : nil
    }

    private func take() -> SecretArena.Slot? {
        open.withLock { open in
            let arena =
                open.last
                ?? SecretArena(
                    slotByteCount: Self.slotByteCount, slotCount: Self.slotCount, of: self)
            if open.isEmpty { open.append(arena) }
            let slot = arena.take()
            if arena.lentCount == Self.slotCount { open.removeLast() }
            return slot
        }
    }

    /// Takes a slot of an allocation back. `free` marks it as free.
    func takeBack(_ arena: SecretArena, _ free: () -> Void) {
        open.withLock { open in
            let wasFull = arena.lentCount == Self.slotCount
            free()
            if wasFull { open.append(arena) }
            if arena.lentCount == 0, open.count > 1 { open.removeAll { $0 === arena } }
        }
    }
}
