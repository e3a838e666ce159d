internal import CloserKeys
internal import CloserWire

/// Counts the changes of a vault. Only who has the key can write a higher one.
struct ChangeCounter: Record {
    static let kind = RecordKind.changes
    static let id = RecordID()
    let count: Int

    init() { count = 1 }
    private init(count: Int) { self.count = count }

    var next: ChangeCounter { ChangeCounter(count: count + 1) }
    var recordID: RecordID { Self.id }
    var owner: Identifier? { nil }
    var group: RecordID? { nil }
    var maximumByteCount: Int { 12 }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        guard let count = Int(exactly: try fields.number(in: bytes)) else { throw .damaged }
        self.count = count
    }

    func write(to output: inout OutputSpan<UInt8>) { output.append(field: [UInt8](bigEndian: UInt64(count))) }
}

extension Transaction {
    /// It is made with the vault: where it is missing, somebody took it away.
    var counter: ChangeCounter {
        get throws {
            guard let counter = try record(ChangeCounter.self, ChangeCounter.id) else {
                throw VaultError.damaged
            }
            return counter
        }
    }
}
