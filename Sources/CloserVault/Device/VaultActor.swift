/// A vault for an app: what you call through ``use(_:)`` blocks here and not on the main actor, and the newest version is kept where
/// you say. The calls take turns: one that reads waits for one that changes.
///
/// The calls run on a thread of the vault's own, and never on one of the few that all tasks share: a derivation of 0.1 to 0.6 s holds up
/// only those that wait for this vault.
public actor VaultActor {
    private let vault: Vault
    private let keep: @Sendable (VaultVersion) throws -> Void
    private var kept: VaultVersion
    let executor = VaultExecutor()

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
    /// If the task is cancelled while it waits for its turn, `body` does not run. A task that is cancelled later runs `body` to its end.
    ///
    /// - Throws: `CancellationError` of a task that was cancelled before its turn, what `body` throws, or else what keeping the version
    ///   throws. What `body` has changed is changed in the last two cases.
    public func use<Value: Sendable & ~Copyable>(_ body: @Sendable (Vault) throws -> Value) throws -> Value {
        let result: Result<Value, any Error>
        do {
            try Task.checkCancellation()
            result = .success(try body(vault))
        } catch { result = .failure(error) }
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
