import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: KeysInTheKeychain
/// What an app keeps where an attacker cannot write: small values by name. In an app, it is the Keychain.
nonisolated final class SecretStore: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Data] = [:]

    func keep(_ value: Data, as name: String) throws { lock.withLock { values[name] = value } }
    func value(_ name: String) throws -> Data? { lock.withLock { values[name] } }
    func remove(_ name: String) throws { lock.withLock { values[name] = nil } }
    /// Reads, and writes what `next` makes of it, while nobody else does.
    func exchange(_ name: String, _ next: (Data?) throws -> Data) throws {
        try lock.withLock { values[name] = try next(values[name]) }
    }
}
// doc: end

// doc: KeysInTheKeychain
/// Remembers the newest version of a vault in the store.
nonisolated struct Remembered: VaultMemory {
    let store: SecretStore
    let id: Vault.ID

    func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws {
        try store.exchange("newest of \(id)") { value in
            let known = try value.map { try JSONDecoder().decode(VaultVersion.self, from: $0) }
            return try JSONEncoder().encode(next(known))
        }
    }
}

/// An app's own door to its vault: it opens with the key in the store, and remembers the newest version there.
nonisolated struct Home: Sendable {
    let store: SecretStore
    let path: String

    /// Makes the vault, at the first start.
    func create(for user: String) throws -> VaultActor {
        // A fresh app has no Application Support yet.
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Before a key is drawn: the key of a vault that is there must stay in the store.
        try Vault.checkAbsent(at: path)
        let key = SecretBytes.random(count: 32)
        try store.keep(Data(InsecureCopy.bytes(key)), as: "key")
        return try room(Vault.create(at: path, for: UserID(parsing: user), locking: .key(key)))
    }

    /// Opens the vault, at each start after that.
    func open() throws -> VaultActor { try room(Vault(opening: path, unlocking: key())) }

    /// Makes an older file the newest, once the person has said that they restored a backup.
    func acceptOlder() throws -> VaultActor {
        let vault = try Vault(opening: path, unlocking: key())
        if let newest = try store.value("newest of \(vault.id)") {
            try vault.acceptAsNewest(after: JSONDecoder().decode(VaultVersion.self, from: newest))
        }
        return try room(vault)
    }

    private func room(_ vault: Vault) throws -> VaultActor {
        try VaultActor(vault, memory: Remembered(store: store, id: vault.id))
    }

    private func key() throws -> Credential {
        guard let key = try store.value("key") else { throw NoKey() }
        return .key(SecretBytes(copying: key))
    }

    /// The store has no key: this app has made no vault on this device.
    struct NoKey: Error {}
}
// doc: end

@Suite("A vault whose key and newest version are in a keychain-like store")
struct KeychainStoreTests {
    private let folder: TemporaryFolder
    private let home: Home
    private let couple: CoupleID

    init() throws {
        folder = try TemporaryFolder()
        home = Home(store: SecretStore(), path: folder.path("Library/Application Support/home.vault"))
        couple = try CoupleID(parsing: "couple_1")
    }

    private var file: URL { URL(fileURLWithPath: home.path) }

    private func makeCouple(in vault: VaultActor) async throws {
        let couple = couple
        _ = try await vault.use { vault in
            try vault.store(vault.draftCouple(of: couple, beginningAt: .strict))
        }
    }

    @Test("the app opens it again and again with what the store has") func reopens() async throws {
        try await makeCouple(in: home.create(for: "alice"))
        #expect(try await home.open().use { try $0.coupleIDs } == [couple])
        #expect(try await home.open().use { try $0.device.userID.text } == "alice")
    }

    @Test("an older file put back is refused, and an unchanged one is not") func rollback() async throws {
        let vault = try home.create(for: "alice")
        let old = try Data(contentsOf: file)
        try await makeCouple(in: vault)
        let new = try Data(contentsOf: file)

        try old.write(to: file)
        #expect(throws: VaultError.rolledBack(path: home.path)) { try home.open() }
        await #expect(throws: VaultError.rolledBack(path: home.path)) {
            try await vault.use { try $0.coupleIDs }
        }
        try new.write(to: file)
        #expect(try await home.open().use { try $0.coupleIDs } == [couple])
    }

    @Test("a backup that a person restored is the newest once it is accepted, and the former file is older")
    func accepted() async throws {
        let vault = try home.create(for: "alice")
        let old = try Data(contentsOf: file)
        try await makeCouple(in: vault)
        let new = try Data(contentsOf: file)

        try old.write(to: file)
        #expect(try await home.acceptOlder().use { try $0.coupleIDs } == [])
        try new.write(to: file)
        #expect(throws: VaultError.rolledBack(path: home.path)) { try home.open() }
    }

    @Test("another vault in its place is not taken for this one") func replaced() throws {
        _ = try home.create(for: "alice")
        try FileManager.default.removeItem(at: file)
        _ = try Vault.create(
            at: home.path, for: UserID(parsing: "mallory"), locking: .key(.random(count: 32)))
        #expect(throws: VaultError.authenticationFailed) { try home.open() }
    }

    @Test("a second creation is refused, and leaves the key of the first one where it is") func twice()
        async throws
    {
        #expect(throws: Home.NoKey.self) { try home.open() }
        _ = try home.create(for: "alice")
        #expect(throws: VaultError.exists(path: home.path)) { try home.create(for: "bob") }
        #expect(try await home.open().use { try $0.device.userID.text } == "alice")
    }

    @Test(
        "a version that cannot be read is not taken for none",
        arguments: [
            "{}", #"{"vaultID":"","changeCount":1,"digest":""}"#,
        ]) func unreadable(_ kept: String) throws
    {
        _ = try home.create(for: "alice")
        try home.store.keep(Data(kept.utf8), as: "newest of \(LockedVault(at: home.path).id)")
        #expect(throws: DecodingError.self) { try home.open() }
    }

    @Test("if a version cannot be remembered, the call says so, and an error of its own comes first")
    func notKept()
        async throws
    {
        let (vault, couple) = (try Vault.inMemory(for: UserID(parsing: "alice")), couple)
        let isFull = Flag()
        let room = try VaultActor(vault, memory: Disk(isFull: isFull))
        isFull.isSet = true
        await #expect(throws: Full.self) {
            try await room.use { vault in
                _ = try vault.store(vault.draftOffer(of: couple, beginningAt: .strict))
            }
        }
        #expect(try vault.coupleIDs == [couple])
        await #expect(throws: CancellationError.self) {
            try await room.use { vault in
                _ = try vault.cancelOffer(of: couple)
                throw CancellationError()
            }
        }
    }

    @Test("what was changed before an error is remembered, too") func changedAndThrown() async throws {
        let vault = try home.create(for: "alice")
        let (old, couple) = (try Data(contentsOf: file), couple)
        await #expect(throws: CancellationError.self) {
            try await vault.use { vault in
                try vault.store(vault.draftCouple(of: couple, beginningAt: .strict))
                throw CancellationError()
            }
        }
        try old.write(to: file)
        #expect(throws: VaultError.rolledBack(path: home.path)) { try home.open() }
    }
}

private struct Full: Error {}

/// A place for a version, which may be full.
private struct Disk: VaultMemory {
    let isFull: Flag

    func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws {
        _ = try next(nil)
        if isFull.isSet { throw Full() }
    }
}

private nonisolated final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
