internal import CloserFiles

// How a change of a vault comes into its file.

extension Vault {
    /// Writes the next file over the one that was read. Whoever removed the lock file meanwhile has let somebody else write,
    /// or may have: then nothing is stored, rather than undo what they did. What is told to the witness is told
    /// before the next writer's turn; whoever exchanged the file by then is noticed at once. A change that is not stored is given up:
    /// whoever can read the folder may have a copy of its file, to put it there later.
    func store(
        _ lock: VaultLock, _ directory: Directory, over now: Snapshot, _ turn: borrowing ChangeTurn,
        needsName: Bool = true
    ) throws(VaultError) {
        try directory.checkWhole()
        let bytes = try VaultFile.bytes(lock, directory.counted(after: now.version.floor), key)
        let written = try Snapshot(VaultFile(bytes, path: path), key)
        witness.prepares(written.version)
        try Unbroken.change { () throws(VaultError) in
            try put(bytes, written, over: now, turn, needsName)
        }
    }

    private func put(
        _ bytes: [UInt8], _ written: Snapshot, over now: Snapshot, _ turn: borrowing ChangeTurn,
        _ needsName: Bool
    ) throws(VaultError) {
        let file: FileState?
        do throws(Unstored) {
            file = try place.put(bytes, replacing: true) { () throws(VaultError) in
                guard turn.isNamed || !needsName else { throw .busy }
                guard try place.isStill(now.bytes) else { throw place.changedMeanwhile }
                return now.bytes
            }
        } catch {
            guard error.wasBegun else { throw error.cause }
            try giveUp(written.version, over: now)
            // While our file was in place, another writer may have built on it: then the change is part of theirs.
            let isInvolved = error.fate == .overtaken || error.fate == .takenBack && !turn.isNamed
            guard !isInvolved else { throw .diverged(path: path) }
            // This machine refuses the state, if it remembers it. But while the new file had a name, somebody may have linked it, completed
            // it, or put it into the vault's place; and another machine may build on it.
            throw error.cause.unsettled(path: path)
        }
        see(written)
        wants(written.version)
        try witness.note(written.version, now.version)
        guard place.isNamed, place.entry.isStill(file) else { throw .diverged(path: path) }
    }

    /// Has a state refused from now on that was not stored, here and by whoever asks the witness. If somebody knows another state by
    /// now than the one below, it may be built on a copy of ours: then that is `.diverged`.
    private func giveUp(_ version: VaultVersion, over now: Snapshot) throws(VaultError) {
        var kept = now
        kept.version = now.version.giving(up: version)
        see(kept)
        do { try witness.note(kept.version, now.version) } catch {
            if case .diverged = error { throw .diverged(path: path) }
        }
    }
}

extension Directory {
    /// The same after one more change than this. A counter at its end was not written by us: a change takes milliseconds.
    func counted(after count: Int) throws(VaultError) -> Directory {
        guard count < Self.maximumChangeCount else { throw .damaged }
        var next = self
        next.changeCount = UInt64(count) + 1
        return next
    }
}
