import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: BackUpAndRestore
/// A copy of a vault under a passphrase, which a person keeps where they like.
nonisolated enum Backup {
    /// The passphrase is all that protects a backup.
    struct PassphraseTooShort: Error {}

    /// Makes a backup. It takes Argon2id's 256 MiB: do it in the app, and not in an extension or on a watch.
    static func make(of room: VaultActor, under passphrase: String) async throws -> Data {
        guard passphrase.count >= 12 else { throw PassphraseTooShort() }
        return Data(try await room.use { vault in try vault.export(under: SecretBytes(utf8: passphrase)) })
    }

    /// Opens every record of a backup, as before the old phone goes.
    static func check(_ backup: Data, under passphrase: String) throws {
        try Vault.check(export: Array(backup), under: SecretBytes(utf8: passphrase))
    }

    /// Makes this phone's vault of it, under a key of its own.
    static func restore(
        _ backup: Data, under passphrase: String, at path: String, key: borrowing Credential
    ) throws -> Vault {
        try Vault.create(
            at: path, importing: Array(backup), under: SecretBytes(utf8: passphrase), locking: key)
    }
}
// doc: end

@Suite("The article Back up and restore")
struct BackUpAndRestoreTests {
    @Test("a backup opens under its passphrase alone, and the restored vault has the couple") func way()
        async throws
    {
        let folder = try TemporaryFolder()
        let phone = try Phone("alice", in: folder)
        let couple = try CoupleID(parsing: "couple_1")
        try phone.vault.store(phone.vault.draftOffer(of: couple, beginningAt: .strict))
        let fingerprint = try phone.vault.couple(couple).fingerprint
        let room = try VaultActor(phone.vault)
        await #expect(throws: Backup.PassphraseTooShort.self) {
            try await Backup.make(of: room, under: "short")
        }
        let words = "five words are better here"
        let backup = try await Backup.make(of: room, under: words)
        try Backup.check(backup, under: words)
        #expect(throws: VaultError.authenticationFailed) {
            try Backup.check(backup, under: "five other words")
        }

        let restored = try Backup.restore(
            backup, under: words, at: folder.path("restored.vault"), key: .key(.random(count: 32)))
        #expect(try restored.couple(couple).fingerprint == fingerprint)
        #expect(try restored.id != phone.vault.id && restored.pendingOffer(of: couple) == nil)
    }
}
