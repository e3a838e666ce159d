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
        /// Of the vault, before it was read.
        let glance: Vault.Glance?
        let key: FieldKey
        var generation = 0
    }

    /// One that stays as it is.
    init(_ key: FieldKey) {
        source = nil
        last = Mutex(Reading(glance: nil, key: key))
    }

    /// One of a vault.
    init(_ vault: Vault, of couple: CoupleID, requiring requirement: FieldKey.Requirement) throws {
        let source = Source(vault: vault, couple: couple, requirement: requirement)
        let glance = try vault.glance()
        last = Mutex(Reading(glance: glance, key: try source.read()))
        self.source = source
    }

    /// Reads the key again if the vault may have been changed, and says how often that was so.
    func reloaded() throws -> Int {
        let (last, isOther) = try reload()
        if isOther {
            Messages.note(
                "\(last.key.couple.text) got a new key while this command ran; from now on it is used")
        }
        try Messages.checkTold()
        return last.generation
    }

    /// The last reading, and whether another key seals than in the one before it.
    private func reload() throws -> (Reading, isOther: Bool) {
        try last.withLock { last in
            guard let source else { return (last, false) }
            let glance = try source.vault.glance()
            guard glance == nil || glance != last.glance else { return (last, false) }
            let former = last.key.primaryID
            last = Reading(glance: glance, key: try source.read(), generation: last.generation + 1)
            return (last, last.key.primaryID != former)
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
