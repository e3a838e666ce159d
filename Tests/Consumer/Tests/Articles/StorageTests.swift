import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: AVaultWithoutAFile
/// A vault in a row of a database. Here, a variable stands for the row.
nonisolated final class RowStorage: VaultStorage, @unchecked Sendable {
    let name = "the row of this user"
    private let turn = NSRecursiveLock()
    private var row: [UInt8]?

    func read() throws(VaultError) -> [UInt8] {
        guard let row = turn.withLock({ row }) else { throw .missing(path: name) }
        return row
    }

    func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        turn.lock()
        defer { turn.unlock() }
        guard old != nil || row == nil else { throw .exists(path: name) }
        // In SQL: UPDATE vaults SET bytes = :new WHERE bytes = :old, and one row must have changed.
        guard row == old else { throw .outdated(path: name) }
        row = new
    }

    func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        turn.lock()
        defer { turn.unlock() }
        return try body()
    }
}
// doc: end

@Suite("The article: A vault without a file")
struct StorageTests {
    @Test("a vault in memory makes a couple, and leaves nothing") func memory() throws {
        // doc: AVaultWithoutAFile
        let vault = try Vault.inMemory(for: UserID(parsing: "alice"))
        let couple = try CoupleID(parsing: "couple_1")
        let offer = try vault.store(vault.draftOffer(of: couple, beginningAt: .strict)).offer
        // doc: end

        #expect(offer.couple == couple)
        #expect(try vault.coupleIDs == [couple])
        #expect(try Vault.inMemory(for: UserID(parsing: "alice")).coupleIDs.isEmpty)
    }

    @Test("a vault in a row opens again with its key, and one change at a time is taken") func row() throws {
        let (storage, key) = (RowStorage(), Data((0..<32).map { _ in UInt8.random(in: 0...255) }))
        let user = try UserID(parsing: "alice")
        let couple = try CoupleID(parsing: "couple_1")
        let made = try Vault.create(in: storage, for: user, locking: .key(SecretBytes(copying: key)))
        try made.store(made.draftCouple(of: couple, beginningAt: .strict))
        let again = try Vault(
            opening: storage, unlocking: .key(SecretBytes(copying: key)), notOlderThan: made.version)
        #expect(try again.coupleIDs == [couple])
        #expect(throws: VaultError.exists(path: storage.name)) {
            try Vault.create(in: storage, for: user, locking: .key(SecretBytes(copying: key)))
        }
        #expect(throws: VaultError.missing(path: "the row of this user")) {
            try LockedVault(in: RowStorage())
        }
    }

    @Test("the bytes in memory are those of a file") func bytes() throws {
        let (folder, storage) = (try TemporaryFolder(), VaultMemoryStorage())
        let passphrase = { SecretBytes(utf8: "five words are better here") }
        let user = try UserID(parsing: "alice")
        _ = try Vault.create(in: storage, for: user, locking: .passphrase(passphrase()))
        let path = folder.path("alice.vault")
        try Data(#require(storage.bytes)).write(to: URL(fileURLWithPath: path))
        #expect(try Vault(opening: path, unlocking: .passphrase(passphrase())).device.userID == user)
    }

    @Test("results can be made for a test that has no vault") func results() throws {
        let opened = Opened(plaintext: [1], keyID: 7)
        #expect(opened.plaintext == [1] && opened.keyID == 7)
    }
}
