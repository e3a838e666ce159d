import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

@Suite("What a thief reads in the files, security §7")
struct ClearTextTests {
    private let folder: VaultFolder
    private let vault: Vault
    /// What must not be seen, by name.
    private let secrets: [String: [UInt8]]

    init() throws {
        folder = try VaultFolder()
        let names = (
            couple: "cpl-adriatic", question: "qst-marmalade", user: "usr-octavia", partner: "usr-basil"
        )
        let (couple, question) = (
            try Identifier(parsing: names.couple), try Identifier(parsing: names.question)
        )
        let place = try AnswerPlace(parsing: "thread:thr-gazebo")
        vault = try folder.make("v", for: names.user)
        let draft = try vault.draftCouple(couple)
        try vault.store(draft)
        let bob = try folder.make("w", for: names.partner, key: 2)
        try bob.plant(couple)
        let answer = try vault.seal(
            answer: "{\"answer\":\"umbrella\"}".utf8, to: question, at: place, of: couple)
        let theirs = try bob.seal(
            answer: "{\"answer\":\"zeppelin\"}".utf8, to: question, at: place, of: couple)
        _ = try vault.release(
            AnswerName(couple: couple, question: question, place: place),
            to: PartnerAnswer(of: Identifier(parsing: names.partner), theirs.document),
            key: bob.device.publicKey)
        let device = try vault.device
        var secrets: [String: [UInt8]] = [
            "phrase": draft.phrase.text.testOnlyBytes(),
            "invite": try vault.invite(of: couple).testOnlyBytes(),
            "couple key": InsecureCleartextKeyset.binary(draft.couple.key.keyset).testOnlyBytes(),
            "one-time key": InsecureCleartextKeyset.binary(answer.sealed.oneTimeKey).testOnlyBytes(),
            "identity": InsecureCleartextKeyset.binary(device.identity).testOnlyBytes(),
            "X25519 scalar": device.x25519.withScalar { [UInt8](copying: $0) },
            "vault key": vault.key.withSecret { [UInt8](copying: $0) },
            "key file": [UInt8](repeating: 1, count: 32), "answer": Array("umbrella".utf8),
            "token": answer.sealed.token.text, "partner's key": try bob.device.publicKey.text,
            "commitment": answer.commitment.text, "place": Array("thr-gazebo".utf8),
        ]
        for name in [names.couple, names.question, names.user, names.partner] {
            secrets[name] = Array(name.utf8)
        }
        self.secrets = secrets
    }

    /// The secrets of which eight bytes in a row are in `content`.
    private func found(in content: [UInt8]) -> Set<String> {
        let windows = Set(content.indices.dropLast(7).map { Array(content[$0..<$0 + 8]) })
        return Set(
            secrets.filter { _, secret in
                secret.indices.dropLast(7).contains { windows.contains(Array(secret[$0..<$0 + 8])) }
            }.keys)
    }

    private func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
    }

    @Test("nothing of it, in the file, beside it, or in an export")
    func scan() throws {
        #expect(secrets.count == 17)
        #expect(secrets.values.allSatisfy { $0.count >= 8 })
        #expect(try file("v-wal").count > 10_000)
        #expect(found(in: try file("v-wal")) == [])
        #expect(found(in: try vault.export(under: SecretBytes(testOnly: Array("words".utf8)))) == [])
        try vault.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try file("v").count > 10_000)
        #expect(found(in: try file("v")) == [])
        #expect(found(in: try file("v-shm")) == [])
    }

    @Test("each of them is found when it is there")
    func planted() throws {
        for (name, secret) in secrets {
            try vault.database.write { database in
                try database.execute(
                    sql: "UPDATE record SET sealed = ? WHERE kind = 'invite'", arguments: [secret.blob])
            }
            #expect(found(in: try file("v-wal")).contains(name), "\(name)")
        }
        try vault.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(!found(in: try file("v")).isEmpty)
    }

    @Test("what was deleted is overwritten in the file")
    func deleted() throws {
        let plain = Array("a secret that is deleted again".utf8)
        try vault.database.write { database in
            try database.execute(
                sql: "INSERT INTO record VALUES (?, 'invite', NULL, NULL, 1, ?)",
                arguments: [[9].blob, plain.blob])
        }
        try vault.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(Data(try file("v")).firstRange(of: Data(plain)) != nil)
        try vault.database.write {
            try $0.execute(sql: "DELETE FROM record WHERE tag = ?", arguments: [[9].blob])
        }
        try vault.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(Data(try file("v")).firstRange(of: Data(plain)) == nil)
    }
}
