internal import CloserKeys
internal import CloserPrimitives
internal import GRDB

/// The records as one transaction sees them: all of its changes happen, or none.
struct Transaction {
    let database: Database
    let key: VaultKey

    func record<R: Record>(_: R.Type, _ id: RecordID) throws -> R? {
        let row = try Row.fetchOne(
            database, sql: "SELECT * FROM record WHERE tag = ?", arguments: [tag(R.kind, id).blob])
        return try row.map { try open($0) }
    }

    /// All that share a group, in the order of their tags.
    func records<R: Record>(_: R.Type, in group: RecordID) throws -> [R] {
        try rows("groupTag = ? AND kind = ?", [tag(R.kind, group).blob, R.kind.rawValue])
    }

    /// All of a kind.
    func records<R: Record>(_: R.Type) throws -> [R] {
        try rows("kind = ?", [R.kind.rawValue])
    }

    func put<R: Record>(_ record: R) throws {
        let tag = tag(R.kind, record.recordID)
        let previous = try Row.fetchOne(
            database, sql: "SELECT revision FROM record WHERE tag = ?", arguments: [tag.blob])
        let revision = try (previous?.revision() ?? 0) + 1
        let content = SecretBytes(capacity: max(1, record.maximumByteCount)) { record.write(to: &$0) }
        let name = RowName(kind: R.kind, tag: tag, revision: UInt64(revision))
        try database.execute(
            sql: "INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                tag.blob, R.kind.rawValue, record.owner.map { coupleTag($0).blob },
                record.group.map { self.tag(R.kind, $0).blob }, revision, key.seal(content, as: name).blob,
            ])
    }

    func delete(_ kind: RecordKind, _ id: RecordID) throws {
        try database.execute(
            sql: "DELETE FROM record WHERE tag = ?", arguments: [tag(kind, id).blob])
    }

    /// All of a kind that belong to a couple.
    func delete(_ kind: RecordKind, of couple: Identifier) throws {
        try database.execute(
            sql: "DELETE FROM record WHERE coupleTag = ? AND kind = ?",
            arguments: [coupleTag(couple).blob, kind.rawValue])
    }

    func records<R: Record>(_: R.Type, of couple: Identifier) throws -> [R] {
        try rows("coupleTag = ? AND kind = ?", [coupleTag(couple).blob, R.kind.rawValue])
    }

    private func rows<R: Record>(_ condition: String, _ arguments: StatementArguments) throws -> [R] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM record WHERE \(condition) ORDER BY tag", arguments: arguments)
        return try rows.map { try open($0) }
    }

    /// A row whose content has another name than its tags say was moved, and does not count as this record.
    private func open<R: Record>(_ row: Row) throws(VaultError) -> R {
        guard try row.textOrNone("kind") == R.kind.rawValue else { throw .damaged }
        let name = RowName(
            kind: R.kind, tag: try row.bytes("tag"), revision: UInt64(try row.revision()))
        let sealed = try row.bytes("sealed")
        let record: R = try key.open(sealed, as: name).withBytes { (bytes) throws(VaultError) in
            var fields = RecordFields(count: bytes.count)
            let record = try R(&fields, in: bytes)
            try fields.finish()
            return record
        }
        guard tag(R.kind, record.recordID) == name.tag,
            record.owner.map(coupleTag) ?? [] == (try row.bytes("coupleTag")),
            record.group.map({ tag(R.kind, $0) }) ?? [] == (try row.bytes("groupTag"))
        else { throw .damaged }
        return record
    }

    private func tag(_ kind: RecordKind, _ id: RecordID) -> [UInt8] {
        key.tag([Array(kind.rawValue.utf8)] + id.parts)
    }

    private func coupleTag(_ couple: Identifier) -> [UInt8] {
        key.tag([Array("of couple".utf8), couple.bytes])
    }
}
