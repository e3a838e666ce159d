#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

/// Memory between guard pages, locked where the system allows it, and how much of it is unlocked.
enum GuardedPages {
    private static let taken = Counter()
    private static let unlocked = Counter()

    /// How many pieces this process took until now, and how many of them the system left unlocked.
    static var counts: (taken: Int, unlocked: Int) {
        (Int(clamping: taken.value), Int(clamping: unlocked.value))
    }

    /// Room for `byteCount` bytes, which `sodium_free` gives back. If there is none, the process ends as ``MemoryShortage`` says.
    ///
    /// The C functions are `sodium_malloc`, which is silent about a failed lock, and `sodium_mlock`, which
    /// reports it: to lock pages twice is harmless.
    @unsafe static func take(_ byteCount: Int) -> UnsafeMutablePointer<UInt8> {
        Sodium.start()
        guard let base = unsafe sodium_malloc(byteCount) else {
            MemoryShortage(.secret, byteCount: byteCount).endProcess()
        }
        taken.add(1)
        if unsafe sodium_mlock(base, byteCount) != 0 { unlocked.add(1) }
        return unsafe base.assumingMemoryBound(to: UInt8.self)
    }
}
