#if CLOSER_KEYS_FOUNDATION && !canImport(Security)
#error("no Security: the tests of the Keychain store would be left out")
#endif
#if canImport(Security) && CLOSER_KEYS_FOUNDATION
import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Security
import Testing

/// On a stand-in of Apple's four functions: no Keychain was seen.
@Suite("What opens a vault, in the Keychain")
struct KeychainStoreTests {
    private let keychain = StandInKeychain()
    private let storage = VaultMemoryStorage("the vault")
    private let store = KeychainStore(service: "app", accessGroup: "group")

    private func user(_ name: String = "alice") throws -> UserID { try UserID(parsing: name) }

    private func using<Value>(_ body: () throws -> Value) rethrows -> Value {
        try StandInKeychain.$current.withValue(keychain, operation: body)
    }

    private func open() throws -> Vault { try store.unlock(LockedVault(in: storage)) }

    @Test("a vault is made, and opens with what the Keychain has, both for this device alone") func reopens()
        throws
    {
        try using {
            let vault = try store.create(in: storage, for: user())
            #expect(try open().id == vault.id)
            #expect(try store.newest(of: vault.id) == vault.version)
            #expect(keychain.items.map(\.service) == ["app.vault-key", "app.vault-version"])
            #expect(keychain.items.allSatisfy { $0.group == "group" && !$0.isSynchronised })
            #expect(
                keychain.items.allSatisfy {
                    $0.accessibility == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                })
            #expect(keychain.items[0].value.count == 32 && keychain.items[1].account == vault.id.description)
        }
    }

    @Test("a locked device is an error, and no missing key", arguments: [true, false])
    func locked(hasVault: Bool) throws {
        try using {
            if hasVault { _ = try store.create(in: storage, for: user()) }
            let items = keychain.items
            keychain.refusal = errSecInteractionNotAllowed
            #expect(throws: KeychainError.locked) {
                _ = try store.create(in: VaultMemoryStorage("b"), for: user())
            }
            #expect(throws: KeychainError.locked) { _ = try store.newest(of: Vault.inMemory(for: user()).id) }
            #expect(throws: KeychainError.locked) { try store.keep(Vault.inMemory(for: user()).version) }
            if hasVault { #expect(throws: KeychainError.locked) { _ = try open() } }
            keychain.refusal = errSecMissingEntitlement
            if hasVault { #expect(throws: KeychainError.refused(-34018)) { _ = try open() } }
            #expect(keychain.items == items)
        }
    }

    @Test("without a key there is none, and a foreign key does not open") func noKey() throws {
        try using {
            _ = try store.create(in: storage, for: user())
            let items = keychain.items
            keychain.items = []
            #expect(throws: KeychainError.noKey) { _ = try open() }
            keychain.items = items
            keychain.items[0].value = Data(repeating: 7, count: 32)
            #expect(throws: VaultError.authenticationFailed) { _ = try open() }
            keychain.items[0].value = Data("short".utf8)
            #expect(throws: VaultError.authenticationFailed) { _ = try open() }
        }
    }

    @Test("where a vault is already, the new key goes again, and the first one still opens") func exists()
        throws
    {
        try using {
            _ = try store.create(in: storage, for: user())
            let items = keychain.items
            #expect(throws: VaultError.exists(path: "the vault")) {
                _ = try store.create(in: storage, for: user("bob"))
            }
            #expect(keychain.items == items)
            #expect(try open().device.userID == user())
        }
    }

    @Test("an older state is refused, until the person accepts it") func rollback() throws {
        try using {
            let vault = try store.create(in: storage, for: user())
            let old = storage.bytes
            try vault.setPolicy(Policy(requiresPairing: true))
            try store.keep(vault.version)
            let older = VaultMemoryStorage("the vault", holding: old)
            #expect(throws: VaultError.rolledBack(path: "the vault")) {
                _ = try store.unlock(LockedVault(in: older))
            }
            let accepted = try store.acceptOlder(LockedVault(in: older))
            #expect(try store.newest(of: vault.id) == accepted.version)
            #expect(throws: VaultError.rolledBack(path: "the vault")) { _ = try open() }
        }
    }

    @Test("an older version does not replace a newer one, and a damaged one is an error") func versions()
        throws
    {
        try using {
            let vault = try store.create(in: storage, for: user())
            let first = vault.version
            try vault.setPolicy(Policy(requiresPairing: true))
            try store.keep(vault.version)
            try store.keep(first)
            #expect(try store.newest(of: vault.id) == vault.version)
            for damaged in [
                "", "x", "\(vault.id) 0 00", "\(Vault.ID("00000000000000000000000000000000")!) 1 00",
            ] {
                keychain.items[1].value = Data(damaged.utf8)
                #expect(throws: KeychainError.malformed) { _ = try open() }
            }
        }
    }

    @Test(
        "a synchronised key has an account of its own each time, and every key is tried; versions stay here")
    func synchronised() throws {
        try using {
            let cloud = KeychainStore(service: "app", accessibility: .whenUnlocked, synchronisesKey: true)
            _ = try cloud.create(in: VaultMemoryStorage("former phone"), for: user())
            _ = try cloud.create(in: storage, for: user())
            let keys = keychain.items.filter { $0.service == "app.vault-key" }
            #expect(keys.count == 2 && keys[0].account != keys[1].account && keys[0].value != keys[1].value)
            #expect(
                keys.allSatisfy { $0.isSynchronised && $0.accessibility == kSecAttrAccessibleWhenUnlocked })
            let versions = keychain.items.filter { $0.service == "app.vault-version" }
            #expect(versions.count == 2 && versions.allSatisfy { !$0.isSynchronised })
            #expect(
                versions.allSatisfy { $0.accessibility == kSecAttrAccessibleWhenUnlockedThisDeviceOnly })
            // An app that did not synchronise before finds both kinds.
            #expect(
                try KeychainStore(service: "app").unlock(LockedVault(in: storage)).device.userID == user())
        }
    }
}
#endif
