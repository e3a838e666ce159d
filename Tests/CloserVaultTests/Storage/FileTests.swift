import CloserKeys
import CloserPrimitives
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("What lies where a vault should be, or beside it")
struct FileTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("no file, and no folder for one")
    func missing() throws {
        let path = folder.path("v")
        #expect(throws: VaultError.missing(path: path)) { try folder.open("v") }
        #expect(!FileManager.default.fileExists(atPath: path))
        let new = folder.path("no/v")
        #expect(throws: VaultError.cannotWrite(path: new, reason: "No such file or directory")) {
            try folder.make("no/v")
        }
        // Whoever makes a vault where there is none would ask in a circle if there were none here, too.
        #expect(throws: VaultError.cannotWrite(path: new, reason: "No such file or directory")) {
            try Vault.checkAbsent(at: new)
        }
        try Vault.checkAbsent(at: path)
    }

    @Test("a text and an empty file are no vaults, and stay what they are")
    func foreign() throws {
        try folder.write("this is a text, and longer than the mark of a vault".utf8, to: "text")
        try folder.write([], to: "empty")
        for name in ["text", "empty"] {
            let before = try folder.bytes(name)
            #expect(throws: VaultError.notAVault(path: folder.path(name))) { try folder.open(name) }
            #expect(try folder.bytes(name) == before, "\(name)")
        }
    }

    @Test("vaults and exports of the time before version 0.2.0 are named as such")
    func former() throws {
        var database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        database.replaceSubrange(68..<72, with: "CKv1".utf8)
        try folder.write(database, to: "vault")
        try folder.write("closer-keys/export/1\n".utf8, to: "export")
        for name in ["vault", "export"] {
            #expect(throws: VaultError.formerFormat) { try folder.open(name) }
        }
        database[70] ^= 1
        try folder.write(database, to: "foreign")
        #expect(throws: VaultError.notAVault(path: folder.path("foreign"))) { try folder.open("foreign") }
    }

    @Test("a vault is made over no file, also over an empty one", arguments: ["text", "v", "empty"])
    func makingOver(_ name: String) throws {
        try folder.write("no vault".utf8, to: "text")
        try folder.write([], to: "empty")
        _ = try folder.make("v")
        let before = try folder.bytes(name)
        let path = folder.path(name)
        let error = name == "v" ? VaultError.exists(path: path) : .notAVault(path: path)
        #expect(throws: error) { try folder.make(name, key: 2) }
        #expect(try folder.bytes(name) == before)
    }

    @Test("a vault that was put back whole shows in the change counter")
    func rollback() throws {
        let vault = try folder.make("v")
        let couple = try CoupleID(parsing: "couple_1")
        let old = try folder.bytes("v")
        try vault.plant(couple)
        #expect(try vault.changeCount == 2)
        try folder.write(old, to: "v")
        let opened = try folder.open("v")
        #expect(try opened.changeCount == 1)
        #expect(throws: VaultError.couple(.unknown)) { try opened.couple(couple) }
    }

    @Test("another vault in the place of one that is open is refused, and stays as it is")
    func replaced() throws {
        let vault = try folder.make("v")
        _ = try folder.make("w", for: "bob")
        let other = try folder.bytes("w")
        try folder.write(other, to: "v")
        #expect(throws: VaultError.replaced(path: folder.path("v"))) { try vault.device }
        #expect(throws: VaultError.replaced(path: folder.path("v"))) {
            try vault.plant(CoupleID(parsing: "couple_1"))
        }
        #expect(try folder.bytes("v") == other)
    }

    @Test("the vault and its lock are for nobody else, and nothing else lies beside them")
    func modes() throws {
        let vault = try folder.make("v")
        try vault.plant(CoupleID(parsing: "couple_1"))
        #expect(try folder.names() == ["v", "v.lock"])
        for name in try folder.names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        #expect(try folder.bytes("v.lock").isEmpty)
    }

    @Test("a symbolic link to a vault stays a link, and the vault behind it changes")
    func linked() throws {
        _ = try folder.make("real")
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            atPath: link.path(), withDestinationPath: folder.path("real"))
        try folder.open("link").plant(CoupleID(parsing: "couple_1"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path()) == folder.path("real"))
        #expect(try folder.open("real").changeCount == 2)
    }

    @Test("a file of more than 256 MiB is not read")
    func tooLarge() throws {
        _ = try folder.make("v")
        let handle = try FileHandle(forWritingTo: folder.url.appending(path: "v"))
        // A hole in the file: no byte of it is on the disk.
        try handle.truncate(atOffset: UInt64(Vault.maximumByteCount) + 1)
        #expect(throws: VaultError.tooLarge) { try folder.open("v") }
    }
}
