internal import CloserFiles
internal import CloserPrimitives
internal import CloserWire

/// Says that a code may have been answered since this copy of the vault was made: in the vault that it was exported from, or that
/// it replaced. A second answer to one code would be a second guess, so a person must say that a code is newer.
struct OlderCopy: Record {
    static let kind = RecordKind.olderCopy
    static let id = RecordID()
    /// When the copy was imported or accepted: codes that were made later are new to every copy.
    let since: Timestamp

    init(since: Timestamp) { self.since = since }

    var recordID: RecordID { Self.id }
    var maximumByteCount: Int { 16 }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        since = Timestamp(secondsSince1970: try fields.number(in: bytes))
    }

    func write(to output: inout OutputSpan<UInt8>) {
        output.append(field: [UInt8](bigEndian: since.secondsSince1970))
    }
}

extension Transaction {
    /// Closes what only one copy of a vault may finish, and asks of each code from now on whether it is new.
    mutating func becomeOlderCopy(at now: Timestamp = .now) throws(VaultError) {
        try closeOffers()
        put(OlderCopy(since: now))
        try restartChats(endingKeys: false, at: now)
        for var couple in try records(Couple.self) {
            couple.recoveredAt = WallClock.now
            put(couple)
        }
    }

    /// Refuses a code that may have been answered in a newer copy of this vault.
    func checkIsNewest() throws(VaultError) {
        guard let copy = try record(OlderCopy.self, OlderCopy.id) else { return }
        throw .pairing(.olderCopy(since: copy.since))
    }
}
