internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

/// The key for a couple's fields as it is now: while a batch waits for its lines, another command may give the couple another key, and
/// what is sealed after that must not be under the former one.
final class CurrentFieldKey: Sendable {
    private let source: Source?
    private let last: Lock<Reading>

    private struct Source {
        let vault: Vault
        let couple: CoupleID
        let requirement: FieldKey.Requirement

        func read(_ generation: Int = 0) throws -> Reading {
            let reader = try vault.fieldReader(of: couple, requiring: requirement)
            return Reading(
                changeCount: vault.version.changeCount, reader: reader, generation: generation)
        }
    }

    private struct Reading {
        /// The count of the vault that it was read from.
        let changeCount: UInt64
        let reader: FieldReader
        var generation = 0
    }

    /// One that stays as it is.
    init(_ key: FieldKey) {
        source = nil
        last = Lock(Reading(changeCount: 0, reader: FieldReader(key)))
    }

    init(_ vault: Vault, of couple: CoupleID, requiring requirement: FieldKey.Requirement) throws {
        let source = Source(vault: vault, couple: couple, requirement: requirement)
        last = Lock(try source.read())
        self.source = source
    }

    /// Reads the key again if the vault's count has moved, and says how often that was so.
    func reloaded() throws -> Int {
        try last.withLock { last in
            guard let source, try source.vault.changeCount != last.changeCount else { return last.generation }
            let former = last
            last = try source.read(former.generation + 1)
            if last.reader.key.primaryID != former.reader.key.primaryID {
                Diagnostics.note(
                    "\(source.couple.text) got a new key while this command ran; from now on it is used")
            }
            return last.generation
        }
    }

    /// The newest, read again if need be.
    var now: FieldReader {
        get throws {
            _ = try reloaded()
            return last.withLock { $0.reader }
        }
    }

    /// Says that the server may read what is sealed now.
    func tellIfServerKnown() { last.withLock { $0.reader }.key.tellIfServerKnown() }

    /// Opens a field. If the couple lacks the key that the token names, the error says where that key is, as far as the vault knows.
    func explaining<Opened>(_ token: [UInt8], _ open: () throws -> Opened) throws -> Opened {
        do { return try open() } catch let error as FieldError {
            guard error == .opening(.noMatchingKey), let source,
                let id = OutputPrefix.keyID(namedBy: try FieldToken(parsing: token).ciphertext)
            else { throw error }
            try source.vault.explainLack(ofKey: id, in: source.couple)
            throw error
        }
    }

    /// The one that was read last, for one more thread.
    func forThread() -> FieldReader { last.withLock { $0.reader }.forThread() }
}
