internal import CloserWire

/// What sort of record it is. The name stands in the sealed directory, and in each record's associated data.
enum RecordKind: String, CaseIterable, Sendable {
    /// This device's identity: exactly one.
    case device
    case couple
    /// An invite that can be printed again.
    case invite
    /// A rekey that this device sent.
    case rekey
    /// What is known of a partner's key and habits.
    case partner
    /// One of our answers, and what we saw of the partner's.
    case answer
    /// The version below which a couple never falls.
    case versionPin
    /// An offer that was made or answered here, by a pairing code.
    case pairing
    /// The recovery phrase of a couple whose partner is still to come.
    case phrase
    /// The recovery phrase that a person asked this vault to keep.
    case keptPhrase
    /// What must be kept of a couple that was forgotten.
    case forgotten
    case policy
    /// Says that a code may have been answered since this vault was exported or put back.
    case olderCopy
    case person, chat

    private static let named = allCases.map { (kind: $0, name: Array($0.rawValue.utf8)[...]) }
    /// The lengths of the shortest and of the longest name.
    static let minimumByteCount = named.map(\.name.count).min() ?? 0
    static let maximumByteCount = named.map(\.name.count).max() ?? 0

    /// An unknown kind is of a newer program.
    init(named name: ArraySlice<UInt8>) throws(VaultError) {
        guard let (kind, _) = Self.named.first(where: { $0.name == name }) else { throw .unsupportedVersion }
        self = kind
    }
}

/// What a record is about, from the general to the special: `LP(parts)`. The first part of all but the device's is the couple.
struct RecordID: Hashable, Sendable {
    let bytes: ArraySlice<UInt8>

    init(_ parts: [UInt8]...) { bytes = [UInt8](lengthPrefixed: parts)[...] }

    /// One that was written.
    init(_ bytes: ArraySlice<UInt8>) throws(VaultError) {
        var fields = RecordFields(count: bytes.count)
        // The device's id has no parts.
        while !fields.isAtEnd { _ = try fields.range(in: bytes.span) }
        self.bytes = bytes
    }

    /// The first part, which for all but the device's names the couple; empty if there is none.
    var firstPart: String {
        get throws(VaultError) {
            var fields = RecordFields(count: bytes.count)
            return fields.isAtEnd ? "" : try fields.text(in: bytes.span)
        }
    }

    /// Eight bytes at a time: an array hashes each of its own.
    func hash(into hasher: inout Hasher) {
        var rest = bytes.span
        while !rest.isEmpty {
            hasher.combine(UInt64(bigEndianDigits: rest.extracting(first: 8)))
            rest = rest.extracting(droppingFirst: 8)
        }
    }

    /// Whether the first parts are those of `prefix`.
    func starts(with prefix: RecordID) -> Bool { bytes.starts(with: prefix.bytes) }
}

/// What tells a record from all others of its vault.
struct RecordName: Hashable, Sendable {
    let kind: RecordKind
    let id: RecordID

    init(_ kind: RecordKind, _ id: RecordID) { (self.kind, self.id) = (kind, id) }

    /// At most one name of each kind has an id, so the id alone will do.
    func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

/// All that a record holds, or some of it, as it is read.
protocol ReadableRecord: Sendable {
    static var kind: RecordKind { get }
    var recordID: RecordID { get }
    /// Parses what ``Record/write(to:)`` wrote.
    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError)
}

/// A record that the vault keeps. It writes and reads itself.
protocol Record: ReadableRecord {
    func write(to output: inout OutputSpan<UInt8>)
    /// At least as many bytes as ``write(to:)`` appends.
    var maximumByteCount: Int { get }
    /// Refuses what ``ReadableRecord/init(_:in:)`` leaves unread.
    func checkWhole() throws(VaultError)
}

extension Record {
    func checkWhole() throws(VaultError) {}
}
