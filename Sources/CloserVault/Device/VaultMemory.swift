/// Where a device remembers the newest version of a vault that it saw: the Keychain, or another place of this device
/// alone that an attacker who writes the vault cannot write.
///
/// What is remembered is replaced only by a state that came of it, so two processes that were shown two branches of a vault cannot both
/// go on.
public protocol VaultMemory: Sendable {
    /// Replaces the version that is remembered, nil at first, by what `next` makes of it, and returns once that is durable.
    ///
    /// From the reading to the writing, no other process or thread of this device calls `next`. If `next` throws, what is
    /// remembered stays, and the error is thrown on.
    func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws
}

extension Vault {
    /// Remembers the newest version that this object has read or written, before a result of it is shown. ``VaultActor`` does it for you.
    ///
    /// If the vault did not come of the version that is remembered, it is read once more, since another process may have been faster.
    ///
    /// - Throws: ``VaultError``: `.rolledBack` if it still did not, `.replaced` if another vault is remembered, and as each verb that reads;
    ///   and what `memory` throws.
    public func remember(in memory: any VaultMemory) throws {
        try memory.exchange { known in try newest(after: known) }
    }

    /// Without a memory, keeps a copy of the newest state alone.
    func remember(in memory: (any VaultMemory)?) throws {
        if let memory { try remember(in: memory) } else { _ = try newest(after: nil) }
    }
}
