internal import CCloserSodium

/// The memory behind a ``SecretBytes``: pages of its own, or a slot of the arena.
///
/// The wipe is in the `deinit` of a class because that of a generic `~Copyable` struct may be skipped
/// by today's compiler. Sendable by argument, not by compiler: written once, before it is shared, then only read.
@safe final class GuardedMemory: @unchecked Sendable {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let slot: SecretArena.Slot?
    private(set) var count = 0

    /// Guarded pages for `capacity` bytes. The C function is `sodium_malloc`.
    init(pagesFor capacity: Int) {
        Sodium.start()
        guard let base = unsafe sodium_malloc(capacity) else {
            preconditionFailure("no memory left for a secret of \(capacity) bytes")
        }
        unsafe buffer = UnsafeMutableBufferPointer(
            start: base.assumingMemoryBound(to: UInt8.self), count: capacity)
        slot = nil
    }

    /// A slot of the arena, or nil when none is free or `capacity` is more than a slot holds.
    init?(slotFor capacity: Int) {
        guard let slot = SecretArena.shared.take(capacity) else { return nil }
        unsafe buffer = UnsafeMutableBufferPointer(rebasing: SecretArena.shared.memory(of: slot)[..<capacity])
        self.slot = slot
    }

    func fill<Failure: Error>(_ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void) throws(Failure) {
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        try body(&output)
        unsafe count = output.finalize(for: buffer)
    }

    func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe UnsafeBufferPointer(start: buffer.baseAddress, count: count).span)
    }

    deinit {
        guard let slot else { return unsafe sodium_free(buffer.baseAddress) }  // wipes, then unmaps
        SecretArena.shared.giveBack(slot)
    }
}
