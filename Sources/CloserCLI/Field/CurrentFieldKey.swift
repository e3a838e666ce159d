internal import CloserFiles
internal import CloserKeys
internal import CloserVault
internal import Synchronization

/// The key for a couple's fields as it is now: while a batch waits for its lines, or somebody types a text, another program may give the
/// couple another key, and what is sealed from then on must not be under the one of before.
final class CurrentFieldKey: Sendable {
    private let source: Source?
    private let last: Mutex<Reading>

    /// Where the key is read anew.
    private struct Source {
        let vault: Vault
        let couple: CoupleID
        let requirement: FieldKey.Requirement

        func read() throws -> FieldKey { try vault.couple(couple).fieldKey(requiring: requirement) }
    }

    private struct Reading {
        /// The vault's file, looked at before it was read.
        let file: FileState?
        let key: FieldKey
        var number = 0
    }

    /// One that stays as it is.
    init(_ key: FieldKey) {
        source = nil
        last = Mutex(Reading(file: nil, key: key))
    }

    /// One of a vault.
    init(_ vault: Vault, of couple: CoupleID, requiring requirement: FieldKey.Requirement) throws {
        let (source, file) = (Source(vault: vault, couple: couple, requirement: requirement), vault.fileState)
        last = Mutex(Reading(file: file, key: try source.read()))
        self.source = source
    }

    /// Reads the key anew if the vault's file is another one, and says how often that was so. Otherwise it costs one system call.
    func renewed() throws -> Int {
        guard let source else { return 0 }
        return try last.withLock { last in
            let file = source.vault.fileState
            guard file != last.file else { return last.number }
            let key = try source.read()
            if key.primaryID != last.key.primaryID {
                Messages.note("\(source.couple.text) has got another key; it is used from here on")
            }
            last = Reading(file: file, key: key, number: last.number + 1)
            return last.number
        }
    }

    /// The newest, read anew if need be.
    var now: FieldKey {
        get throws {
            _ = try renewed()
            return last.withLock { $0.key }
        }
    }

    /// The one that was read last, for one more thread.
    func lane() -> FieldKey { last.withLock { $0.key }.lane() }
}
