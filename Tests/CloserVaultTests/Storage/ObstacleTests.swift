import CloserFiles
import CloserKeys
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("What stands in the way of reading or changing a vault")
struct ObstacleTests {
    private let folder: VaultFolder
    private let vault: Vault
    private let couple: CoupleID

    init() throws {
        folder = try VaultFolder()
        vault = try folder.make("v")
        couple = try CoupleID(parsing: "couple_1")
    }

    /// The vault cannot be changed, and is what it was.
    private func expectUnchanged(_ error: VaultError) throws {
        let before = try folder.bytes("v")
        #expect(throws: error) { try vault.plant(couple) }
        #expect(try folder.bytes("v") == before)
        #expect(try folder.open("v").changeCount == 1)
        #expect(try !folder.names().contains { $0.hasSuffix(".tmp") })
    }

    private func removeLock() throws { try FileManager.default.removeItem(atPath: folder.path("v.lock")) }

    @Test("a folder in the lock's place")
    func lockFolder() throws {
        try removeLock()
        try FileManager.default.createDirectory(
            atPath: folder.path("v.lock"), withIntermediateDirectories: false)
        try expectUnchanged(.cannotWrite(path: folder.path("v.lock"), reason: "Is a directory"))
    }

    @Test("a symbolic link in the lock's place: what it leads to is not touched")
    func lockLink() throws {
        try removeLock()
        let victim = folder.path("victim")
        try FileManager.default.createSymbolicLink(atPath: folder.path("v.lock"), withDestinationPath: victim)
        try expectUnchanged(
            .cannotWrite(path: folder.path("v.lock"), reason: "Too many levels of symbolic links"))
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test("a FIFO in the lock's place, and one in the vault's: nobody waits for its other end")
    func fifos() throws {
        try removeLock()
        unsafe mkfifo(folder.path("v.lock"), 0o600)
        try expectUnchanged(.cannotWrite(path: folder.path("v.lock"), reason: "is not a regular file"))
        unsafe mkfifo(folder.path("w"), 0o600)
        #expect(throws: VaultError.cannotRead(path: folder.path("w"), reason: "is not a regular file")) {
            try folder.open("w")
        }
        #expect(throws: VaultError.cannotRead(path: folder.path("w"), reason: "is not a regular file")) {
            try folder.make("w")
        }
    }

    @Test("a folder in the vault's place")
    func vaultFolder() throws {
        let path = folder.path("w")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: VaultError.cannotRead(path: path, reason: "is not a regular file")) {
            try folder.open("w")
        }
    }

    @Test("a lock that another process holds for too long: nothing is changed, and readers do not wait")
    func heldLock() throws {
        let hasty = try Vault(
            LockedVault(at: vault.path), .testOnlyKeyFile(1), patience: .milliseconds(20))
        let held = try FileLock.acquire(folder.path("v.lock"), patience: .zero)
        #expect(throws: VaultError.busy) { try hasty.plant(couple) }
        #expect(try hasty.device.userID.text == "alice")
        #expect(try folder.open("v").changeCount == 1)
        _ = consume held
        try hasty.plant(couple)
        #expect(try folder.open("v").changeCount == 2)
    }

    @Test(
        "a lock file that is removed during a change, and a file that is put there meanwhile: nothing is stored"
    )
    func disturbed() throws {
        let other = try folder.open("v")
        #expect(throws: VaultError.busy) {
            try vault.change { (transaction) throws(VaultError) in
                try? FileManager.default.removeItem(atPath: folder.path("v.lock"))
                // With the lock file gone, somebody else can write.
                do { try other.plant(couple) } catch { Issue.record("the other one cannot write: \(error)") }
                transaction.put(VersionPin(.strict, of: couple))
            }
        }
        #expect(try folder.open("v").couple(couple).id == couple)
        #expect(try folder.open("v").changeCount == 2)
        #expect(try folder.names() == ["v", "v.lock"])
    }

    @Test(
        "a FIFO that takes the vault's place during a change: nobody waits for it, and nothing is written into it"
    )
    func fifoMeanwhile() throws {
        #expect(throws: VaultError.cannotWrite(path: folder.path("v"), reason: "is not a regular file")) {
            try vault.change { (transaction) throws(VaultError) in
                try? FileManager.default.removeItem(atPath: folder.path("v"))
                unsafe mkfifo(folder.path("v"), 0o600)
                transaction.put(VersionPin(.strict, of: couple))
            }
        }
        #expect(try folder.names() == ["v", "v.lock"])
    }

    @Test("a vault that was removed is not made anew by a change")
    func removedVault() throws {
        try FileManager.default.removeItem(atPath: folder.path("v"))
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.plant(couple) }
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.device }
        #expect(try folder.names() == ["v.lock"])
    }

    @Test("a disk on which not all of it fits: the old vault stays, and can be read and exported")
    func fullDisk() async throws {
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
            #expect(try vault.device.userID.text == "alice")
            #expect(try vault.export(locking: .testOnlyKeyFile(2)).count > 100)
        }
        #expect(try folder.open("v").changeCount == 1)
        #expect(try folder.names() == ["v", "v.lock"])
    }
}
