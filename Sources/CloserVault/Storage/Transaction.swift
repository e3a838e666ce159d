internal import CloserPrimitives

/// The records as one reader or one writer sees them: its changes happen together.
struct Transaction {
    private(set) var index: Index
    private(set) var isChanged = false
    let key: VaultKey

    init(_ index: Index, _ key: VaultKey) { (self.index, self.key) = (index, key) }

    func record<R: ReadableRecord>(_: R.Type, _ id: RecordID) throws(VaultError) -> R? {
        guard let entry = index.entry(RecordName(R.kind, id)) else { return nil }
        return try open(entry)
    }

    /// All of a kind whose ids begin so; without a prefix, all of the kind.
    func records<R: ReadableRecord>(_: R.Type, under prefix: RecordID? = nil) throws(VaultError) -> [R] {
        var records: [R] = []
        for entry in index.entries(of: R.kind, under: prefix) { records.append(try open(entry)) }
        return records
    }

    func count(_ kind: RecordKind) -> Int { index.entries(of: kind, under: nil).count }

    mutating func put<R: Record>(_ record: R) {
        let name = RecordName(R.kind, record.recordID)
        let content = SecretBytes(shortLived: max(1, record.maximumByteCount)) { record.write(to: &$0) }
        index.put(key.seal(content, as: name), as: name)
        isChanged = true
    }

    /// Deletes all of a kind whose ids begin so; with a whole id, the one record.
    mutating func delete(_ kind: RecordKind, under prefix: RecordID) {
        guard !index.entries(of: kind, under: prefix).isEmpty else { return }
        index.removeAll(of: kind, under: prefix)
        isChanged = true
    }

    /// Takes every record of another vault, and how often that was changed. One that is damaged, or not what its kind
    /// says, is an error.
    mutating func adopt(_ other: Transaction) throws(VaultError) {
        try other.checkAll()
        for entry in other.index.entries {
            index.put(key.seal(try other.content(of: entry), as: entry.name), as: entry.name)
        }
        index.changeCount = other.index.changeCount
        isChanged = true
    }

    /// These records under another key, with the count of changes.
    func sealedAgain(under key: VaultKey) throws(VaultError) -> Transaction {
        var copy = Transaction(Index(), key)
        try copy.adopt(self)
        return copy
    }

    /// Opens every record. One that is damaged, or not what its kind says, is an error.
    func checkAll() throws(VaultError) {
        for entry in index.entries { try check(entry, entry.name.kind.type) }
    }

    /// Only under its name.
    private func content(of entry: Index.Entry) throws(VaultError) -> SecretBytes {
        try key.open(entry.box, as: entry.name)
    }

    private func check<R: Record>(_ entry: Index.Entry, _: R.Type) throws(VaultError) {
        let record: R = try open(entry)
        try record.checkWhole()
    }

    func open<R: ReadableRecord>(_ entry: Index.Entry) throws(VaultError) -> R {
        let record: R = try content(of: entry).withBytes { (bytes) throws(VaultError) in
            var fields = RecordFields(count: bytes.count, of: entry.name.id)
            let record = try R(&fields, in: bytes)
            try fields.finish()
            return record
        }
        guard record.recordID == entry.name.id else { throw .damaged }
        return record
    }
}
