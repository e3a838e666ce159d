/// Says that the records of a vault have today's form (closer-keys-formats(7), Vault file).
///
/// A vault of version 0.2.0 has none of it. Its records are read in their former form, and all are written anew with the first
/// change. Programs of that version do not know the kind, and refuse the vault as one of a newer version.
struct RecordForm: Record {
    static let kind = RecordKind.form
    static let id = RecordID()
    fileprivate static let name = RecordName(kind, id)
    var recordID: RecordID { Self.id }
    var maximumByteCount: Int { 0 }

    init() {}
    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {}
    func write(to output: inout OutputSpan<UInt8>) {}
}

extension Directory {
    /// Whether the records are those of version 0.2.0.
    var isFormer: Bool { entry(RecordForm.name) == nil }
}

extension Transaction {
    /// The same with all records in today's form. That alone is no change.
    func inTodaysForm() throws(VaultError) -> Transaction {
        guard directory.isFormer else { return self }
        var today = Transaction(directory, key)
        for entry in directory.entries { try today.rewrite(entry, entry.name.kind.type) }
        today.put(RecordForm())
        var written = Transaction(today.directory, key)
        try written.completeFormerPins()
        return Transaction(written.directory, key)
    }

    /// The form stays the former one until the last record was written.
    private mutating func rewrite<R: Record>(_ entry: Directory.Entry, _: R.Type) throws(VaultError) {
        let record: R = try open(entry)
        put(record)
    }
}
