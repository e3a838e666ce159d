import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Synchronization
import Testing

// doc: KeysInTheKeychain
/// What an app keeps where a stranger cannot write: small values by name. In an app, it is the Keychain.
final class SecretStore: Sendable {
    private let values = Mutex<[String: Data]>([:])

    func keep(_ value: Data, as name: String) throws { values.withLock { $0[name] = value } }
    func value(_ name: String) throws -> Data? { values.withLock { $0[name] } }
}
// doc: end

// doc: KeysInTheKeychain
/// An app's own door to its vault: it opens with the key in the store, and remembers there what it saw last.
actor Home {
    private let store: SecretStore
    private let path: String

    init(_ store: SecretStore, at path: String) { (self.store, self.path) = (store, path) }

    /// Makes the vault, if there is none.
    func create(for user: String) throws {
        // A fresh app has no Application Support yet.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Before a key is drawn: the key of a vault that is there must stay in the store.
        try Vault.checkAbsent(at: path)
        let key = SecretBytes.random(count: 32)
        try store.keep(Data(copying: key), as: "key")
        try remember(Vault.create(at: path, for: UserID(parsing: user), locking: .key(key)))
    }

    /// Opens the vault, lets `body` use it, and remembers its newest state, even if `body` throws.
    func use<Value: Sendable>(_ body: @Sendable (Vault) throws -> Value) throws -> Value {
        guard let key = try store.value("key") else { throw NoKey() }
        let vault = try Vault(
            opening: path, unlocking: .key(SecretBytes(copying: key.span)), witness: .ofOne(lastSeen()))
        let result = Result { try body(vault) }
        try remember(vault)
        return try result.get()
    }

    private func lastSeen() throws -> VaultVersion? {
        let id = try LockedVault(at: path).id
        guard let bytes = try store.value("memory of \(id)") else { return nil }
        guard let memory = VaultMemory(of: id, parsing: bytes) else { throw UnreadableMemory() }
        return memory.version
    }

    private func remember(_ vault: Vault) throws {
        let memory = VaultMemory(of: vault.id, at: vault.places, keyFile: nil, seen: vault.version)
        try store.keep(Data(memory.bytes), as: "memory of \(vault.id)")
    }

    /// The store has no key: this app has made no vault on this device.
    struct NoKey: Error {}
    /// The store has something else than this app wrote.
    struct UnreadableMemory: Error {}
}
// doc: end

@Suite("A vault whose key and memory are in a keychain-like store")
struct KeychainStoreTests {
    private let folder: TemporaryFolder
    private let store = SecretStore()
    private let home: Home
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("Library/Application Support/home.vault")
        home = Home(store, at: path)
    }

    @Test("the app opens it again and again with what the store has") func reopens() async throws {
        try await home.create(for: "alice")
        let couple = try CoupleID(parsing: "couple_1")
        try await home.use { vault in try vault.store(vault.draftCouple(couple)) }
        #expect(try await home.use { try $0.coupleIDs } == [couple])
        #expect(try await home.use { try $0.device.userID.text } == "alice")
    }

    @Test("an older file put back is refused, and an unchanged one is not") func rollback() async throws {
        try await home.create(for: "alice")
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        let couple = try CoupleID(parsing: "couple_1")
        try await home.use { vault in try vault.store(vault.draftCouple(couple)) }
        let new = try Data(contentsOf: URL(fileURLWithPath: path))

        try old.write(to: URL(fileURLWithPath: path))
        await #expect(throws: VaultError.rolledBack(path: path)) { try await home.use { try $0.coupleIDs } }
        try new.write(to: URL(fileURLWithPath: path))
        #expect(try await home.use { try $0.coupleIDs } == [couple])
    }

    @Test("a witness of the app's own is asked before each reading and told of each change") func witness()
        throws
    {
        let seen = Seen()
        let phone = try Phone("alice", in: folder)
        let vault = try Vault(
            opening: phone.path, unlocking: .key(SecretBytes(copying: phone.rawKey.span)),
            witness: VaultWitness(
                known: { () throws(VaultError) in seen.version },
                note: { version, _ in seen.version = version })
        )
        let old = try Data(contentsOf: URL(fileURLWithPath: phone.path))
        try vault.store(vault.draftCouple(CoupleID(parsing: "couple_1")))
        #expect(seen.version == vault.version && seen.version != nil)

        try old.write(to: URL(fileURLWithPath: phone.path))
        #expect(throws: VaultError.rolledBack(path: phone.path)) {
            try Vault(
                opening: phone.path, unlocking: .key(SecretBytes(copying: phone.rawKey.span)),
                witness: .ofOne(seen.version))
        }
    }

    @Test("another vault in its place is not taken for this one") func replaced() async throws {
        try await home.create(for: "alice")
        try FileManager.default.removeItem(atPath: path)
        _ = try Vault.create(
            at: path, for: UserID(parsing: "mallory"), locking: .key(.random(count: 32)))
        await #expect(throws: VaultError.authenticationFailed) { try await home.use { try $0.coupleIDs } }
    }

    @Test("a second creation is refused, and leaves the key of the first one where it is") func twice()
        async throws
    {
        await #expect(throws: Home.NoKey.self) { try await home.use { try $0.device.userID } }
        try await home.create(for: "alice")
        await #expect(throws: VaultError.exists(path: path)) { try await home.create(for: "bob") }
        #expect(try await home.use { try $0.device.userID.text } == "alice")
    }

    @Test("a memory that cannot be read is not taken for none") func unreadable() async throws {
        try await home.create(for: "alice")
        try store.keep(Data("{}".utf8), as: "memory of \(LockedVault(at: path).id)")
        await #expect(throws: Home.UnreadableMemory.self) { try await home.use { try $0.coupleIDs } }
    }

    @Test("what was changed before an error is remembered, too") func changedAndThrown() async throws {
        try await home.create(for: "alice")
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        await #expect(throws: CancellationError.self) {
            try await home.use { vault in
                try vault.store(vault.draftCouple(CoupleID(parsing: "couple_1")))
                throw CancellationError()
            }
        }
        try old.write(to: URL(fileURLWithPath: path))
        await #expect(throws: VaultError.rolledBack(path: path)) { try await home.use { try $0.coupleIDs } }
    }
}

/// The newest version, read and written by whichever thread uses the vault.
private final class Seen: Sendable {
    private let value = Mutex<VaultVersion?>(nil)

    var version: VaultVersion? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
