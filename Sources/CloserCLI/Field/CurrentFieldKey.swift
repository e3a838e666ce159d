internal import CloserFiles
internal import CloserKeys
internal import CloserTink
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

        func read(_ generation: Int = 0) throws -> Reading {
            let couple = try vault.couple(couple)
            let key = couple.fieldKey(requiring: requirement)
            return Reading(couple: couple, version: vault.version, key: key, generation: generation)
        }
    }

    private struct Reading {
        let couple: Couple?
        /// The state of the vault that it was read from.
        let version: VaultVersion?
        let key: FieldKey
        var generation = 0
    }

    /// One that stays as it is.
    init(_ key: FieldKey) {
        source = nil
        last = Mutex(Reading(couple: nil, version: nil, key: key))
    }

    /// One of a vault.
    init(_ vault: Vault, of couple: CoupleID, requiring requirement: FieldKey.Requirement) throws {
        let source = Source(vault: vault, couple: couple, requirement: requirement)
        last = Mutex(try source.read())
        self.source = source
    }

    /// Reads the key again if the vault may have been changed, and says how often that was so.
    func reloaded() throws -> Int {
        let (former, now) = try reload()
        if let couple = now.couple, let before = former.couple { Self.tell(couple, after: before) }
        try Messages.checkTold()
        return now.generation
    }

    /// The reading of before, and the one of now.
    private func reload() throws -> (Reading, Reading) {
        try last.withLock { last in
            let former = last
            guard let source, try !source.vault.isStill(former.version) else { return (former, former) }
            last = try source.read(former.generation + 1)
            return (former, last)
        }
    }

    private static func tell(_ couple: Couple, after former: Couple) {
        guard couple.follows(former) else {
            return Messages.insist(
                "another program changed the vault while this command ran: what it says of the keys of \(couple.id.text) does not follow from what was used so far; check it with closer-keys couple show"
            )
        }
        guard couple.key.keyset.primaryID != former.key.keyset.primaryID else { return }
        Messages.note("\(couple.id.text) got a new key while this command ran; from now on it is used")
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
