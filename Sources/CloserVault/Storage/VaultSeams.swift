internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives

/// What a vault asks outside of its file: the time, and the key that a phrase gives. A test puts a clock of its own in their place, or
/// one that takes thousands of steps without looking into a wrap a faster derivation.
struct VaultSeams: Sendable {
    /// Seconds since 1970.
    var now: @Sendable () -> UInt64 = { WallClock.now }
    /// How a phrase becomes the key that a couple's key is wrapped under: Argon2id with the costs of v1.
    var stretch: PhraseStretch = WrappingKey.stretched
}

extension WrappingKey {
    fileprivate static func stretched(_ phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        do { return try WrappingKey(from: phrase) } catch { throw .outOfMemory(error) }
    }
}

/// See ``VaultSeams/stretch``.
typealias PhraseStretch = @Sendable (borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey

extension Vault {
    /// The time by this vault's clock, in seconds since 1970.
    var now: UInt64 { seams.withLock { $0 }.now() }

    /// The key under which `phrase` wraps. It takes Argon2id's time.
    func wrappingKey(of phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        try seams.withLock { $0 }.stretch(phrase)
    }

    /// The couple's key under a phrase. It takes Argon2id's time.
    func wrap(_ key: CoupleKey, under phrase: borrowing RecoveryPhrase) throws(VaultError) -> KeyWrap {
        try wrappingKey(of: phrase).wrap(key)
    }
}
