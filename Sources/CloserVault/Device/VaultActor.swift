/// A vault for an app: what you call through ``use(_:)`` blocks here and not on the main actor, and the newest version is remembered where
/// you say. The calls take turns: one that reads waits for one that changes.
///
/// The calls run on a thread of the vault's own, and never on one of the few that all tasks share: a derivation of 0.1 to 0.6 s holds up
/// only those that wait for this vault.
public actor VaultActor {
    private let vault: Vault
    private let memory: (any VaultMemory)?
    let executor = VaultExecutor()

    /// Takes over a vault. The actor remembers the newest version in `memory` now, and before each result.
    ///
    /// - Throws: as ``Vault/remember(in:)``: `.rolledBack` for an older vault than the one that is remembered.
    public init(_ vault: Vault, memory: (any VaultMemory)? = nil) throws {
        (self.vault, self.memory) = (vault, memory)
        try vault.remember(in: memory)
    }

    /// Lets `body` use the vault, and remembers its newest version, even if `body` throws.
    ///
    /// If the task is cancelled while it waits for its turn, `body` does not run. A task that is cancelled later runs `body` to its end.
    ///
    /// - Throws: `CancellationError` of a task that was cancelled before its turn, what `body` throws, or else what remembering the version
    ///   throws. What `body` has changed is changed in the last two cases.
    public func use<Value: Sendable & ~Copyable>(_ body: @Sendable (Vault) throws -> Value) throws -> Value {
        let result: Result<Value, any Error>
        do {
            try Task.checkCancellation()
            result = .success(try body(vault))
        } catch { result = .failure(error) }
        // Also of a state that this object saw before: another process may have seen a newer one.
        do { try vault.remember(in: memory) } catch {
            _ = try result.get()
            throw error
        }
        return try result.get()
    }
}
