import CloserFiles
import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// An attacker has an older copy of a vault, and what protected that copy, and so its vault key.
@Suite("A vault gets a new vault key")
struct NewVaultKeyTests {
    private let vaults = MemoryVaults()
    private let vault: Vault
    private let couple: CoupleID
    /// The copy, and the vault key in it.
    private let older: [UInt8]
    private let formerKey: VaultKey

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        vault = try vaults.make("v")
        try vault.changeCredential(to: .testOnlyQuick("old"))
        try vault.plant(couple)
        older = try vaults.bytes("v")
        formerKey = try vaults.locked("v").content.slot.unlock(with: .testOnlyQuick("old"))
    }

    private func file(_ name: String) throws -> VaultFile { try vaults.locked(name).content }

    @Test("and keeps its id and its records, also in the object that drew it", arguments: [true, false])
    func records(_ isPassphrase: Bool) throws {
        let (device, rows) = (try vault.device.publicKey, try vault.rows())
        try isPassphrase
            ? vault.changeCredential(to: .testOnlyQuick("new"), newVaultKey: true)
            : vault.changeCredential(to: .testOnlyKeyFile(2), newVaultKey: true)
        let opened =
            try isPassphrase
            ? vaults.locked("v").unlock(with: .testOnlyQuick("new")) : vaults.open("v", key: 2)
        #expect(try opened.device.publicKey == device && opened.couples.map(\.id) == [couple])
        #expect(try (opened.id, opened.changeCount) == (vaults.locked("v").id, 4))
        #expect(try Set(opened.rows()).isDisjoint(with: rows))
        try vault.forget(couple)
        #expect(try opened.couples.isEmpty && opened.changeCount == 5)
    }

    @Test(
        "the former key opens neither the index nor a record; without a new key it opens both",
        .proves(
            "After `device passphrase --new-vault-key`, an older copy opens nothing that is written later"))
    func formerVaultKey() throws {
        try vault.changeCredential(to: .testOnlyQuick("new"))
        let readable = try file("v").index(formerKey)
        let record = try #require(readable.entries.first)
        #expect(try formerKey.open(record.box, as: record.name).count > 0)

        try vault.changeCredential(to: .testOnlyQuick("newer"), newVaultKey: true)
        #expect(throws: VaultError.damaged) { try file("v").index(formerKey) }
        for entry in try vault.current().index.entries {
            #expect(throws: VaultError.damaged) { _ = try formerKey.open(entry.box, as: entry.name) }
        }
    }

    @Test(
        "the former key slot in front of the newer file opens with its passphrase, and then nothing is read",
        .proves(
            "After `device passphrase --new-vault-key`, an older copy opens nothing that is written later"))
    func graft() throws {
        vaults.write(older, to: "older")
        let (former, passphrase) = (try file("older").slot, "old")
        try vault.changeCredential(to: .testOnlyQuick("new"), newVaultKey: true)
        let newer = try vaults.bytes("v")
        let rest = try newer.dropFirst((VaultFile.mark + file("v").slot.bytes).count)
        vaults.write(VaultFile.mark + former.bytes + rest, to: "graft")
        #expect(try vaults.locked("graft").opens(with: .testOnlyQuick(passphrase)))
        #expect(throws: VaultError.damaged) {
            try vaults.locked("graft").unlock(with: .testOnlyQuick(passphrase))
        }
        #expect(throws: VaultError.damaged) {
            let typed = SecretBytes(testOnly: Array(passphrase.utf8))
            return try vaults.locked("graft").unlock(
                with: .slotKey(vaults.locked("older").slotKey(from: typed)))
        }
        #expect(throws: VaultError.authenticationFailed) {
            try vaults.locked("graft").unlock(with: .testOnlyQuick("new"))
        }
    }

    @Test("an object that has the vault open with the former key reads nothing more, and overwrites nothing")
    func other() throws {
        let other = try vaults.locked("v").unlock(with: .testOnlyQuick("old"))
        try vault.changeCredential(to: .testOnlyQuick("new"), newVaultKey: true)
        let newer = try vaults.bytes("v")
        #expect(throws: VaultError.authenticationFailed) { try other.couples }
        #expect(throws: VaultError.authenticationFailed) { try other.forget(couple) }
        #expect(throws: VaultError.authenticationFailed) {
            try other.changeCredential(to: .testOnlyQuick("third"))
        }
        #expect(try vaults.bytes("v") == newer)
    }

    @Test("a thread that reads when the new file is there and the change has not returned opens it")
    func meanwhile() throws {
        let storage = WatchedStorage(vaults.storage("v"))
        let watched = try Vault(LockedVault(in: storage), .testOnlyQuick("old"))
        storage.watch { _ = try watched.device }
        try watched.changeCredential(to: .testOnlyQuick("new"), newVaultKey: true)
        #expect(storage.failures.isEmpty)
    }

    @Test("the former passphrase is no new one: whoever had it would open the new vault key")
    func former() throws {
        try refuses(VaultError.formerCredential, vault) {
            try vault.changeCredential(to: .testOnlyQuick("old"), newVaultKey: true)
        }
        try vault.changeCredential(to: .testOnlyQuick("old"))
    }

    @Test("a key slot that is refused leaves the former vault key in use")
    func refused() throws {
        try refuses(VaultError.keyMalformed, vault) {
            try vault.changeCredential(to: .testOnlyKeyFile(1, count: 31), newVaultKey: true)
        }
        #expect(try vaults.bytes("v") == older)
        try vault.forget(couple)
        #expect(try vaults.locked("v").unlock(with: .testOnlyQuick("old")).couples.isEmpty)
    }

    @Test("an older copy is not newer than the version that was seen")
    func rollback() throws {
        try vault.changeCredential(to: .testOnlyQuick("new"), newVaultKey: true)
        vaults.write(older, to: "v")
        #expect(throws: VaultError.rolledBack(path: "v")) {
            try vaults.locked("v").unlock(with: .testOnlyQuick("old"), notOlderThan: vault.version)
        }
    }
}

/// Calls somebody once the bytes are replaced, and before that is told.
private final class WatchedStorage: VaultStorage {
    private let storage: VaultMemoryStorage
    private let body = Lock<(@Sendable () throws -> Void)?>(nil)
    private let errors = Lock<[String]>([])

    init(_ storage: VaultMemoryStorage) { self.storage = storage }

    var name: String { storage.name }
    var failures: [String] { errors.withLock { $0 } }
    func watch(_ body: @escaping @Sendable () throws -> Void) { self.body.withLock { $0 = body } }
    func read() throws(VaultError) -> [UInt8] { try storage.read() }

    func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        try storage.replace(old, by: new)
        do { try body.withLock { $0 }?() } catch { errors.withLock { $0.append("\(error)") } }
    }

    func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result { try storage.lock(patience: patience, body) }
}
