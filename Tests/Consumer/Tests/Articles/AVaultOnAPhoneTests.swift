#if canImport(Security)
import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation

// doc: AVaultOnAPhone
/// An app's own door to its vault, with the key in the Keychain.
nonisolated struct PhoneVault: Sendable {
    let path: String
    private var store: KeychainStore {
        KeychainStore(
            service: "com.example.app", lockingAt: "\(path).version.lock",
            accessGroup: "TEAM.com.example.shared")
    }

    /// At each start: opens the vault, or makes it where there is none.
    func open(for user: UserID) throws -> VaultActor {
        let storage = VaultFileStorage(path)
        do { return try room(store.unlock(LockedVault(in: storage))) } catch VaultError.missing {
            return try room(store.create(in: storage, for: user))
        }
    }

    /// Makes the vault from a backup, where there is none yet.
    func restore(_ backup: Data, under passphrase: String) throws -> VaultActor {
        let storage = VaultFileStorage(path)
        return try room(
            store.create(in: storage, importing: Array(backup), under: SecretBytes(utf8: passphrase)))
    }

    /// Makes an older file the newest, once the person has said that they restored a backup.
    func acceptOlder() throws -> VaultActor { try room(store.acceptOlder(LockedVault(at: path))) }

    private func room(_ vault: Vault) throws -> VaultActor {
        try VaultActor(vault, memory: store)
    }
}
// doc: end

// doc: AVaultOnAPhone
/// What to do about an error of the Keychain, or of the vault that it opens.
nonisolated func advice(atStart error: any Error) -> String {
    switch error {
    case KeychainError.locked: "Please unlock this phone, and open the app again."
    case KeychainError.noKey, VaultError.authenticationFailed, VaultError.damaged:
        "This phone no longer has the key to your data. Please use your recovery phrase."
    case VaultError.rolledBack: "This is an older or another copy of your data. Did you restore a backup?"
    default: "Please try again, or contact us."
    }
}
// doc: end
#endif
