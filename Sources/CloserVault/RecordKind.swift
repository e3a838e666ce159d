internal import CloserKeys

/// What sort of record it is. The names stand in the file in clear, and in each record's associated data.
enum RecordKind: String, Sendable {
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
    /// Nothing but a revision, which counts the changes.
    case changes
}

/// The name of a record: what it belongs to, in order. Only its tag is stored in clear.
struct RecordID: Equatable, Sendable {
    let parts: [[UInt8]]

    init(_ parts: [UInt8]...) { self.parts = parts }
}

/// A record that the vault keeps.
protocol Record: Sendable {
    static var kind: RecordKind { get }
    var recordID: RecordID { get }
    /// The couple with which it is forgotten.
    var owner: Identifier? { get }
    /// What it is found by besides its name: all that share a group are read together.
    var group: RecordID? { get }
    /// Parses what ``write(to:)`` wrote.
    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError)
    func write(to output: inout OutputSpan<UInt8>)
    /// At least as many bytes as ``write(to:)`` appends.
    var maximumByteCount: Int { get }
}
