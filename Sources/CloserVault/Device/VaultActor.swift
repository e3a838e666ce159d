/// A vault for an app: every call that blocks is made here, off the main actor, and the newest version is kept where you say.
///
/// An actor runs on one of a few threads that all tasks share. A derivation holds one of them for its 0.1 to 0.6 s.
public actor VaultActor {
    private let vault: Vault
    private let keep: @Sendable (VaultVersion) throws -> Void
    private var kept: VaultVersion

    /// Takes over a vault. `keep` stores a version where an attacker cannot write, such as the Keychain, to be named as `notOlderThan` when
    /// the vault is opened the next time. It is called now, and before a result is given whenever the version is another one.
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
    /// - Throws: what `body` throws, and what keeping the version throws.
    public func use<Value: Sendable & ~Copyable>(
        _ body: @Sendable (Vault) throws -> Value
    ) throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try body(vault)) } catch { result = .failure(error) }
        let version = vault.version
        if version != kept {
            try keep(version)
            kept = version
        }
        return try result.get()
    }
}
