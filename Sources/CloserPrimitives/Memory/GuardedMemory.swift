#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

/// The memory behind a ``SecretBytes``: pages of its own, a share of pages, or a slot of the arena.
///
/// This is a class because its `deinit` wipes: Swift 6.3.1 may skip the `deinit` of a generic `~Copyable` struct.
/// Safe to share between threads: the bytes are written once, before a second reference exists, and from then on
/// only read.
@safe final class GuardedMemory: @unchecked Sendable {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let slot: SecretArena.Slot?
    private(set) var count = 0

    /// Memory for `capacity` bytes that may live long: a share of guarded pages, or pages of their own for many bytes.
    convenience init(longLived capacity: Int) {
        self.init(capacity, in: SharedPages.take(capacity))
    }

    /// A slot of the arena, or nil when none is free or `capacity` is more than any holds.
    convenience init?(slotFor capacity: Int) {
        guard let slot = SecretArena.take(capacity) else { return nil }
        self.init(capacity, in: slot)
    }

    private init(_ capacity: Int, in slot: SecretArena.Slot?) {
        self.slot = slot
        let start = unsafe slot?.memory.baseAddress ?? GuardedPages.take(capacity)
        unsafe buffer = UnsafeMutableBufferPointer(start: start, count: capacity)
    }

    /// Lets `body` write the bytes. Called once, by the initialiser of the owner.
    func fill<Failure: Error>(_ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void) throws(Failure) {
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        try body(&output)
        unsafe count = output.finalize(for: buffer)
    }

    /// Lends the bytes that were written.
    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe UnsafeBufferPointer(start: buffer.baseAddress, count: count).span)
    }

    deinit {
        guard let slot else {
            // `sodium_free` wipes, then unmaps. A plain `memset` here could be optimised away.
            return unsafe sodium_free(buffer.baseAddress)
        }
        slot.giveBack()
    }
}
