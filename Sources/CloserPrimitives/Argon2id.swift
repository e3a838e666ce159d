/// Argon2id version 1.3 (RFC 9106): a key from a phrase, made slow on purpose.
///
/// libsodium computes one lane, at more than twice the speed of the reference implementation.
/// libargon2, the reference, computes the rest where it is built; the self-test holds the two against each other. Where it is
/// not, as on Apple's systems, there is one lane, as in all of our formats.
package struct Argon2id: Equatable, Sendable {
    /// The salt of our formats, 16 bytes. libsodium takes 16 alone; libargon2 takes 8 and more.
    package static let saltByteCount = 16

    /// Memory in KiB, at least 8 a lane.
    package let memoryKiB: Int
    /// Passes over the memory, at least 1.
    package let passes: Int
    /// Lanes, at least 1.
    package let lanes: Int

    /// The most that may be asked for: 1 GiB, ten passes, four lanes (one without libargon2), which take some 15 s.
    ///
    /// Callers compare costs from outside with those they expect, before they come here. This bound is the second
    /// line: a document cannot make this process allocate 4 GiB (docs/threat-model.md#w15).
    package static let ceiling = (memoryKiB: 1 << 20, passes: 10, lanes: mostLanes)

    #if CLOSER_LIBARGON2
    private static let mostLanes = 4
    #else
    private static let mostLanes = 1
    #endif

    /// The costs are outside those of RFC 9106 or above ``ceiling``.
    package struct CostError: Error, Equatable, Sendable {}

    /// Checks the costs, before the first allocation.
    ///
    /// - Throws: ``CostError``.
    package init(memoryKiB: Int, passes: Int, lanes: Int) throws(CostError) {
        guard (1...Self.ceiling.lanes).contains(lanes), (1...Self.ceiling.passes).contains(passes),
            (8 * lanes...Self.ceiling.memoryKiB).contains(memoryKiB)
        else { throw CostError() }
        (self.memoryKiB, self.passes, self.lanes) = (memoryKiB, passes, lanes)
    }

    /// Derives `count` bytes (16 or more) from a password and a salt of 16 bytes. libargon2 takes any salt of 8 bytes or more.
    ///
    /// Blocks for as long as the costs demand.
    ///
    /// - Throws: ``MemoryShortage``.
    package func derive(
        from password: borrowing SecretBytes, salt: Span<UInt8>, count: Int = 32
    ) throws(MemoryShortage) -> SecretBytes {
        #if CLOSER_LIBARGON2
        guard lanes == 1, salt.count == Self.saltByteCount else {
            return try deriveWithReference(from: password, salt: salt, count: count)
        }
        #endif
        return try deriveWithSodium(from: password, salt: salt, count: count)
    }

    /// What both libraries say by failing: the costs and the salt were checked, so memory is what remains.
    var shortage: MemoryShortage { MemoryShortage(.argon2id, byteCount: memoryKiB * 1024) }
}
