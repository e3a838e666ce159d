/// Says that the records of a vault have today's form (closer-keys-formats(7), PRIVATE FORMATS). A vault without it is refused, as one
/// with a record of a kind that this program does not know.
struct RecordForm: Record {
    static let kind = RecordKind.form
    static let id = RecordID()
    var recordID: RecordID { Self.id }
    var maximumByteCount: Int { 0 }

    init() {}
    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {}
    func write(to output: inout OutputSpan<UInt8>) {}
}

extension Index {
    var hasForm: Bool { entry(RecordName(.form, RecordForm.id)) != nil }
}
