internal import CloserKeys
internal import CloserPrimitives

/// How a phrase becomes the key under which a couple's key is wrapped: ``VaultSeams/stretch``.
typealias PhraseStretch = @Sendable (borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey

extension WrappingKey {
    static func stretched(_ phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        do { return try WrappingKey(from: phrase) } catch { throw .outOfMemory(error) }
    }
}

extension Vault {
    /// The key under which `phrase` wraps. It takes Argon2id's time.
    func wrappingKey(of phrase: borrowing RecoveryPhrase) throws(VaultError) -> WrappingKey {
        try seams.withLock { $0 }.stretch(phrase)
    }

    /// The couple's key under a phrase. It takes Argon2id's time.
    func wrap(_ key: CoupleKey, under phrase: borrowing RecoveryPhrase) throws(VaultError) -> KeyWrap {
        try wrappingKey(of: phrase).wrap(key)
    }
}
