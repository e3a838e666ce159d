internal import CloserKeys
internal import CloserPrimitives

/// What a vault asks outside of its file: the time, and the key that a phrase gives. A test sets the clock, and a test that makes
/// thousands of wraps and opens none sets a faster derivation.
struct VaultSeams: Sendable {
    var now: @Sendable () -> Timestamp = { .now }
    /// How a phrase becomes the key that a couple's key is wrapped under: Argon2id with the costs of v1.
    var stretch: PhraseStretch = WrappingKey.stretched
}

extension Vault {
    var now: Timestamp { seams.withLock { $0 }.now() }
}
