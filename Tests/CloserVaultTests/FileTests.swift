import CloserKeys
import CloserPrimitives
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloserVault

@Suite("What lies where a vault should be")
struct FileTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.url.appending(path: name))
    }

    private func content(_ name: String) throws -> Data {
        try Data(contentsOf: folder.url.appending(path: name))
    }

    @Test("no file, and no folder for one")
    func missing() throws {
        let path = folder.path("v")
        #expect(throws: VaultError.missing(path: path)) { try folder.open("v") }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: (any Error).self) { try folder.make("no/v") }
    }

    @Test("a text, an empty file and a foreign database are no vaults, and stay what they are")
    func foreign() throws {
        try write(
            Array("this is a text, and longer than the header of a database: 100 bytes, ".utf8), to: "text")
        try write([], to: "empty")
        try folder.alter("foreign", "CREATE TABLE header (one); CREATE TABLE record (tag)")
        for name in ["text", "empty", "foreign"] {
            let before = try content(name)
            #expect(throws: VaultError.notAVault(path: folder.path(name))) { try folder.open(name) }
            #expect(try content(name) == before, "\(name)")
        }
    }

    @Test("a vault is made over none of them but the empty file")
    func makingOver() throws {
        try write(Array(repeating: UInt8(ascii: "x"), count: 4096), to: "text")
        try folder.alter("foreign", "CREATE TABLE header (one)")
        let (text, foreign) = (try content("text"), try content("foreign"))
        #expect(throws: VaultError.notAVault(path: folder.path("text"))) { try folder.make("text") }
        #expect(throws: VaultError.exists(path: folder.path("foreign"))) { try folder.make("foreign") }
        #expect(try content("text") == text)
        #expect(try content("foreign") == foreign)
    }

    @Test("a vault is not made over a vault")
    func existing() throws {
        let vault = try folder.make("v")
        try refuses(VaultError.exists(path: vault.path), vault) { _ = try folder.make("v", key: 2) }
        #expect(try folder.open("v").device.publicKey == vault.device.publicKey)
    }

    @Test("a making that was interrupted is taken up again: no bytes yet, or a database without tables")
    func interrupted() throws {
        try write([], to: "v")
        let queue = try DatabaseQueue(path: folder.path("w"))
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        #expect(try content("w").count > 0)
        for name in ["v", "w"] {
            #expect(throws: VaultError.notAVault(path: folder.path(name))) { try folder.open(name) }
            _ = try folder.make(name)
            #expect(try folder.open(name).changeCount == 1)
        }
    }

    @Test("a newer version and an older one are not touched", arguments: [0, 2, 1000])
    func otherVersion(_ version: Int) throws {
        try folder.make("v").database.close()
        try folder.alter("v", "PRAGMA user_version = \(version)")
        #expect(throws: VaultError.unsupportedVersion) { try folder.open("v") }
        try folder.alter("v", "PRAGMA user_version = 1; PRAGMA application_id = 1")
        #expect(throws: VaultError.notAVault(path: folder.path("v"))) { try folder.open("v") }
    }

    @Test("a vault without its header is none")
    func headless() throws {
        try folder.make("v").database.close()
        try folder.alter("v", "DELETE FROM header")
        #expect(throws: VaultError.notAVault(path: folder.path("v"))) { try folder.open("v") }
        try folder.alter("v", "DROP TABLE header")
        #expect(throws: VaultError.notAVault(path: folder.path("v"))) { try folder.open("v") }
    }

    @Test("a vault from which its counter was taken is damaged, and counts nothing anew")
    func withoutCounter() throws {
        let vault = try folder.make("v")
        try vault.database.close()
        try folder.alter("v", "DELETE FROM record WHERE kind = 'changes'")
        let opened = try folder.open("v")
        #expect(throws: VaultError.damaged) { try opened.changeCount }
        #expect(throws: VaultError.damaged) { try opened.plant(Identifier(parsing: "couple_1")) }
    }

    @Test("the whole file put back shows in the change counter")
    func rollback() throws {
        let vault = try folder.make("v")
        let couple = try Identifier(parsing: "couple_1")
        try vault.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let old = try content("v")
        try vault.plant(couple)
        let seen = try vault.changeCount
        try vault.database.close()
        try old.write(to: folder.url.appending(path: "v"))
        let opened = try folder.open("v")
        #expect(seen == 2)
        #expect(try opened.changeCount == 1)
        #expect(throws: CoupleError.unknown) { try opened.couple(couple) }
    }

    @Test("the file and what SQLite lays beside it are for nobody else")
    func modes() throws {
        let vault = try folder.make("v")
        try vault.plant(Identifier(parsing: "couple_1"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).sorted()
        #expect(names == ["v", "v-shm", "v-wal"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
