internal import CloserPrimitives

/// The records as one reader or one writer sees them: all of its changes happen, or none.
struct Transaction {
    private(set) var directory: Directory
    private(set) var isChanged = false
    let key: VaultKey

    init(_ directory: Directory, _ key: VaultKey) { (self.directory, self.key) = (directory, key) }

    /// The record of that id; nil if there is none.
    func record<R: Record>(_: R.Type, _ id: RecordID) throws(VaultError) -> R? {
        guard let entry = directory.entry(RecordName(R.kind, id)) else { return nil }
        return try open(entry)
    }

    /// All of a kind whose ids begin so; without a prefix, all of the kind.
    func records<R: Record>(_: R.Type, under prefix: RecordID? = nil) throws(VaultError) -> [R] {
        var records: [R] = []
        for entry in directory.entries(of: R.kind, under: prefix) { records.append(try open(entry)) }
        return records
    }

    /// How many there are of a kind.
    func count(_ kind: RecordKind) -> Int { directory.entries(of: kind, under: nil).count }

    mutating func put<R: Record>(_ record: R) {
        let name = RecordName(R.kind, record.recordID)
        let content = SecretBytes(shortLived: max(1, record.maximumByteCount)) { record.write(to: &$0) }
        directory.put(key.seal(content, as: name), as: name)
        isChanged = true
    }

    /// Deletes all of a kind whose ids begin so; with a whole id, the one record.
    mutating func delete(_ kind: RecordKind, under prefix: RecordID) {
        guard !directory.entries(of: kind, under: prefix).isEmpty else { return }
        directory.removeAll(of: kind, under: prefix)
        isChanged = true
    }

    /// Takes every record of another vault, and how often that was changed. One that is damaged, or not what its kind
    /// says, is an error.
    mutating func adopt(_ other: Transaction) throws(VaultError) {
        try other.checkAll()
        for entry in other.directory.entries {
            directory.put(key.seal(try other.content(of: entry), as: entry.name), as: entry.name)
        }
        directory.changeCount = other.directory.changeCount
        isChanged = true
    }

    /// Opens every record. One that is damaged, or not what its kind says, is an error.
    func checkAll() throws(VaultError) {
        for entry in directory.entries { try check(entry, entry.name.kind.type) }
    }

    /// Only the listed box counts, and only under its name.
    private func content(of entry: Directory.Entry) throws(VaultError) -> SecretBytes {
        guard entry.isWhole else { throw .damaged }
        return try key.open(entry.box, as: entry.name)
    }

    private func check<R: Record>(_ entry: Directory.Entry, _: R.Type) throws(VaultError) {
        let _: R = try open(entry)
    }

    func open<R: Record>(_ entry: Directory.Entry) throws(VaultError) -> R {
        let record: R = try content(of: entry).withBytes { (bytes) throws(VaultError) in
            var fields = RecordFields(count: bytes.count, isFormer: directory.isFormer)
            let record = try R(&fields, in: bytes)
            try fields.finish()
            return record
        }
        guard record.recordID == entry.name.id else { throw .damaged }
        return record
    }
}
