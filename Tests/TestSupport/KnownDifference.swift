public import Testing

/// What does not hold with every provider of primitives, and is known: a test expects it by name instead of being left out.
public enum KnownDifference {
    /// Expects that no AES key schedule of the pattern is left, except where swift-crypto computes.
    ///
    /// BoringSSL, with which swift-crypto computes where there is no CryptoKit, does not wipe a schedule when it frees it
    /// (docs/threat-model.md, Secrets in memory). It may be overwritten by then.
    public static func expectNoKeySchedule(
        of pattern: MaskedPattern, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try MemoryScan.count(pattern)
        #if CLOSER_KIT && !canImport(CryptoKit)
        withKnownIssue(
            "swift-crypto leaves key schedules in freed memory", isIntermittent: true,
            sourceLocation: sourceLocation
        ) { #expect(found == 0, sourceLocation: sourceLocation) }
        #else
        #expect(found == 0, sourceLocation: sourceLocation)
        #endif
    }
}
