internal import CloserFiles
internal import CloserKeys
internal import CloserVault
internal import Synchronization

/// The key for a couple's fields as it is now: while a batch waits for its lines, or somebody types a text, another program may give the
/// couple another key, and what is sealed from then on must not be under the one of before.
final class CurrentFieldKey: Sendable {
    private let source: Source?
    private let last: Mutex<Reading>

    /// Where the key is read.
    private struct Source {
        let vault: Vault
        let couple: CoupleID
        let requirement: FieldKey.Requirement

        func read() throws -> FieldKey { try vault.couple(couple).fieldKey(requiring: requirement) }
    }

    private struct Reading {
        /// Of the vault.
        let version: VaultVersion?
        let key: FieldKey
        var generation = 0
    }

    /// One that stays as it is.
    init(_ key: FieldKey) {
        source = nil
        last = Mutex(Reading(version: nil, key: key))
    }

    /// One of a vault.
    init(_ vault: Vault, of couple: CoupleID, requiring requirement: FieldKey.Requirement) throws {
        let source = Source(vault: vault, couple: couple, requirement: requirement)
        let key = try source.read()
        last = Mutex(Reading(version: vault.version, key: key))
        self.source = source
    }

    /// Reads the key again if the vault may have been changed, and says how often that was so.
    func reloaded() throws -> Int {
        let (former, now) = try reload()
        if now.key.follows(former.key) {
            Messages.note(
                "\(now.key.couple.text) got a new key while this command ran; from now on it is used")
        } else if now.key.primaryID != former.key.primaryID {
            Messages.insist(
                "another program changed the vault while this command ran, and from now on a key of \(now.key.couple.text) is used that does not follow the one of before; check it with closer-keys couple show"
            )
        }
        try Messages.checkTold()
        return now.generation
    }

    /// The reading of before, and the one of now.
    private func reload() throws -> (Reading, Reading) {
        try last.withLock { last in
            let former = last
            guard let source, try !source.vault.isStill(former.version) else { return (former, former) }
            let key = try source.read()
            last = Reading(version: source.vault.version, key: key, generation: former.generation + 1)
            return (former, last)
        }
    }

    /// The newest, read again if need be.
    var now: FieldKey {
        get throws {
            _ = try reloaded()
            return last.withLock { $0.key }
        }
    }

    /// The one that was read last, for one more thread.
    func lane() -> FieldKey { last.withLock { $0.key }.lane() }
}
