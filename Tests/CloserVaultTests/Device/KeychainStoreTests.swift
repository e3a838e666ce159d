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
    private let folder: VaultFolder
    private let store: KeychainStore

    init() throws {
        folder = try VaultFolder()
        store = KeychainStore(service: "app", lockingAt: folder.path("lock"), accessGroup: "group")
    }

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
            #expect(try store.newest == vault.version)
            #expect(keychain.items.map(\.service) == ["app.vault-key", "app.vault-version"])
            #expect(keychain.items.allSatisfy { $0.group == "group" && !$0.isSynchronised })
            #expect(
                keychain.items.allSatisfy {
                    $0.accessibility == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                })
            #expect(keychain.items[0].value.count == 32 && keychain.items[1].account == "newest")
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
            #expect(throws: KeychainError.locked) { _ = try store.newest }
            #expect(throws: KeychainError.locked) {
                let vault = try Vault.inMemory(for: user())
                try vault.remember(in: store)
            }
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

    @Test(
        "a vault is renewed under a new key, which is added first; where it is not renewed, the new key goes again"
    )
    func renewed() throws {
        try using {
            let vault = try store.create(in: storage, for: user())
            let (former, other) = (keychain.items, try open())
            try store.renew(vault)
            #expect(
                keychain.items.count == 3
                    && keychain.items.filter { $0.service == "app.vault-key" }.count == 2)
            #expect(try open().version == vault.version && store.newest == vault.version)
            let items = keychain.items
            #expect(throws: VaultError.authenticationFailed) { _ = try store.renew(other) }
            #expect(keychain.items == items)
            keychain.items.removeAll { item in item.service == "app.vault-key" && !former.contains(item) }
            #expect(throws: VaultError.authenticationFailed) { _ = try open() }
        }
    }

    @Test("a renewal on another branch than the remembered one is refused, and what is remembered stays")
    func renewedOnABranch() throws {
        try using { () throws in
            let server = StandInServer()
            func storage() -> VaultServerStorage {
                VaultServerStorage(server, copyingTo: folder.path("copy"))
            }
            let first = try store.create(in: storage(), for: user())
            let start = try #require(server.bytes)
            let second = try store.unlock(LockedVault(in: storage()))
            try first.setPolicy(Policy(requiresPairing: true))
            try first.remember(in: store)
            let remembered = try store.newest
            server.overwrite(start)
            #expect(throws: VaultError.rolledBack(path: server.name)) { _ = try store.renew(second) }
            #expect(try store.newest == remembered && keychain.items.count == 2)
        }
    }

    @Test("a key that a link brings is added once, and opens the vault on another device") func joined()
        throws
    {
        try using {
            let key = SecretBytes.random(count: 32)
            let vault = try Vault.create(
                in: storage, for: user(), locking: .key(key.withBytes { SecretBytes(copying: $0) }))
            let link = try vault.link(sharing: key)
            for _ in 0..<2 {
                let joined = try store.join(
                    LockedVault(in: storage), with: DeviceLink.key(from: link.document, code: link.code))
                #expect(try joined.version == store.newest)
            }
            #expect(keychain.items.map(\.service) == ["app.vault-key", "app.vault-version"])
            #expect(try open().id == vault.id)
            let old = try #require(storage.bytes)
            try vault.setPolicy(Policy(requiresPairing: true))
            let later = try vault.link(sharing: key)
            #expect(throws: VaultError.rolledBack(path: "the vault")) {
                _ = try store.join(
                    LockedVault(in: VaultMemoryStorage("the vault", holding: old)),
                    with: DeviceLink.key(from: later.document, code: later.code))
            }
        }
    }

    @Test("the key of a vault that may be made stays") func mayBeMade() throws {
        try using { () throws in
            let server = StandInServer()
            let storage = VaultServerStorage(server, copyingTo: folder.path("copy"))
            server.meet([.lost, .lost, .lost, .storedUnanswered])
            #expect(throws: VaultError.mayBeWritten(path: server.name, reason: "no answer")) {
                _ = try store.create(in: storage, for: user())
            }
            #expect(keychain.items.map(\.service) == ["app.vault-key"])
            #expect(try store.unlock(LockedVault(in: storage)).device.userID == user())
        }
    }

    @Test("an older state is refused, until the person accepts it") func rollback() throws {
        try using {
            let vault = try store.create(in: storage, for: user())
            let old = storage.bytes
            try vault.setPolicy(Policy(requiresPairing: true))
            try vault.remember(in: store)
            let older = VaultMemoryStorage("the vault", holding: old)
            #expect(throws: VaultError.rolledBack(path: "the vault")) {
                _ = try store.unlock(LockedVault(in: older))
            }
            let accepted = try store.acceptOlder(LockedVault(in: older))
            #expect(try store.newest == accepted.version)
            #expect(throws: VaultError.rolledBack(path: "the vault")) { _ = try open() }
        }
    }

    @Test("an older version does not replace a newer one, and a damaged one is an error") func versions()
        throws
    {
        try using {
            let vault = try store.create(in: storage, for: user())
            let older = try Vault(
                opening: VaultMemoryStorage("old", holding: storage.bytes),
                unlocking: .key(SecretBytes(copying: keychain.items[0].value)))
            try vault.setPolicy(Policy(requiresPairing: true))
            try vault.remember(in: store)
            #expect(throws: VaultError.rolledBack(path: "old")) { try older.remember(in: store) }
            #expect(try store.newest == vault.version)
            for damaged in ["", "x", "\(vault.id) 0 00"] {
                keychain.items[1].value = Data(damaged.utf8)
                #expect(throws: KeychainError.malformed) { _ = try open() }
            }
            _ = try store.acceptOlder(LockedVault(in: storage))
            #expect(try store.newest == open().version)
        }
    }

    @Test(
        "a synchronised key has an account of its own each time, and every key is tried; versions stay here")
    func synchronised() throws {
        try using {
            let cloud = KeychainStore(
                service: "app", lockingAt: folder.path("lock"), accessibility: .whenUnlocked,
                synchronisesKey: true)
            _ = try cloud.create(in: VaultMemoryStorage("former phone"), for: user())
            _ = try cloud.create(in: storage, for: user())
            let keys = keychain.items.filter { $0.service == "app.vault-key" }
            #expect(keys.count == 2 && keys[0].account != keys[1].account && keys[0].value != keys[1].value)
            #expect(
                keys.allSatisfy { $0.isSynchronised && $0.accessibility == kSecAttrAccessibleWhenUnlocked })
            let versions = keychain.items.filter { $0.service == "app.vault-version" }
            #expect(versions.count == 1 && versions.allSatisfy { !$0.isSynchronised })
            #expect(
                versions.allSatisfy { $0.accessibility == kSecAttrAccessibleWhenUnlockedThisDeviceOnly })
            // An app that did not synchronise before finds both kinds.
            #expect(
                try KeychainStore(service: "app", lockingAt: folder.path("lock")).unlock(
                    LockedVault(in: storage)
                ).device.userID == user())
        }
    }

    @Test(
        "a backup becomes the vault, under a key of its own; with a wrong passphrase the new key goes again")
    func imports() throws {
        try using {
            let export = try Vault.inMemory(for: user("carol")).export(
                under: SecretBytes(utf8: "correct horse"))
            func make(_ passphrase: String) throws -> Vault {
                try store.create(in: storage, importing: export, under: SecretBytes(utf8: passphrase))
            }
            #expect(throws: VaultError.authenticationFailed) { _ = try make("wrong horse") }
            #expect(keychain.items.isEmpty)
            #expect(try make("correct horse").device.userID == user("carol"))
            #expect(try open().device.userID == user("carol"))
        }
    }

    @Test(
        "another vault of the app in this one's place is refused, and a synchronised version counts for nothing"
    )
    func replaced() throws {
        try using {
            let other = VaultMemoryStorage("former")
            _ = try store.create(in: other, for: user("bob"))
            let vault = try store.create(in: storage, for: user())
            #expect(throws: VaultError.replaced(path: "former")) {
                _ = try store.unlock(LockedVault(in: other))
            }
            // A person's word makes it this store's vault.
            #expect(try store.acceptOlder(LockedVault(in: other)).device.userID == user("bob"))
            #expect(throws: VaultError.replaced(path: "the vault")) { _ = try open() }
            let vaultAgain = try store.acceptOlder(LockedVault(in: storage))
            #expect(try store.newest == vaultAgain.version)
            let old = storage.bytes
            try vault.setPolicy(Policy(requiresPairing: true))
            var foreign = try #require(keychain.items.last { $0.service == "app.vault-version" })
            foreign.isSynchronised = true
            try vault.remember(in: store)
            keychain.items.insert(foreign, at: 0)
            #expect(throws: VaultError.rolledBack(path: "the vault")) {
                _ = try store.unlock(LockedVault(in: VaultMemoryStorage("the vault", holding: old)))
            }
        }
    }

    @Test("a vault that cannot be made, for want of a folder, leaves no key") func noFolder() {
        using {
            #expect(throws: VaultError.self) {
                _ = try store.create(in: VaultFileStorage(folder.path("none/v")), for: user())
            }
            #expect(keychain.items.isEmpty)
        }
    }
}
#endif
