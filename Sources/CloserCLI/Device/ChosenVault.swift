internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

/// The vault that a command names, before it is open, and what this machine remembers of it and of its path.
struct ChosenVault {
    let storage: VaultFileStorage
    let locked: LockedVault
    let known: KnownVault?
    /// Another vault that this machine remembers at the path.
    let other: KnownVault?

    init(at path: String) throws {
        let all = try KnownVaults.ours?.all() ?? []
        let storage = VaultFileStorage(path)
        let locked = try LockedVault(in: storage)
        known = all.first { $0.id == locked.id }
        other = all.first { $0.path == storage.path && $0.id != locked.id }
        (self.storage, self.locked) = (storage, locked)
    }

    /// Before a secret is asked for: refuses another vault than the one that this machine remembers at the path.
    func checkPlace(_ acceptsAny: Bool = false) throws {
        guard acceptsAny || other == nil else { throw VaultError.replaced(path: locked.name) }
    }

    /// Opens the vault and remembers it. An older file is refused, unless it `accepts` any version: then nothing is remembered.
    func open(
        with unlocking: borrowing Credential, keyFile: String?, accepting acceptsAny: Bool = false
    ) throws -> Vault {
        let memo = VaultMemo(storage.path, keyFile)
        let vault = try Vault(
            locked, unlocking, notOlderThan: acceptsAny ? nil : known?.version, noting: memo.note)
        guard !acceptsAny else { return vault }
        var seen = memo.entry(vault.version)
        seen.exportedAt = known?.exportedAt
        // A look at a copy leaves the vault where it is remembered.
        if let path = elsewhere, vault.isFollowed(at: path, vault.version) { seen.path = path }
        if seen != known { try memo.remember(seen, vault) }
        return vault
    }

    /// Where this machine remembers the vault, if that is another path than this file's: then this file counts as a copy.
    var elsewhere: String? { known?.path.flatMap { $0 == storage.path ? nil : $0 } }
}

/// Remembers what becomes of one vault in a run. If that fails, one warning says what it means.
final class VaultMemo: Sendable {
    private let path: String
    private let keyFile: String?
    private let hasWarned = Lock(false)

    init(_ path: String, _ keyFile: String?) { (self.path, self.keyFile) = (path, keyFile) }

    /// Remembers absolute paths alone: a relative one means another file in another folder.
    func entry(_ version: VaultVersion) -> KnownVault {
        KnownVault(
            id: version.vaultID, version: version, keyFile: keyFile,
            path: path.utf8.first == UInt8(ascii: "/") ? path : nil)
    }

    /// Before anything is told that comes from the vault's new state.
    func note(_ event: Vault.Event) throws(VaultError) {
        if event.isOurs { VaultDeed.changed.note() }
        do throws(VaultError) { try remember { try $0.remember(event.vault) } } catch {
            if event.isOurs { VaultDeed.noteRefusal() }
            throw error
        }
    }

    func remember(_ vault: Vault) throws(VaultError) { try remember(entry(vault.version), vault) }

    func remember(_ entry: KnownVault, _ vault: Vault) throws(VaultError) {
        if entry.path == nil {
            Diagnostics.warn(
                "this machine cannot remember where the vault is: rename its folder in UTF-8"
            )
        }
        try remember { try $0.remember(entry, vault) }
    }

    private func remember(_ write: (KnownVaults) throws -> Void) throws(VaultError) {
        do {
            guard let ours = try KnownVaults.ours else {
                throw CLIError(.usage, "there is no home folder: set HOME, or XDG_STATE_HOME to a whole path")
            }
            try write(ours)
        } catch let error as VaultError {
            throw error
        } catch { warn(error) }
    }

    private func warn(_ error: any Error) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        let key = keyFile == nil ? "" : "name its key file each time, and "
        Diagnostics.alarm(
            "this machine cannot remember the vault (\(CLIError(error).message)): \(key)know that an older copy in its place stays unnoticed"
        )
    }
}

extension Inputs {
    /// Runs `open` on what should be a vault. If it is another file of ours, the error says which.
    mutating func naming<Opened>(_ open: () throws -> Opened) throws -> Opened {
        do { return try open() } catch let error as VaultError {
            guard case .notAVault(let path) = error, let found = try? kind(of: path), found != .vault
            else { throw error }
            let words =
                found.certainty == .may
                ? "is not a vault; it may be \(found.words)" : "is \(found.words), not a vault"
            throw CLIError(.malformed, "\(path) \(words)", hint: CLIError(error).hint)
        }
    }

    private mutating func kind(of path: String) throws -> FileKind? {
        guard let descriptor = try openRegular(path) else { return nil }
        return try secret(from: descriptor, maximumByteCount: 2 << 20).withBytes { FileKind($0) }
    }
}
