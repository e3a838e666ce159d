import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault is made, opened and given another key slot")
struct LifeTests {
    private let vaults = MemoryVaults()

    @Test("whether something unlocks it can be asked before")
    func asked() throws {
        _ = try vaults.make("v")
        let locked = try vaults.locked("v")
        let opens = (locked.opens(with: .testOnlyKeyFile(1)), locked.opens(with: .testOnlyKeyFile(2)))
        #expect(opens == (true, false))
    }

    @Test("a new vault opens with its key file, as the device that it was made for")
    func keyFile() throws {
        let made = try vaults.make("v")
        let opened = try vaults.open("v")
        #expect(try opened.device.publicKey == made.device.publicKey)
        #expect(try opened.device.x25519PublicKey == made.device.x25519PublicKey)
        #expect(try opened.device.userID.text == "alice")
        #expect(try opened.protection == .key)
        #expect(try opened.couples.isEmpty)
        #expect(try opened.changeCount == 1)
    }

    @Test("two vaults of one user share nothing")
    func distinct() throws {
        let (ours, theirs) = (try vaults.make("v"), try vaults.make("w"))
        #expect(try ours.device.publicKey != theirs.device.publicKey)
        #expect(ours.id != theirs.id)
        #expect(try Set(ours.rows().dropFirst()).isDisjoint(with: theirs.rows().dropFirst()))
    }

    @Test("another key file is refused, and one that has not 32 bytes")
    func otherKeyFile() throws {
        _ = try vaults.make("v")
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v", key: 2) }
        for count in [0, 1, 31, 33, 64] {
            #expect(throws: VaultError.keyMalformed, "\(count) bytes") {
                try vaults.locked("v").unlock(with: .testOnlyKeyFile(1, count: count))
            }
            #expect(throws: VaultError.keyMalformed, "\(count) bytes") {
                try Vault.create(
                    in: vaults.storage("new"), for: UserID(parsing: "alice"),
                    locking: .testOnlyKeyFile(1, count: count))
            }
        }
        #expect(!vaults.isThere("new"))
    }

    @Test("a passphrase opens, another does not, and a key file is the wrong sort")
    func passphrase() throws {
        let user = try UserID(parsing: "alice")
        let made = try Vault.create(
            in: vaults.storage("v"), for: user, locking: .testOnlyPassphrase("correct horse"))
        #expect(try made.protection == .standardPassphrase)
        let opened = try vaults.locked("v").unlock(with: .testOnlyPassphrase("correct horse"))
        #expect(try opened.device.publicKey == made.device.publicKey)
        #expect(throws: VaultError.authenticationFailed) {
            try vaults.locked("v").unlock(with: .testOnlyPassphrase("Correct horse"))
        }
        #expect(throws: VaultError.otherProtection) { try vaults.open("v") }
        _ = try vaults.make("w")
        #expect(throws: VaultError.otherProtection) {
            try vaults.locked("w").unlock(with: .testOnlyPassphrase("correct horse"))
        }
    }

    @Test("a passphrase has 1 to 1024 bytes", arguments: [0, 1025])
    func passphraseLength(_ count: Int) throws {
        let text = String(repeating: "x", count: count)
        #expect(throws: VaultError.passphraseLength) {
            try Vault.create(
                in: vaults.storage("v"), for: UserID(parsing: "alice"), locking: .testOnlyPassphrase(text))
        }
        #expect(!vaults.isThere("v"))
    }

    @Test("a new key slot takes the place of the old one, and every record stays")
    func relock() throws {
        let vault = try vaults.make("v")
        let before = try vault.device.publicKey
        try vault.changeCredential(to: .testOnlyQuick("words"))
        #expect(throws: VaultError.otherProtection) { try vaults.open("v") }
        try vaults.locked("v").unlock(with: .testOnlyQuick("words"))
            .changeCredential(to: .testOnlyKeyFile(2))
        #expect(throws: VaultError.authenticationFailed) { try vaults.open("v", key: 1) }
        let opened = try vaults.open("v", key: 2)
        #expect(try opened.device.publicKey == before)
        #expect(try opened.changeCount == 3)
    }

    @Test("a key slot that is refused leaves the old one")
    func refusedRelock() throws {
        let vault = try vaults.make("v")
        let before = try vaults.bytes("v")
        try refuses(VaultError.keyMalformed, vault) {
            try vault.changeCredential(to: .testOnlyKeyFile(1, count: 31))
        }
        #expect(try vaults.bytes("v") == before)
    }

    @Test("what protects a vault, and which vault it is, can be asked before it is opened")
    func locked() throws {
        let vault = try vaults.make("v")
        let locked = try vaults.locked("v")
        #expect((locked.id, locked.protection) == (vault.id, .key))
        #expect(try locked.unlock(with: .testOnlyKeyFile(1)).device.publicKey == vault.device.publicKey)
        #expect(vault.id.description.count == 32)
    }

    @Test("a change that changes nothing writes nothing")
    func unchanged() throws {
        let vault = try vaults.make("v")
        let before = try vaults.bytes("v")
        try vault.change { (transaction) throws(VaultError) in _ = try transaction.device }
        #expect(try vaults.bytes("v") == before)
        #expect(try vault.changeCount == 1)
    }

    @Test("two open vaults of one storage see each other's changes")
    func twoAtOnce() throws {
        let (ours, theirs) = (try vaults.make("v"), try vaults.open("v"))
        let couple = try CoupleID(parsing: "couple_1")
        try ours.plant(couple)
        #expect(try theirs.couple(couple).id == couple)
        try theirs.forget(couple)
        #expect(throws: VaultError.couple(.missing)) { try ours.couple(couple) }
        #expect(try ours.changeCount == 3)
    }
}
