/// Bytes that nobody else may see: a key, a phrase, or what is derived from one.
///
/// They live in locked memory between guard pages (libsodium), have this one owner, are lent as a span,
/// and are wiped when the owner goes. For bytes that live for one call use
/// ``init(shortLived:initializingWith:)``, which borrows a slot instead of allocating pages.
///
/// - Important: Never copy the content into an `Array`, a `String` or `Data`: nobody wipes those.
public struct SecretBytes: ~Copyable, Sendable {
    private let memory: GuardedMemory

    /// Allocates room for `capacity` bytes and lets `fill` write them in place. The count is what was written.
    public init<Failure: Error>(
        capacity: Int, initializingWith fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = GuardedMemory(pagesFor: capacity)
        try memory.fill(fill)
        self.memory = memory
    }

    /// The same for bytes that die with the call that made them: from a slot of the arena, when one is free.
    public init<Failure: Error>(
        shortLived capacity: Int, initializingWith fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = GuardedMemory(slotFor: capacity) ?? GuardedMemory(pagesFor: capacity)
        try memory.fill(fill)
        self.memory = memory
    }

    /// A copy of `bytes`. The caller wipes the original, or it was no secret.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { $0.append(copying: bytes) }
    }

    /// New random bytes.
    public static func random(count: Int, from randomness: Randomness = .system) -> SecretBytes {
        SecretBytes(capacity: count) { randomness.append(count, to: &$0) }
    }

    /// New random bytes that die with the call that drew them.
    public static func random(shortLived count: Int, from randomness: Randomness = .system) -> SecretBytes {
        SecretBytes(shortLived: count) { randomness.append(count, to: &$0) }
    }

    /// How many bytes there are. The length of a secret is public.
    public var count: Int { memory.count }

    /// Lends the bytes to `body`. A span cannot outlive the call, so nothing can be kept.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.withBytes(body)
    }

    /// Whether both hold the same bytes, in time that depends on the length alone.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        withBytes { ours in other.withBytes { theirs in ConstantTime.isEqual(ours, theirs) } }
    }
}
