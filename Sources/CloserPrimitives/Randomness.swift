/// Where random bytes come from: the operating system, or in a test a list of bytes that was written down before.
///
/// This is the only place where random bytes enter. Code that draws a key, a nonce or a salt takes one of these, so
/// that a test can make a golden value of another implementation once more.
public struct Randomness: Sendable {
    private enum Source: Sendable { case system, pool(NoncePool), script(Script) }

    private let source: Source

    /// The operating system's generator. The C function is `randombytes_buf`.
    public static let system = Randomness(source: .system)

    /// This generator, asked for many nonces at a time, for one thread. Sealing a short text then takes about a third of the
    /// time; the other two thirds were the system's call.
    ///
    /// Only nonces come from the page. Keys, salts and everything else come from the system, as from ``system``. A process that is
    /// forked draws anew.
    ///
    /// - Important: Use it for texts that are in memory, and call ``wipePool()`` after the last of them, before the process waits for more.
    ///   A virtual machine may be copied, or reset to a snapshot, while the process waits: nonces that are left would be used for other
    ///   texts in each copy, and two texts under one nonce reveal each other and let others forge.
    public static func pooledForNonces() -> Randomness { pooled(NoncePool()) }

    /// Wipes the nonces that ``pooledForNonces()`` drew and that are left. The next text draws again.
    ///
    /// Call it before the process waits: for input, a reply or a lock. The other sources draw at each call, and stay as they are.
    public func wipePool() {
        if case .pool(let pool) = source { pool.wipe() }
    }

    static func pooled(_ pool: NoncePool) -> Randomness { Randomness(source: .pool(pool)) }

    /// Hands out `bytes` in order, and stops the process when they run out.
    package static func testOnlyScript(_ bytes: [UInt8]) -> Randomness {
        Randomness(source: .script(Script(bytes)))
    }

    /// Appends `count` random bytes to `output`, which must have room for them.
    public func append(_ count: Int, to output: inout OutputSpan<UInt8>) {
        switch source {
        case .system, .pool: Sodium.appendRandom(count, to: &output)
        case .script(let script): script.append(count, to: &output)
        }
    }

    /// Appends `count` random bytes that are public as soon as they are used, each for one use.
    func appendNonce(_ count: Int, to output: inout OutputSpan<UInt8>) {
        guard case .pool(let pool) = source else { return append(count, to: &output) }
        pool.append(count, to: &output)
    }

    /// `count` random public bytes: a nonce, a salt, an id. For a key take ``SecretBytes/random(count:from:)``.
    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](capacity: count) { append(count, to: &$0) }
    }
}

/// The bytes left in a test's script, shared by the copies of its `Randomness`.
private final class Script: Sendable {
    private let remaining: Lock<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { remaining = Lock(bytes[...]) }

    func append(_ count: Int, to output: inout OutputSpan<UInt8>) {
        let next = remaining.withLock { remaining in
            precondition(remaining.count >= count, "the scripted randomness has run out")
            defer { remaining = remaining.dropFirst(count) }
            return Array(remaining.prefix(count))
        }
        output.append(copying: next.span)
    }
}
