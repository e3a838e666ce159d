import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Synchronization
import Testing

// doc: KeysInTheKeychain
/// What an app keeps where an attacker cannot write: small values by name. In an app, it is the Keychain.
final class SecretStore: Sendable {
    private let values = Mutex<[String: Data]>([:])

    func keep(_ value: Data, as name: String) throws { values.withLock { $0[name] = value } }
    func value(_ name: String) throws -> Data? { values.withLock { $0[name] } }
}
// doc: end

// doc: KeysInTheKeychain
/// An app's own door to its vault: it opens with the key in the store, and keeps the newest version there.
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
        try keep(Vault.create(at: path, for: UserID(parsing: user), locking: .key(key)).version)
    }

    /// Opens the vault, lets `body` use it, and keeps its newest version, even if `body` throws.
    func use<Value: Sendable>(_ body: @Sendable (Vault) throws -> Value) throws -> Value {
        let vault = try Vault(opening: path, unlocking: key(), notOlderThan: newest())
        let result = Result { try body(vault) }
        try keep(vault.version)
        return try result.get()
    }

    /// Makes an older file the newest, once the person has said that they restored a backup.
    func acceptOlder() throws {
        let vault = try Vault(opening: path, unlocking: key())
        if let newest = try newest() { try vault.acceptAsNewest(after: newest) }
        try keep(vault.version)
    }

    private func key() throws -> Credential {
        guard let key = try store.value("key") else { throw NoKey() }
        return .key(SecretBytes(copying: key.span))
    }

    private func newest() throws -> VaultVersion? {
        let id = try LockedVault(at: path).id
        guard let bytes = try store.value("newest of \(id)") else { return nil }
        guard let seen = try? JSONDecoder().decode(Seen.self, from: bytes),
            let version = VaultVersion(of: id, changeCount: seen.changes, digest: seen.digest)
        else { throw UnreadableVersion() }
        return version
    }

    private func keep(_ version: VaultVersion) throws {
        let seen = Seen(changes: version.changeCount, digest: version.digest)
        try store.keep(JSONEncoder().encode(seen), as: "newest of \(version.vaultID)")
    }

    /// What the store keeps of a version.
    private struct Seen: Codable {
        let changes: UInt64
        let digest: [UInt8]
    }

    /// The store has no key: this app has made no vault on this device.
    struct NoKey: Error {}
    /// The store has something else than this app wrote.
    struct UnreadableVersion: Error {}
}
// doc: end

@Suite("A vault whose key and newest version are in a keychain-like store")
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

    @Test("a backup that a person restored is the newest once it is accepted, and the former file is older")
    func accepted() async throws {
        try await home.create(for: "alice")
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        let couple = try CoupleID(parsing: "couple_1")
        try await home.use { vault in try vault.store(vault.draftCouple(couple)) }
        let new = try Data(contentsOf: URL(fileURLWithPath: path))

        try old.write(to: URL(fileURLWithPath: path))
        try await home.acceptOlder()
        #expect(try await home.use { try $0.coupleIDs } == [])
        try new.write(to: URL(fileURLWithPath: path))
        await #expect(throws: VaultError.rolledBack(path: path)) { try await home.use { try $0.coupleIDs } }
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

    @Test("a version that cannot be read is not taken for none") func unreadable() async throws {
        try await home.create(for: "alice")
        try store.keep(Data("{}".utf8), as: "newest of \(LockedVault(at: path).id)")
        await #expect(throws: Home.UnreadableVersion.self) { try await home.use { try $0.coupleIDs } }
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
