/// A vault for an app: what you call through ``use(_:)`` blocks here and not on the main actor, and the newest version is kept where
/// you say. The calls take turns: one that reads waits for one that changes.
///
/// An actor runs on one of a few threads that all tasks share. A derivation holds one of them for its 0.1 to 0.6 s.
public actor VaultActor {
    private let vault: Vault
    private let keep: @Sendable (VaultVersion) throws -> Void
    private var kept: VaultVersion

    /// Takes over a vault. `keep` stores a version where an attacker cannot write, such as the Keychain, to be named as `notOlderThan` when
    /// the vault is opened the next time. It is called now, and before a result is given whenever the version is another one.
    /// Where several processes share a vault, keep `version.newer(of:)` what is stored already.
    ///
    /// - Throws: what `keep` throws.
    public init(
        _ vault: Vault, keeping keep: @escaping @Sendable (VaultVersion) throws -> Void = { _ in }
    ) throws {
        (self.vault, self.keep, kept) = (vault, keep, vault.version)
        try keep(kept)
    }

    /// Lets `body` use the vault, and keeps its newest version, even if `body` throws.
    ///
    /// - Throws: what `body` throws, or else what keeping the version throws. What `body` has changed is changed in both cases.
    public func use<Value: Sendable & ~Copyable>(_ body: @Sendable (Vault) throws -> Value) throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try body(vault)) } catch { result = .failure(error) }
        do { try keepNewest() } catch {
            _ = try result.get()
            throw error
        }
        return try result.get()
    }

    private func keepNewest() throws {
        let version = vault.version
        guard version != kept else { return }
        try keep(version)
        kept = version
    }
}
