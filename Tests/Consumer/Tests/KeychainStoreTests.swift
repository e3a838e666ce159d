import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: KeysInTheKeychain
/// What an app keeps where a stranger cannot write: small values by name. In an app, it is the Keychain.
actor SecretStore {
    private var values: [String: Data] = [:]

    func keep(_ value: Data, as name: String) { values[name] = value }
    func value(_ name: String) -> Data? { values[name] }
}
// doc: end

// doc: KeysInTheKeychain
/// An app's own door to its vault: it opens with the key in the store, and remembers there what it saw last.
actor Home {
    private let store: SecretStore
    private let path: String

    init(_ store: SecretStore, at path: String) { (self.store, self.path) = (store, path) }

    func create(for user: String) async throws {
        let key = SecretBytes.random(count: 32)
        await store.keep(Data(copying: key), as: "key")
        let vault = try Vault.create(at: path, for: UserID(parsing: user), locking: .key(key))
        await remember(vault)
    }

    /// Opens the vault, lets `body` use it, and remembers its newest state.
    func use<Result: Sendable>(_ body: @Sendable (Vault) throws -> Result) async throws -> Result {
        let id = try LockedVault(at: path).id
        guard let key = await store.value("key"), let bytes = await store.value("memory of \(id)"),
            let memory = VaultMemory(of: id, parsing: bytes)
        else { throw Unknown() }
        let vault = try Vault(
            opening: path, unlocking: .key(SecretBytes(copying: key.span)), witness: .ofOne(memory.version))
        let result = try body(vault)
        await remember(vault)
        return result
    }

    private func remember(_ vault: Vault) async {
        let memory = VaultMemory(of: vault.id, at: [path], keyFile: nil, seen: vault.version)
        await store.keep(Data(memory.bytes), as: "memory of \(vault.id)")
    }

    /// No vault that this app made.
    struct Unknown: Error {}
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
        path = folder.path("home.vault")
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
        await #expect(throws: Home.Unknown.self) { try await home.use { try $0.coupleIDs } }
    }
}

/// The newest version, read and written by whichever thread uses the vault.
private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private var value: VaultVersion?

    var version: VaultVersion? {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
