internal import CloserPrimitives

/// A vault on your app's server, which all devices of a user open, with a copy on this device.
///
/// A change fetches what other devices have stored. A reader asks no server: it gets what was fetched last, or else the copy. The copy is an
/// ordinary vault in a file. It is written once a ``VaultActor`` with a memory, or ``Vault/remember(in:)``, has opened a state and found that
/// it follows the one that the device remembers. So the server cannot destroy it. Without a memory, it can be rolled back with the vault.
public final class VaultServerStorage: VaultStorage {
    private let server: any VaultServer
    private let copy: VaultFileStorage
    /// What was fetched or stored last.
    private let latest = Lock<Fetched?>(nil)
    /// Requests take turns: the answer of a slow one would else hide what a later one has stored.
    private let requests = Lock(())

    private typealias Fetched = (bytes: [UInt8], tag: String)

    /// Names a server and the path of the copy, in a folder that exists. The processes of a device that share the copy lock it to take turns.
    public init(_ server: any VaultServer, copyingTo path: String) {
        (self.server, copy) = (server, VaultFileStorage(path))
    }

    /// What the server calls itself.
    public var name: String { server.name }

    /// What was fetched or stored last, or else the copy, or else what the server has.
    public func read() throws(VaultError) -> [UInt8] {
        if let bytes = latest.withLock({ $0?.bytes }) { return bytes }
        if let bytes = try copied() { return bytes }
        try refresh()
        guard let bytes = latest.withLock({ $0?.bytes }) else { throw .missing(path: name) }
        return bytes
    }

    /// Fetches what the server has.
    public func refresh() throws(VaultError) {
        try requests.withLock { (_) throws(VaultError) in
            let known = latest.withLock { $0?.tag }
            guard let now = try fetch(unless: known) else { return }
            latest.withLock { $0 = now }
        }
    }

    /// Writes the copy. One that cannot be written is no error: the server has the vault.
    public func keep(_ bytes: [UInt8]) {
        let former = try? copied()
        guard former != bytes else { return }
        try? copy.replace(former, by: bytes)
    }

    /// Stores `new` if the server still has `old`.
    public func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        try requests.withLock { (_) throws(VaultError) in
            guard let old else { return try create(new) }
            guard let now = latest.withLock({ $0 }), now.bytes == old else { throw .outdated(path: name) }
            try store(new, over: now.tag)
        }
    }

    /// Runs `body` while no other process of this device changes the vault.
    public func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result { try copy.lock(patience: patience, body) }

    /// Puts this device's copy on the server, which has lost the vault.
    ///
    /// - Parameter replacing: Whether a person said that the copy shall replace what is there, such as bytes that no key opens.
    /// - Throws: ``VaultError``: `.missing` without a copy, `.exists` if the server has other bytes that may not be replaced, and what the
    ///   server throws.
    public func restore(replacing: Bool = false) throws(VaultError) {
        let bytes = try copy.read()
        try requests.withLock { (_) throws(VaultError) in
            let there = try unlessMissing { () throws(VaultError) in try fetch(unless: nil) }
            if let there, there.bytes != bytes, !replacing { throw .exists(path: name) }
            guard let there, there.bytes == bytes else { return try store(bytes, over: there?.tag) }
            latest.withLock { $0 = there }
        }
    }

    // MARK: - The copy and the server

    private func copied() throws(VaultError) -> [UInt8]? {
        try unlessMissing { () throws(VaultError) in try copy.read() }
    }

    private func create(_ new: [UInt8]) throws(VaultError) {
        guard try copied() == nil else { throw .exists(path: copy.name) }
        do { try store(new, over: nil) } catch {
            guard case .outdated = error else { throw error }
            throw .exists(path: name)
        }
    }

    private func store(_ new: [UInt8], over tag: String?) throws(VaultError) {
        let tag = try server.store(new, over: tag)
        latest.withLock { $0 = (new, tag) }
    }

    private func fetch(unless tag: String?) throws(VaultError) -> Fetched? {
        let answer = try server.fetch(unless: tag)
        guard answer?.bytes.count ?? 0 <= Vault.maximumByteCount else { throw .tooLarge }
        return answer
    }
}
