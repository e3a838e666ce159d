public import CloserPrimitives
internal import CloserWire
internal import GRDB

/// A whole vault in one file under a passphrase, to bring it to another device.
///
/// `"closer-keys/export/1\n" ‖ LP(vaultId, memory in KiB, passes, salt, locked key) ‖ LP(a row…)`: the rows stay sealed as
/// they are, and the locked key is bound to the SHA-256 of all of them. Numbers have eight bytes, big-endian.
public enum VaultExport {
    private static let mark = Array("closer-keys/export/1\n".utf8)
    /// Read at the most: 256 MiB.
    public static let maximumByteCount = 256 << 20

    static func write(_ vault: Vault, under passphrase: borrowing Unlocking) throws -> [UInt8] {
        let rows = try vault.read { try SealedRow.all(in: $0.database) }
        let body = rows.reduce(into: [UInt8]()) { $0 += $1.bytes }
        let locked = try LockedKey(vault.key, with: passphrase, binding: SHA256.hash(body.span))
        guard case .passphrase(let cost) = locked.protection else { throw VaultError.passphraseLength }
        return mark
            + [UInt8](lengthPrefixed: [
                locked.vaultID, [UInt8](bigEndian: UInt64(cost.memoryKiB)),
                [UInt8](bigEndian: UInt64(cost.passes)), locked.salt, locked.box,
            ]) + body
    }

    static func read(
        _ bytes: [UInt8], with passphrase: borrowing Unlocking
    ) throws(VaultError) -> (key: VaultKey, rows: [SealedRow]) {
        guard bytes.starts(with: mark) else { throw .notAnExport }
        let rest = bytes.span.extracting(droppingFirst: mark.count)
        var fields = RecordFields(count: rest.count)
        let locked: LockedKey
        let rows: [SealedRow]
        let start: Int
        do {
            locked = try LockedKey(export: &fields, in: rest)
            start = fields.position
            rows = try SealedRow.list(&fields, in: rest)
        } catch { throw .notAnExport }
        let binding = SHA256.hash(rest.extracting(droppingFirst: start))
        return (try locked.unlock(with: passphrase, binding: binding), rows)
    }
}

extension Vault {
    /// The whole vault under a passphrase.
    public func export(under passphrase: consuming SecretBytes) throws -> [UInt8] {
        let export = try VaultExport.write(self, under: .passphrase(passphrase))
        guard export.count <= VaultExport.maximumByteCount else { throw VaultError.exportTooLarge }
        return export
    }

    /// Makes a vault from an export, locked anew.
    public static func create(
        at path: String, importing export: [UInt8], under passphrase: consuming SecretBytes,
        locking: borrowing Unlocking
    ) throws -> Vault {
        let (key, rows) = try VaultExport.read(export, with: .passphrase(passphrase))
        return try fill(path, try LockedKey(key, with: locking), key) { transaction in
            for row in rows { try row.insert(into: transaction.database) }
            _ = try transaction.device
        }
    }
}

extension LockedKey {
    fileprivate init(export fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        vaultID = try fields.bytes(in: bytes)
        let (memoryKiB, passes) = (try fields.number(in: bytes), try fields.number(in: bytes))
        // Beyond an Int or not, the costs are checked before anything is derived.
        protection = .passphrase(
            PassphraseCost(memoryKiB: Int(clamping: memoryKiB), passes: Int(clamping: passes)))
        salt = try fields.bytes(in: bytes)
        box = try fields.bytes(in: bytes)
        guard vaultID.count == VaultKey.vaultIDByteCount else { throw .damaged }
    }
}

/// A row of the table of records as it lies there.
struct SealedRow {
    private let tag, coupleTag, groupTag, sealed: [UInt8]
    private let kind: String
    private let revision: UInt64

    static func all(in database: Database) throws -> [SealedRow] {
        try Row.fetchAll(database, sql: "SELECT * FROM record ORDER BY tag").map { row in
            SealedRow(
                tag: try row.bytes("tag"), coupleTag: try row.bytes("coupleTag"),
                groupTag: try row.bytes("groupTag"), sealed: try row.bytes("sealed"),
                kind: try row.textOrNone("kind") ?? "", revision: UInt64(try row.revision()))
        }
    }

    /// All rows to the end of the bytes.
    static func list(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) -> [SealedRow] {
        var rows: [SealedRow] = []
        while !fields.isAtEnd {
            rows.append(
                SealedRow(
                    tag: try fields.bytes(in: bytes), coupleTag: try fields.bytes(in: bytes),
                    groupTag: try fields.bytes(in: bytes), sealed: try fields.bytes(in: bytes),
                    kind: try fields.text(in: bytes), revision: try fields.number(in: bytes)))
        }
        return rows
    }

    var bytes: [UInt8] {
        [UInt8](lengthPrefixed: [
            tag, coupleTag, groupTag, sealed, Array(kind.utf8), [UInt8](bigEndian: revision),
        ])
    }

    func insert(into database: Database) throws {
        try database.execute(
            sql: "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                tag.blob, kind, coupleTag.isEmpty ? nil : coupleTag.blob,
                groupTag.isEmpty ? nil : groupTag.blob, Int64(clamping: revision), sealed.blob,
            ])
    }
}
