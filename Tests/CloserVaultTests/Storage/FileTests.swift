import CloserKeys
import CloserPrimitives
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault in a file")
struct FileTests {
    private let folder: VaultFolder
    private let couple: CoupleID

    init() throws {
        folder = try VaultFolder()
        couple = try CoupleID(parsing: "couple_1")
    }

    @Test("where no file or no folder is, no vault opens, and none is made without a folder")
    func missing() throws {
        let path = folder.path("v")
        #expect(throws: VaultError.missing(path: path)) { try folder.open("v") }
        #expect(try folder.names() == [])
        let new = folder.path("no/v")
        #expect(throws: VaultError.missing(path: new)) { try folder.open("no/v") }
        #expect(throws: VaultError.self) { try folder.make("no/v") }
        #expect(try folder.names() == [])
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

    @Test("a vault and an export of the formats before the first release are no vaults")
    func former() throws {
        var database = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        database.replaceSubrange(68..<72, with: "CKv1".utf8)
        try folder.write(database, to: "vault")
        try folder.write("closer-keys/export/1\n".utf8, to: "export")
        for name in ["vault", "export"] {
            #expect(throws: VaultError.notAVault(path: folder.path(name))) { try folder.open(name) }
        }
    }

    @Test("a vault of form 2, as version 0.2.0 wrote it, is of another version")
    func form2() throws {
        let vault = try folder.make("v")
        let former =
            Array("closer-keys/vault/2\n".utf8) + (try folder.bytes("v").dropFirst(VaultFile.mark.count))
        try folder.write(former, to: "v")
        #expect(throws: VaultError.unsupportedVersion) { try folder.open("v") }
        #expect(throws: VaultError.unsupportedVersion) { try vault.plant(couple) }
        #expect(throws: VaultError.unsupportedVersion) {
            try Vault.read(export: former, with: .testOnlyKeyFile(1))
        }
        #expect(try folder.bytes("v") == former)
    }

    @Test("a vault is made over no file, also over an empty one", arguments: ["text", "v", "empty"])
    func makingOver(_ name: String) throws {
        try folder.write("no vault".utf8, to: "text")
        try folder.write([], to: "empty")
        _ = try folder.make("v")
        let before = try folder.bytes(name)
        #expect(throws: VaultError.self) { try folder.make(name, key: 2) }
        #expect(try folder.bytes(name) == before)
    }

    @Test(
        "a vault is made over no FIFO, folder or link that leads nowhere",
        arguments: ["fifo", "folder", "link"])
    func makingOverObstacle(_ name: String) throws {
        #expect(unsafe mkfifo(folder.path("fifo"), 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("nothing"))
        let folder = folder
        #expect(throws: VaultError.self) { try OwnThread { _ = try folder.make(name) }.result() }
        #expect(try !folder.names().contains("nothing"))
        let type = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.type]
        #expect(type as? FileAttributeType != .typeRegular)
    }

    @Test("the vault and its lock are all that lies there after changes")
    func names() throws {
        let vault = try folder.make("v")
        for _ in 0..<3 { try vault.plant(couple) }
        #expect(try folder.names() == ["v", "v.lock"])
        #expect(try folder.open("v").changeCount == 4)
    }

    @Test("a symbolic link to a vault stays a link, and the vault behind it changes")
    func linked() throws {
        _ = try folder.make("real")
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            atPath: link.path(), withDestinationPath: folder.path("real"))
        let vault = try folder.open("link")
        #expect(vault.name == link.path())
        try vault.plant(couple)
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

    @Test("a change is not stored over a file that another process put there meanwhile")
    func changedMeanwhile() throws {
        let vault = try folder.make("v")
        let theirs = try folder.bytes("v") + [0]
        // The change runs again on what is there now.
        #expect(throws: VaultError.damaged) {
            try vault.change { (transaction) throws(VaultError) in
                transaction.put(VersionPin(.strict, of: couple))
                try? folder.write(theirs, to: "v")
            }
        }
        #expect(try folder.bytes("v") == theirs)
        #expect(try folder.names() == ["v", "v.lock"])
    }

    @Test("a vault that was removed is not made again by a change")
    func removed() throws {
        let vault = try folder.make("v")
        try FileManager.default.removeItem(atPath: folder.path("v"))
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.plant(couple) }
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.device }
        #expect(try folder.names() == ["v.lock"])
    }

    @Test("on a disk on which not all of it fits, the old vault stays, and is read and exported")
    func fullDisk() async throws {
        _ = try folder.make("v")
        // A limit on the size of files is the shortest way to a write that ends early.
        await #expect(processExitsWith: .success) { [path = folder.path("v") as String] in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            var limit = rlimit(rlim_cur: rlim_t(try #require(size) + 10), rlim_max: .max)
            unsafe setrlimit(__rlimit_resource_t(1), &limit)
            signal(SIGXFSZ, SIG_IGN)
            let vault = try Vault(opening: path, unlocking: .testOnlyKeyFile(1))
            #expect(throws: VaultError.cannotWrite(path: path, reason: "File too large")) {
                try vault.plant(CoupleID(parsing: "couple_1"))
            }
            #expect(try vault.device.userID.text == "alice" && vault.changeCount == 1)
            #expect(try vault.export(locking: .testOnlyKeyFile(2)).count > 100)
        }
        #expect(try folder.open("v").changeCount == 1)
        #expect(try folder.names() == ["v", "v.lock"])
    }
}
