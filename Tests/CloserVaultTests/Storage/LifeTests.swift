import CloserKeys
import CloserPrimitives
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault is made, opened and locked anew")
struct LifeTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("what unlocks it is asked of the vault that was opened, and not of the file that lies in its place")
    func opens() throws {
        let vault = try folder.make("asked")
        _ = try folder.make("other", key: 2)
        #expect(try vault.opens(with: .testOnlyKeyFile(1)))
        #expect(try !vault.opens(with: .testOnlyKeyFile(2)))
        try folder.write(folder.bytes("other"), to: "asked")
        for key: UInt8 in [1, 2] {
            #expect(throws: VaultError.self) { try vault.opens(with: .testOnlyKeyFile(key)) }
        }
    }

    @Test("whether something unlocks it can be asked before")
    func asked() throws {
        _ = try folder.make("v")
        let locked = try LockedVault(at: folder.path("v"))
        let opens = (locked.opens(with: .testOnlyKeyFile(1)), locked.opens(with: .testOnlyKeyFile(2)))
        #expect(opens == (true, false))
    }

    @Test("a new vault opens with its key file, as the device that it was made for")
    func keyFile() throws {
        let made = try folder.make("v")
        let opened = try folder.open("v")
        #expect(try opened.device.publicKey == made.device.publicKey)
        #expect(try opened.device.x25519PublicKey == made.device.x25519PublicKey)
        #expect(try opened.device.userID.text == "alice")
        #expect(try opened.protection == .keyFile)
        #expect(try opened.couples.isEmpty)
        #expect(try opened.changeCount == 1)
    }

    @Test("two vaults of one user share nothing")
    func distinct() throws {
        let (ours, theirs) = (try folder.make("v"), try folder.make("w"))
        #expect(try ours.device.publicKey != theirs.device.publicKey)
        #expect(ours.key.vaultID != theirs.key.vaultID)
        #expect(try Set(ours.rows().dropFirst()).isDisjoint(with: theirs.rows().dropFirst()))
    }

    @Test("another key file is refused, and one that has not 32 bytes")
    func otherKeyFile() throws {
        _ = try folder.make("v")
        #expect(throws: VaultError.authenticationFailed) { try folder.open("v", key: 2) }
        for count in [0, 1, 31, 33, 64] {
            #expect(throws: VaultError.keyFileMalformed, "\(count) bytes") {
                try Vault(opening: folder.path("v"), unlocking: .testOnlyKeyFile(1, count: count))
            }
            #expect(throws: VaultError.keyFileMalformed, "\(count) bytes") {
                try Vault.create(
                    at: folder.path("new"), for: UserID(parsing: "alice"),
                    locking: .testOnlyKeyFile(1, count: count))
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    }

    @Test("a passphrase opens, another does not, and a key file is the wrong sort")
    func passphrase() throws {
        let user = try UserID(parsing: "alice")
        let made = try Vault.create(
            at: folder.path("v"), for: user, locking: .testOnlyPassphrase("correct horse"))
        #expect(try made.protection == .passphrase(.standard))
        let opened = try Vault(
            opening: folder.path("v"), unlocking: .testOnlyPassphrase("correct horse"))
        #expect(try opened.device.publicKey == made.device.publicKey)
        #expect(throws: VaultError.authenticationFailed) {
            try Vault(opening: folder.path("v"), unlocking: .testOnlyPassphrase("Correct horse"))
        }
        #expect(throws: VaultError.otherProtection) { try folder.open("v") }
        _ = try folder.make("w")
        #expect(throws: VaultError.otherProtection) {
            try Vault(opening: folder.path("w"), unlocking: .testOnlyPassphrase("correct horse"))
        }
    }

    @Test("a passphrase has 1 to 1024 bytes", arguments: [0, 1025])
    func passphraseLength(_ count: Int) throws {
        let text = String(repeating: "x", count: count)
        #expect(throws: VaultError.passphraseLength) {
            try Vault.create(
                at: folder.path("v"), for: UserID(parsing: "alice"), locking: .testOnlyPassphrase(text))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("v")))
    }

    @Test("a new lock takes the place of the old one, and every record stays")
    func relock() throws {
        let vault = try folder.make("v")
        let before = try vault.device.publicKey
        try vault.lock(with: .testOnlyQuick("words"))
        #expect(throws: VaultError.otherProtection) { try folder.open("v") }
        try Vault(opening: folder.path("v"), unlocking: .testOnlyQuick("words"))
            .lock(with: .testOnlyKeyFile(2))
        #expect(throws: VaultError.authenticationFailed) { try folder.open("v", key: 1) }
        let opened = try folder.open("v", key: 2)
        #expect(try opened.device.publicKey == before)
        #expect(try opened.changeCount == 3)
    }

    @Test("a lock that is refused leaves the old one")
    func refusedRelock() throws {
        let vault = try folder.make("v")
        let before = try folder.bytes("v")
        try refuses(VaultError.keyFileMalformed, vault) {
            try vault.lock(with: .testOnlyKeyFile(1, count: 31))
        }
        #expect(try folder.bytes("v") == before)
    }

    @Test("a new lock whose key is lost is undone before anybody else's turn, and no lock of theirs is")
    func undone() throws {
        let (vault, done) = (try folder.make("v"), DispatchSemaphore(value: 0))
        let other = try folder.open("v")
        let fate = try vault.lock(with: .testOnlyKeyFile(2)) {
            Thread.detachNewThread {
                #expect(throws: Never.self) { try other.lock(with: .testOnlyKeyFile(3)) }
                done.signal()
            }
            return done.wait(timeout: .now() + 0.2) == .success ? nil : "lost"
        }
        done.wait()
        #expect(fate == .undone("lost"))
        #expect(try folder.open("v", key: 3).changeCount == 4)
    }

    @Test(
        "it is undone, too, though somebody does something to the lock file meanwhile",
        arguments: ["", "folder", "fifo", "held"])
    func undoneWithoutLock(_ arrival: String) throws {
        let (vault, lock) = (try folder.make("v"), folder.path("v.lock"))
        let fate = try vault.lock(with: .testOnlyKeyFile(2)) {
            _ = unsafe unlink(lock)
            switch arrival {
            case "folder": _ = unsafe mkdir(lock, 0o700)
            case "fifo": _ = unsafe mkfifo(lock, 0o600)
            case "held": _ = unsafe flock(open(lock, O_RDWR | O_CREAT, 0o600), LOCK_EX)
            default: break
            }
            return "lost"
        }
        #expect(fate == .undone("lost"))
        #expect(throws: VaultError.authenticationFailed) { try folder.open("v", key: 2) }
        #expect(try folder.open("v").changeCount == 3)
        guard arrival.isEmpty else { return }
        // It goes on under the former lock.
        try vault.plant(CoupleID(parsing: "couple_1"))
        #expect(try folder.open("v").changeCount == 4)
    }

    @Test(
        "it is not undone where another one has come, or where the file cannot be written, and the error says why"
    )
    func stuck() throws {
        let (vault, lock) = (try folder.make("v"), folder.path("v.lock"))
        let overtaken = try vault.lock(with: .testOnlyKeyFile(2)) {
            _ = unsafe unlink(lock)
            #expect(throws: Never.self) { try folder.open("v", key: 2).lock(with: .testOnlyKeyFile(3)) }
            return "lost"
        }
        #expect(overtaken == .stuck("lost", .lockedAnew(path: folder.path("v"))))
        let gone = try folder.open("v", key: 3).lock(with: .testOnlyKeyFile(4)) {
            _ = unsafe unlink(folder.path("v"))
            return "lost"
        }
        #expect(gone == .stuck("lost", .missing(path: folder.path("v"))))
    }

    @Test("what a vault is locked with can be asked before it is opened, and tells which vault it is")
    func locked() throws {
        let vault = try folder.make("v")
        let locked = try LockedVault(at: folder.path("v"))
        #expect((locked.id, locked.protection) == (vault.id, .keyFile))
        #expect(try locked.unlock(with: .testOnlyKeyFile(1)).device.publicKey == vault.device.publicKey)
        #expect(vault.id.description.count == 32)
    }

    @Test("a change that changes nothing writes nothing")
    func unchanged() throws {
        let vault = try folder.make("v")
        let before = try folder.bytes("v")
        try vault.change { (transaction) throws(VaultError) in _ = try transaction.device }
        #expect(try folder.bytes("v") == before)
        #expect(try vault.changeCount == 1)
    }

    @Test("two open vaults of one file see each other's changes")
    func twoAtOnce() throws {
        let (ours, theirs) = (try folder.make("v"), try folder.open("v"))
        let couple = try CoupleID(parsing: "couple_1")
        try ours.plant(couple)
        #expect(try theirs.couple(couple).id == couple)
        try theirs.forget(couple)
        #expect(throws: VaultError.couple(.unknown)) { try ours.couple(couple) }
        #expect(try ours.changeCount == 3)
    }
}
