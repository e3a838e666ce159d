internal import CloserFiles
public import CloserKeys
public import CloserPrimitives
internal import CloserWire

extension Couple {
    /// What this device knows of a couple's recovery phrase: whether a person has it.
    public enum PhraseState: Equatable, Sendable {
        /// It was made, and is not confirmed yet.
        case notConfirmed
        /// A person said that they have it, or it was written to a file.
        case confirmed
        /// A person typed it, and it opened what this device has. `day` is when that day began in UTC.
        case rehearsed(day: Timestamp)

        static var rehearsedToday: Couple.PhraseState {
            let now = WallClock.now
            return .rehearsed(day: Timestamp(secondsSince1970: now - now % secondsPerDay))
        }

        private static let secondsPerDay: UInt64 = 86_400
        static let maximumByteCount = 16

        /// One number: 0, 1, or a day after the first.
        var bytes: [UInt8] {
            switch self {
            case .notConfirmed: [UInt8](bigEndian: UInt64(0))
            case .confirmed: [UInt8](bigEndian: UInt64(1))
            case .rehearsed(let day): [UInt8](bigEndian: max(day.secondsSince1970, Self.secondsPerDay))
            }
        }

        fileprivate init(stored number: UInt64) throws(VaultError) {
            switch number {
            case 0: self = .notConfirmed
            case 1: self = .confirmed
            default:
                guard number % Self.secondsPerDay == 0 else { throw .damaged }
                self = .rehearsed(day: Timestamp(secondsSince1970: number))
            }
        }
    }
}

extension RecordFields {
    /// What is known of a phrase; nil for an empty field.
    mutating func phraseState(in bytes: Span<UInt8>) throws(VaultError) -> Couple.PhraseState? {
        try optional(in: bytes) { (fields) throws(VaultError) in
            try Couple.PhraseState(stored: try fields.number(in: bytes))
        }
    }
}

extension Vault {
    /// Remembers that a person has the phrase that opens `document`, after they said so. A phrase that was confirmed or rehearsed stays
    /// so.
    ///
    /// Pass the document that the vault had when the phrase was shown. If the couple has a newer phrase by now, perhaps from another
    /// process, the result is false and the vault stays unchanged: the person has yet to see that phrase.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    @discardableResult
    public func confirmPhrase(of id: CoupleID, opening document: CoupleDocument) throws(VaultError) -> Bool {
        try change { (transaction) throws(VaultError) in
            var couple = try transaction.couple(id)
            guard couple.wrap == document.wrap else { return false }
            guard couple.phrase == .notConfirmed else { return true }
            couple.phrase = .confirmed
            transaction.put(couple)
            return true
        }
    }

    /// Remembers that a person brought the phrase today and that it opened the document, as ``rehearse(_:from:phrase:)`` finds out. The
    /// result is false, and the vault unchanged, if this device's own document is under another phrase.
    ///
    /// It blocks for Argon2id, some 0.1 s and 45 MiB of memory, if the document is not this device's own; and until the change is on
    /// the disk.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`.
    @discardableResult
    public func rememberRehearsal(
        of id: CoupleID, from document: CoupleDocument, phrase: borrowing RecoveryPhrase
    ) throws(VaultError) -> Bool {
        let wrap = try read { (transaction) throws(VaultError) in try transaction.couple(id).wrap }
        guard document.wrap == wrap || wrap.opens(with: phrase) else { return false }
        return try change { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            guard couple.wrap == wrap else { return false }
            transaction.putRehearsed(couple)
            return true
        }
    }
}

extension Transaction {
    /// Stores that the couple's phrase was rehearsed today, and returns the couple.
    @discardableResult
    mutating func putRehearsed(_ couple: Couple) -> Couple {
        var rehearsed = couple
        rehearsed.phrase = .rehearsedToday
        if rehearsed.phrase != couple.phrase { put(rehearsed) }
        return rehearsed
    }
}

extension KeyWrap {
    fileprivate func opens(with phrase: borrowing RecoveryPhrase) -> Bool {
        (try? unwrap(with: phrase)) != nil
    }
}
