import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

@Suite("A record's bytes, put where they do not belong")
struct MovedRecordTests {
    private let vault: Vault
    private let folder: VaultFolder
    private let ours: Identifier
    private let theirs: Identifier

    init() throws {
        folder = try VaultFolder()
        vault = try folder.make("v").inMemory()
        (ours, theirs) = (try Identifier(parsing: "couple_1"), try Identifier(parsing: "couple_2"))
        try vault.plant(ours)
        try vault.plant(theirs, keyset: Keyset(.aes256GCM))
    }

    private func tag(_ couple: Identifier, _ kind: RecordKind = .couple) -> [UInt8] {
        vault.key.tag([Array(kind.rawValue.utf8), couple.bytes])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try vault.database.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Sealed bytes and revision of a couple's row.
    private func content(_ couple: Identifier) throws -> (sealed: Data, revision: Int64) {
        let row = try vault.database.read { [tag = tag(couple).blob] database in
            try Row.fetchOne(database, sql: "SELECT * FROM record WHERE tag = ?", arguments: [tag])
        }
        return (try #require(row?["sealed"] as Data?), try #require(row?["revision"] as Int64?))
    }

    @Test("one couple's bytes under another one's tag, with and without its other tag")
    func otherTag() throws {
        let (sealed, revision) = try content(ours)
        try execute(
            "UPDATE record SET sealed = ?, revision = ? WHERE tag = ?", [sealed, revision, tag(theirs).blob])
        #expect(throws: VaultError.damaged) { try vault.couple(theirs) }
        #expect(throws: VaultError.damaged) { try vault.couples }
        #expect(try vault.couple(ours).id == ours)
    }

    @Test("bytes that were sealed for that tag and name another couple: not even who has the key may")
    func otherName() throws {
        let couple = try vault.couple(ours)
        let name = RowName(kind: .couple, tag: tag(theirs), revision: 2)
        let content = SecretBytes(capacity: couple.maximumByteCount) { couple.write(to: &$0) }
        let sealed = vault.key.seal(content, as: name)
        try execute(
            "UPDATE record SET sealed = ?, revision = 2 WHERE tag = ?", [sealed.blob, tag(theirs).blob])
        #expect(throws: VaultError.damaged) { try vault.couple(theirs) }
    }

    @Test("a couple whose row says that it is another one's is not called forgotten while it stays")
    func forgotten() throws {
        let row = try vault.database.read { [tag = tag(theirs).blob] database in
            try Row.fetchOne(
                database, sql: "SELECT coupleTag FROM record WHERE tag = ?", arguments: [tag])
        }
        try execute(
            "UPDATE record SET coupleTag = ? WHERE tag = ?",
            [try #require(row?["coupleTag"] as Data?), tag(ours).blob])
        try refuses(VaultError.damaged, vault) { try vault.forget(ours) }
    }

    @Test("bytes of an older revision under the newer one")
    func olderBytes() throws {
        let (old, revision) = try content(ours)
        try vault.change { [ours] in try $0.put(try $0.couple(ours)) }
        let new = try content(ours)
        #expect((revision, new.revision) == (1, 2))
        #expect(new.sealed != old)
        try execute("UPDATE record SET sealed = ? WHERE tag = ?", [old, tag(ours).blob])
        #expect(throws: VaultError.damaged) { try vault.couple(ours) }
        try execute("UPDATE record SET sealed = ?, revision = 2 WHERE tag = ?", [new.sealed, tag(ours).blob])
        #expect(try vault.couple(ours).id == ours)
    }

    @Test("bytes of another vault of the same user, for the same couple")
    func otherVault() throws {
        let other = try folder.make("w")
        try other.plant(ours)
        let row = try other.database.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM record WHERE kind = 'couple'")
        }
        try execute(
            "UPDATE record SET sealed = ? WHERE tag = ?",
            [try #require(row?["sealed"] as Data?), tag(ours).blob])
        #expect(throws: VaultError.damaged) { try vault.couple(ours) }
    }

    @Test("the same content is never sealed twice to the same bytes, nor under one revision")
    func fresh() throws {
        var seen: Set<Data> = []
        for revision in Int64(1)...20 {
            let row = try content(ours)
            #expect(row.revision == revision)
            #expect(seen.insert(row.sealed).inserted)
            try vault.change { [ours] in try $0.put(try $0.couple(ours)) }
        }
    }

    @Test("content with something left over, cut or of another form, though it was sealed with the key")
    func malformed() throws {
        let couple = try vault.couple(ours)
        let bytes = SecretBytes(capacity: couple.maximumByteCount) { couple.write(to: &$0) }.testOnlyBytes()
        let name = RowName(kind: .couple, tag: tag(ours), revision: 1)
        for content in [bytes + [0]] + bytes.indices.map({ Array(bytes[..<$0]) }) where !content.isEmpty {
            let sealed = vault.key.seal(SecretBytes(testOnly: content), as: name)
            try execute("UPDATE record SET sealed = ? WHERE tag = ?", [sealed.blob, tag(ours).blob])
            #expect(throws: VaultError.damaged, "\(content.count) bytes") { try vault.couple(ours) }
        }
        let sealed = vault.key.seal(SecretBytes(testOnly: bytes), as: name)
        try execute("UPDATE record SET sealed = ? WHERE tag = ?", [sealed.blob, tag(ours).blob])
        #expect(try vault.couple(ours).id == ours)
    }
}
