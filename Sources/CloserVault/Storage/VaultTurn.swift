internal import CloserFiles

/// A turn at a vault among the processes of one machine. It ends with its last owner.
///
/// The lock beside the vault lies where whoever writes the folder can take it away, and let two processes change the vault at once. This one
/// lies in the folder where the machine remembers its vaults. Whoever reads takes a turn, too, so nobody sees a state before it is
/// remembered, or given up.
package final class VaultTurn: Sendable {
    /// What it is for.
    package enum Purpose: Sendable {
        case reading
        case changing
    }

    private let lock: FileLock

    init(_ lock: consuming FileLock) { self.lock = lock }
}

extension VaultMemories {
    /// Waits for a turn at a vault; nil if there can be none, and the vault's memory cannot be changed either. Then only the
    /// lock beside the vault is left, and a command that has something to remember warns that it cannot.
    ///
    /// - Throws: ``VaultError``: `.busy` if others keep it longer than `patience`; `.cannotWrite` if there can be no turn where changes are
    ///   remembered.
    package func turn(
        at id: VaultID, patience: Duration = Vault.patience
    ) throws(VaultError) -> VaultTurn? {
        let lock: FileLock?
        do throws(FileError) {
            try makeFolder()
            lock = try FileLock.acquire(FolderEntry(turnPath(of: id)), patience: patience)
        } catch {
            guard SharedFile.mayChange(path(of: id)) else { return nil }
            throw VaultError(error)
        }
        guard let lock else { throw .busy }
        return VaultTurn(lock)
    }
}

/// The turn of whoever changes a vault, on this machine and beside the file. Neither is kept while the other is waited for: whoever can
/// write the folder may keep that lock for as long as they like, and the vault can still be read.
struct ChangeTurn: ~Copyable {
    private let machine: VaultTurn?
    private let beside: FileLock

    static func wait(
        at place: Place, _ witness: VaultWitness, _ patience: Duration
    ) throws(VaultError) -> ChangeTurn {
        let end = ContinuousClock.now + patience
        while true {
            if let turn = try ChangeTurn(at: place, witness) { return turn }
            // Whoever writes the folder can have the lock's file taken by us ourselves, as by a link to that of the turn.
            guard end > .now, try place.lock(end - .now) != nil else { throw .busy }
        }
    }

    private init?(at place: Place, _ witness: VaultWitness) throws(VaultError) {
        let machine = try witness.turn(.changing)
        guard let lock = try place.lock(.zero) else { return nil }
        self.machine = machine
        beside = lock
    }

    /// Whether nobody has removed the lock file beside the vault: a process of another machine may hold a new one.
    var isNamed: Bool { beside.isNamed }
}
