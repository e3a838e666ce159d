internal import CloserFiles
internal import CloserVault
internal import Synchronization

/// What no output of this run may replace: the files that it reads, changes and makes, and every vault and key file that this machine
/// knows. All copies of the run's ``Inputs`` have the same.
final class Claims: Sendable {
    private struct Held {
        /// Files, and names in folders.
        var identities: [FileIdentity] = []
        /// What outputs replace, and their names.
        var replaced: [FileIdentity] = []
        var vaults: [VaultID] = []
    }

    private let held = Mutex(Held())

    func add(_ identities: [FileIdentity]) { held.withLock { $0.identities += identities } }

    func add(output file: FileIdentity?, replacing others: [FileIdentity]) {
        held.withLock {
            $0.identities += [file].compactMap { $0 }
            $0.replaced += others
        }
    }

    func add(_ vault: Vault) {
        add(vault.files)
        held.withLock { $0.vaults.append(vault.id) }
    }

    /// For an output that is opened.
    var identities: [FileIdentity] { held.withLock { $0.identities + $0.replaced } }

    /// Whether a file is to be spared, for an output that is about to replace it. A vault is known by what it says of itself: each change
    /// makes another file of it, and somebody may have moved it. What cannot be looked at is an error.
    func spare(_ file: FolderEntry) throws(FileError) -> Bool {
        guard let status = try file.look() else { return false }
        let (identities, vaults) = held.withLock { ($0.identities, $0.vaults) }
        if identities.contains(status.identity) { return true }
        let id = try Vault.id(of: file)
        if let id, vaults.contains(id) { return true }
        do throws(FileError) { return try VaultMemories.ours?.need(status, ofVault: id) ?? false } catch {
            throw .cannotOpen(path: file.path, reason: error.reason)
        }
    }
}

extension Inputs {
    /// Remembers files that are read or made elsewhere, so that no output replaces one of them.
    func claim(_ paths: [String]) { claims.add(paths.flatMap(FileIdentity.all)) }

    /// The same of an output, whatever its path means by now.
    func claim(_ output: borrowing Sink) { claims.add(output: output.identity, replacing: output.replaced) }

    /// The same of a vault that is open.
    func claim(_ vault: Vault) { claims.add(vault) }

    /// The same, also by the name that was typed.
    func claim(_ vault: Vault, at path: String) {
        claim(Vault.files(at: path))
        claim(vault)
    }

    /// Whether a file is one of them.
    func holds(_ path: String) -> Bool {
        let identities = claims.identities
        return FileIdentity.all(of: path).contains(where: identities.contains)
    }
}
