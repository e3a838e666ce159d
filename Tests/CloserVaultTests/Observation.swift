import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

/// A vault with one record of every kind, in memory, and everything that can be seen through the doors of the module.
struct ObservedVault {
    let vault: Vault
    private let folder: VaultFolder
    private let couple: Identifier
    private let question: Identifier
    private let place: AnswerPlace

    init() throws {
        folder = try VaultFolder()
        (couple, question) = (try Identifier(parsing: "couple_1"), try Identifier(parsing: "q_42"))
        place = try AnswerPlace(parsing: "daily:2026-11-20")
        let bob = try folder.make("b", for: "bob")
        let alice = try folder.make("a")
        for vault in [alice, bob] {
            try vault.plant(couple)
            try vault.seal(
                answer: "{\"answer\":\"\(vault.path.count)\"}".utf8, to: question, at: place, of: couple)
        }
        let name = AnswerName(couple: couple, question: question, place: place)
        let (ours, theirs) = (try alice.answer(name).document, try bob.answer(name).document)
        _ = try alice.release(
            name, to: PartnerAnswer(of: Identifier(parsing: "bob"), theirs), key: bob.device.publicKey)
        let keybox = try bob.release(
            name, to: PartnerAnswer(of: Identifier(parsing: "alice"), ours), key: alice.device.publicKey)
        _ = try alice.reveal(
            name, of: PartnerAnswer(of: Identifier(parsing: "bob"), theirs), with: keybox.document)
        let invite = StoredInvite(SecretBytes(testOnly: Array("{\"code\":\"7KQ2MX\"}".utf8)), couple: couple)
        try alice.change { try $0.put(invite) }
        vault = try alice.inMemory()
    }

    /// Every door and what it shows, or its error; or only these.
    func see(_ only: Set<String>? = nil) -> [String: String] {
        doors().filter { only?.contains($0.key) ?? true }.mapValues { look in
            do { return try look() } catch { return "error: \(error)" }
        }
    }

    private func doors() -> [String: () throws -> String] {
        let name = AnswerName(couple: couple, question: question, place: place)
        let anywhere = AnswerName(couple: couple, question: question, place: nil)
        return [
            "device": { "\(try vault.device.userID.text) \(try vault.device.publicKey)" },
            "x25519": { try vault.device.x25519PublicKey },
            "couple": { describe(try vault.couple(couple)) },
            "couples": { try vault.couples.map(describe).joined() },
            "state": { try vault.state(of: couple).rawValue },
            "invite": { try Hidden.text(vault.invite(of: couple)) },
            "partners": { try vault.partners(of: couple).map { "\($0)" }.joined() },
            "partner": {
                let id = Partner.id(try Identifier(parsing: "bob"), of: couple)
                return "\(try vault.read { try $0.record(Partner.self, id) } as Partner?)"
            },
            "answer": { describe(try vault.answer(name)) },
            "answer anywhere": { describe(try vault.answer(anywhere)) },
            "version": {
                let id = VersionPin.id(couple)
                return "\(try vault.read { try $0.record(VersionPin.self, id) } as VersionPin?)"
            },
            "changes": { "\(try vault.changeCount)" },
        ]
    }

    private func describe(_ couple: Couple) -> String {
        "\(couple.id) \(couple.fingerprint) \(couple.wrap) \(couple.rekeyedIDs)"
    }

    private func describe(_ answer: StoredAnswer) -> String {
        let key = answer.sealed.oneTimeKey.primary.id
        let release = answer.release.map { "\($0)" } ?? "none"
        return "\(answer.place) \(answer.author) \(answer.commitment) \(answer.sealed.token) \(key) "
            + "\(answer.pin as Pin?) \(answer.isRevealed) \(answer.isInConflict) \(release)"
    }
}

private enum Hidden {
    static func text(_ secret: consuming SecretBytes) -> String {
        String(decoding: secret.testOnlyBytes(), as: UTF8.self)
    }
}

/// A row of the table, which a test may change.
struct TamperedRow {
    let vault: Vault
    let tag: [UInt8]

    /// The one row of a kind.
    init(of kind: RecordKind, in vault: Vault) throws {
        self.vault = vault
        let rows = try vault.database.read { database in
            try Row.fetchAll(
                database, sql: "SELECT tag FROM record WHERE kind = ?", arguments: [kind.rawValue])
        }
        #expect(rows.count == 1)
        tag = try #require(try rows.first?.bytes("tag"))
    }

    func value(_ column: String) throws -> DatabaseValue {
        let row = try vault.database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT \(column) AS value FROM record WHERE tag = ?", arguments: [tag.blob])
        }
        return try #require(row?["value"] as DatabaseValue?)
    }

    func bytes(_ column: String) throws -> [UInt8] {
        Array(try #require(Data.fromDatabaseValue(value(column))))
    }

    /// Changes a column for as long as `body` runs.
    func with(_ column: String, _ value: DatabaseValue, _ body: () throws -> Void) throws {
        let before = try self.value(column)
        let tagBefore = tag.blob.databaseValue
        try set(column, value, at: tagBefore)
        try body()
        try set(column, before, at: column == "tag" ? value : tagBefore)
    }

    private func set(_ column: String, _ value: DatabaseValue, at tag: DatabaseValue) throws {
        try vault.database.write { database in
            try database.execute(
                sql: "UPDATE record SET \(column) = ? WHERE tag = ?", arguments: [value, tag])
            try #require(database.changesCount == 1)
        }
    }
}
