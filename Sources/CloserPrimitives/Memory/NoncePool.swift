#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#else
internal import Darwin
#endif

/// Random bytes for nonces, drawn from the system many at a time: one call of the system takes as long as to seal a short text.
///
/// Two processes with the same pool would use each nonce twice. So the page is one that a fork wipes, and how many bytes are left
/// stands in the page itself: a child reads 0, and draws its own. On other systems, each draw asks whether this is
/// still the ``ForkGeneration`` that filled it. What is handed out is wiped. Threads are faster with a pool each.
///
/// - Important: A machine that is copied while it runs has two copies of the pool, and no process learns of the copy. So the pool is for
///   texts that are in memory, too: both copies seal these alike. ``wipe()`` makes later texts draw their own. A key never
///   comes from the pool: ``Randomness`` draws only nonces from it.
@safe final class NoncePool: Sendable {
    /// One page of the smallest size.
    private static let byteCount = 4096
    /// Behind the two counts.
    private static let capacity = byteCount - 2 * MemoryLayout<Int>.size

    private nonisolated(unsafe) let page: UnsafeMutableRawPointer
    private let isWipedByFork: Bool
    /// The process that drew what is left.
    private let owner: Lock<ForkGeneration>
    private let processNumber: @Sendable () -> pid_t

    /// A test asks for a pool that no fork wipes, and for a process whose number came again.
    init(wipedByFork: Bool = true, processNumber: @escaping @Sendable () -> pid_t = { getpid() }) {
        let page = unsafe mmap(
            nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let page = unsafe page, unsafe page != MAP_FAILED else {
            MemoryShortage(.secret, byteCount: Self.byteCount).endProcess()
        }
        unsafe self.page = page
        self.processNumber = processNumber
        owner = Lock(ForkGeneration(processNumber: processNumber()))
        isWipedByFork = unsafe wipedByFork && Self.isWiped(page)
    }

    /// Asks the system to give a child an empty page. A child of `vfork` or of a thread shares ours, and takes its turn.
    @unsafe private static func isWiped(_ page: UnsafeMutableRawPointer) -> Bool {
        #if os(Linux) || os(Android)
        unsafe madvise(page, byteCount, CInt(MADV_WIPEONFORK)) == 0
        #else
        false
        #endif
    }

    /// Appends `count` bytes, each handed out once.
    ///
    /// This never waits: while another thread draws, and in a child that was forked meanwhile, the bytes come from the system.
    func append(_ count: Int, to output: inout OutputSpan<UInt8>) {
        let isDrawn = owner.withLockIfAvailable { owner in draw(count, owner: &owner, to: &output) }
        if isDrawn != true { Sodium.appendRandom(count, to: &output) }
    }

    /// False for more than the page holds.
    private func draw(_ count: Int, owner: inout ForkGeneration, to output: inout OutputSpan<UInt8>) -> Bool {
        guard count <= Self.capacity else { return false }
        if left < count || isOfAnother(&owner) { refill(count) }
        let bytes = unsafe page + Self.byteCount - left
        left -= count
        unsafe output.append(count) { target in
            unsafe UnsafeMutableRawPointer(target).copyMemory(from: bytes, byteCount: count)
            unsafe sodium_memzero(bytes, count)
            return true
        }
        return true
    }

    /// Wipes the remaining bytes, before the process waits.
    ///
    /// While another thread draws, this one waits: that thread may fill the page.
    func wipe() {
        owner.withLock { _ in unsafe sodium_memzero(page, Self.byteCount) }
    }

    private func isOfAnother(_ owner: inout ForkGeneration) -> Bool {
        guard !isWipedByFork else { return false }
        let now = ForkGeneration(processNumber: processNumber())
        defer { owner = now }
        return owner != now
    }

    /// Draws only what a lone text needs at first, and each time eight times as much as before, since a page takes 10 µs.
    private func refill(_ count: Int) {
        Sodium.start()
        let drawn = min(max(count, wanted), Self.capacity)
        unsafe randombytes_buf(page + Self.byteCount - drawn, drawn)
        (left, wanted) = (drawn, drawn * 8)
    }

    /// How many bytes at the end of the page are left.
    private var left: Int {
        get { unsafe page.load(as: Int.self) }
        set { unsafe page.storeBytes(of: newValue, as: Int.self) }
    }

    /// How many bytes the next call of the system draws: 0 after a wipe.
    private var wanted: Int {
        get { unsafe page.load(fromByteOffset: MemoryLayout<Int>.size, as: Int.self) }
        set { unsafe page.storeBytes(of: newValue, toByteOffset: MemoryLayout<Int>.size, as: Int.self) }
    }

    /// A copy of the page. A test writes it as well, as a machine that is put back.
    var testOnlyPage: [UInt8] {
        get { unsafe Array(UnsafeRawBufferPointer(start: page, count: Self.byteCount)) }
        set { unsafe page.copyMemory(from: newValue, byteCount: Self.byteCount) }
    }

    deinit { unsafe munmap(page, Self.byteCount) }
}
