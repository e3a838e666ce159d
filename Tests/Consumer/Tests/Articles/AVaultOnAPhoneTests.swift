#if canImport(Security)
import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation

// doc: AVaultOnAPhone
/// An app's own door to its vault, with the key in the Keychain.
nonisolated struct PhoneVault: Sendable {
    let store = KeychainStore(service: "com.example.app", accessGroup: "TEAM.com.example.shared")
    let path: String

    /// At each start: opens the vault, or makes it where there is none.
    func open(for user: UserID) throws -> VaultActor {
        let storage = VaultFileStorage(path)
        do { return try keeping(store.unlock(LockedVault(in: storage))) } catch VaultError.missing {
            return try keeping(store.create(in: storage, for: user))
        }
    }

    /// Makes an older file the newest, once the person has said that they restored a backup.
    func acceptOlder() throws -> VaultActor { try keeping(store.acceptOlder(LockedVault(at: path))) }

    private func keeping(_ vault: Vault) throws -> VaultActor {
        try VaultActor(vault) { version in try store.keep(version) }
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
    case VaultError.rolledBack: "This is an older copy of your data. Did you restore a backup?"
    default: "Please try again, or contact us."
    }
}
// doc: end
#endif
