/// Secret bytes: a key, a phrase, or what is derived from one.
///
/// They lie in locked memory between guard pages (libsodium) and have exactly one owner. The owner lends them as a
/// span; when it goes out of scope they are wiped. For bytes that live for one call use
/// ``init(shortLived:initializingWith:)``, which is cheaper: it borrows a slot.
///
/// While a primitive uses them, some of what it computes is outside, in unlocked memory: the provider's key schedules,
/// which libcrypto cleanses, and the working memory of Argon2id (docs/threat-model.md, Secrets in memory).
///
/// - Important: Never copy the content into an `Array`, a `String` or `Data`, which stay in memory, except at the edge: a text
///   field, the screen, the Keychain. Let go of such a copy at once.
public struct SecretBytes: ~Copyable, Sendable {
    private let memory: GuardedMemory

    /// Allocates room for `capacity` bytes and lets `fill` write them in place.
    ///
    /// The secret has as many bytes as `fill` wrote. If `fill` throws, what it had written is wiped. Up to 256 bytes share pages with
    /// other secrets; more have pages of their own.
    ///
    /// - Throws: What `fill` throws. For want of memory, the process ends; see ``MemoryShortage``.
    public init<Failure: Error>(
        capacity: Int, initializingWith fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = GuardedMemory(longLived: capacity)
        try memory.fill(fill)
        self.memory = memory
    }

    /// Allocates bytes that die with the call that made them.
    ///
    /// They take one of 64 slots of 256 bytes, or one of four of 4 KiB, and pages of their own if none is free or they are longer.
    ///
    /// - Throws: What `fill` throws.
    public init<Failure: Error>(
        shortLived capacity: Int, initializingWith fill: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = GuardedMemory(slotFor: capacity) ?? GuardedMemory(longLived: capacity)
        try memory.fill(fill)
        self.memory = memory
    }

    /// A copy of `bytes`, for public bytes, or bytes that another owner wipes.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { $0.append(copying: bytes) }
    }

    /// A copy of `bytes`, such as `Data` from the Keychain. Let go of the original, which stays in memory.
    public init(copying bytes: some Collection<UInt8>) {
        self.init(capacity: bytes.count) { output in
            for byte in bytes { output.append(byte) }
        }
    }

    /// The UTF-8 of a text, such as one that a person typed. Let go of the text, which stays in memory.
    public init(utf8 text: String) { self.init(copying: text.utf8) }

    /// `count` new random bytes.
    public static func random(count: Int, from randomness: Randomness = .system) -> SecretBytes {
        SecretBytes(capacity: count) { randomness.append(count, to: &$0) }
    }

    /// `count` new random bytes that die with the call that drew them.
    public static func random(shortLived count: Int, from randomness: Randomness = .system) -> SecretBytes {
        SecretBytes(shortLived: count) { randomness.append(count, to: &$0) }
    }

    /// How many bytes there are. The length of a secret is public.
    public var count: Int { memory.count }

    /// Lends the bytes to `body`. A span ends with the call, so `body` cannot keep it.
    ///
    /// - Throws: What `body` throws.
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
