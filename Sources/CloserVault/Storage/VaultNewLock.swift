internal import CloserFiles
internal import Synchronization

// A vault that is locked with something else.

extension Vault {
    /// Locks the key with something else. What is in older copies of the file stays readable with the old lock.
    ///
    /// With a passphrase it blocks for Argon2id, some 0.6 s and 256 MiB of memory. It blocks until the change is on the disk:
    /// up to half a minute while other processes write.
    ///
    /// - Throws: ``VaultError``: `.keyFileMalformed`, `.passphraseLength`, and as whatever changes a vault.
    public func lock(with locking: borrowing Unlocking) throws(VaultError) {
        _ = try lock(with: locking) { () -> Never? in nil }
    }

    /// What became of a new lock whose key may have been lost meanwhile.
    package enum LockFate<Loss: Equatable & Sendable>: Equatable, Sendable {
        case kept
        /// Its key was lost, and the vault is locked as before.
        case undone(Loss)
        /// Its key was lost, and for this reason it is not known to be undone: the vault may be locked with it.
        case stuck(Loss, VaultError)
    }

    /// The same, but asks once the new lock is on the disk whether its key was lost meanwhile. If it was, the vault is locked as before
    /// again, for which the secret of that lock is not needed. That is done before anybody else's turn: no lock of theirs is undone.
    package func lock<Loss>(
        with locking: borrowing Unlocking, unless findLoss: () -> Loss?
    ) throws(VaultError) -> LockFate<Loss> {
        try checkMayChange()
        let lock = try VaultLock(key, with: locking)
        let turn = try ChangeTurn.wait(at: place, witness, patience)
        let now = try look(anew: true)
        let directory = try changing(now).directory
        do throws(VaultError) { try store(lock, directory, over: now, turn) } catch {
            guard error.mayBeStored, let loss = findLoss() else { throw error }
            return .stuck(loss, error)
        }
        opened.withLock { $0 = lock }
        guard let loss = findLoss() else { return .kept }
        do throws(VaultError) { try undo(to: now.lock, turn) } catch { return .stuck(loss, error) }
        _ = consume turn
        return .undone(loss)
    }

    /// Though somebody has removed the lock file by now: they would keep the vault locked with what opens nothing.
    private func undo(to former: VaultLock, _ turn: borrowing ChangeTurn) throws(VaultError) {
        let now = try look(anew: true)
        try store(former, now.directory, over: now, turn, needsName: false)
        opened.withLock { $0 = former }
    }
}
