internal import CloserFiles
internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// A vault that is not open yet, and what this machine knows of it and of its place.
struct KnownVault {
    let locked: LockedVault
    /// What is remembered of this very vault, wherever it was.
    let memory: VaultMemory?
    /// Other vaults that were seen at its path.
    let others: [VaultMemory]
    /// Whether a person says that this is the vault, whatever is remembered.
    let acceptsOlder: Bool
    /// Where this machine knows a vault that the shell would mean by this name, if it is wrong about its folder.
    private let believed: String?
    /// Whether this machine knows no vault yet, as one that is made for a single run: there, a named key file says which one it is.
    private let isFirst: Bool

    init(at path: String, acceptsOlder: Bool) throws {
        let all = try VaultMemories.ours?.all() ?? []
        locked = try Self.locked(at: path, all)
        let id = locked.id
        memory = all.first { $0.id == id }
        others = all.others(than: id, at: locked.places)
        self.acceptsOlder = acceptsOlder
        isFirst = all.isEmpty
        let places = locked.places
        believed = Folder.pathsAsBelieved(path).first { path in
            !places.contains(where: path.isSpelled) && all.contains { $0.isKnown(at: path) }
        }
    }

    private static func locked(at path: String, _ all: [VaultMemory]) throws -> LockedVault {
        do throws(VaultError) { return try LockedVault(at: path) } catch {
            guard error == .missing(path: path), isKnown(at: path, all) else { throw error }
            throw Failure(goneFrom: path)
        }
    }

    /// Whether this machine knows a vault at this place.
    static func isKnown(at path: String) -> Bool {
        ((try? VaultMemories.ours?.all()) ?? nil).map { isKnown(at: path, $0) } ?? false
    }

    private static func isKnown(at path: String, _ all: [VaultMemory]) -> Bool {
        guard let place = try? Place(path) else { return false }
        return all.contains { place.paths.contains(where: $0.isKnown) }
    }

    /// Refuses a vault that lies where another one is known, and one whose name now leads to another file, which a change would
    /// overwrite.
    func checkPlace() throws {
        guard !acceptsOlder else { return }
        guard others.isEmpty else { throw Failure(replaced: self) }
        guard !leadsElsewhere else { throw Failure(leadingElsewhere: self) }
    }

    private var leadsElsewhere: Bool { memory?.leadsElsewhere(locked.places) ?? false }

    /// The words for `others`.
    var replacement: String { "\(locked.path) is another vault than the one that this machine knows there" }

    /// Opens it, unless this machine saw a newer one, and remembers it as it is and as it becomes.
    func open(with unlocking: borrowing Unlocking, keyFile: String?) throws -> OpenedVault {
        guard try !acceptsOlder || accept(with: unlocking, keyFile: keyFile) else {
            return OpenedVault(try openUnremembered(with: unlocking), isRemembered: false, keyFile: keyFile)
        }
        let vault: Vault
        let lock = LockNote()
        do {
            vault = try locked.unlock(with: unlocking, witness: witness(lock, isKeyFile: keyFile != nil))
        } catch {
            guard case VaultError.rolledBack = error, !isHere else { throw error }
            throw Failure(olderElsewhere: locked.path)
        }
        // What was looked at may have been another file. Of what is as new as this machine knows there is no newer one.
        if acceptsOlder, !isNewest(vault) { vault.treatAsOlderCopy() }
        if let believed {
            Messages.warn(
                "\(locked.path) is not \(believed), where this machine knows a vault: the folder has another name than the shell says"
            )
        }
        tellNewName(isKeyFile: keyFile != nil)
        Self.remember(vault, keyFile: keyFile)
        return OpenedVault(vault, isRemembered: true, keyFile: keyFile, lock: lock)
    }

    /// Opens a copy at a place where nobody knows the vault; or else an older file in the vault's place, in which no invite could be
    /// closed: that one is read alone, since nothing of it is remembered.
    private func openUnremembered(with unlocking: borrowing Unlocking) throws -> Vault {
        let isCopy = memory?.version != nil && !isHere
        let vault = try locked.unlock(with: unlocking, witness: isCopy ? ofCopy : ofWhatIsRead)
        vault.treatAsOlderCopy()
        if isCopy, try Self.closingInvites(of: vault) != nil { return vault }
        vault.refuseChanges()
        Messages.warn("nothing can be written at \(locked.path): it is read as if its invites were closed")
        return vault
    }

    /// The newer vault may have judged a reply already, and an invite judges one. Gives the state that has none open, and no other: at
    /// each look another file may be there. Nil if nothing can be written there: then they stay open in the file.
    private static func closingInvites(of vault: Vault) throws -> VaultVersion? {
        defer { vault.tellWhatWasPrivate() }
        do {
            let isChanged = try vault.closeInvites()
            let closed = vault.version
            if isChanged { warnOfClosedInvites() }
            return closed
        } catch VaultError.cannotWrite, VaultError.busy { return nil }
    }

    private static func warnOfClosedInvites() {
        Messages.warn(
            "a newer state of this vault may have used its invites: those that were open are closed, so never type their codes again; and a couple that only this device had may be known to others by now, until it is paired"
        )
    }

    /// Whether this machine knew its state before anybody accepted it, or an older one.
    private func isNewest(_ vault: Vault) -> Bool {
        guard let now = vault.version, let known = memory?.version else { return false }
        return now.mayFollow(known)
    }

    /// Whether this machine saw it here before.
    private var isHere: Bool { locked.places.contains { memory?.isKnown(at: $0) == true } }

    /// Somebody may have put it here in another one's place, if the path is relative, or the folder above was exchanged.
    private func tellNewName(isKeyFile: Bool) {
        let new = locked.places.first { memory?.isKnown(at: $0) != true }
        guard VaultMemories.ours != nil, let new else { return }
        if let memory {
            let before = memory.places.first.map { "; it was at \($0)" } ?? ""
            Messages.warn("this machine sees this vault at \(new) for the first time\(before)")
        } else if !(isKeyFile && isFirst) {
            Messages.warn("this machine sees this vault for the first time, at \(new)")
        }
    }

    /// Takes what is there for the vault, and says what it is; false if this is not to be remembered: a copy at a place where nobody
    /// knows it says nothing of the vault.
    private func accept(with unlocking: borrowing Unlocking, keyFile: String?) throws -> Bool {
        let vault = try locked.unlock(with: unlocking)
        guard let now = vault.version, let known = memory?.version, !now.mayFollow(known) else {
            tellWhatIsTaken()
            // As new as what this machine saw, it is no older vault.
            guard memory?.version == nil else { return Self.remember(vault, keyFile: keyFile) }
            guard let closed = try Self.closingInvites(of: vault) else { return false }
            return Self.remember(vault, closed, keyFile: keyFile)
        }
        // On the disk before anything is remembered: there must be no moment at which it is the vault, and its invites are open.
        let taken = isHere ? try Self.closingInvites(of: vault) : nil
        let given = taken == nil ? "" : ", and is given up"
        Messages.warn(
            "\(locked.path) has \(now.changeCount) changes; what this machine saw of this vault had \(known.changeCount)\(given); a pairing code that was typed since must not be typed again"
        )
        guard let taken else { return false }
        tellWhatIsTaken()
        return Self.remember(vault, taken, keyFile: keyFile, insteadOf: known)
    }

    private func tellWhatIsTaken() {
        if !others.isEmpty { Messages.warn("\(replacement), and takes its place from now on") }
        if leadsElsewhere, let place = locked.places.last {
            Messages.warn("\(locked.path) leads to \(place), which is the vault from now on")
        }
    }

    /// Asks this machine's memory before each look at the file, and tells it of each change.
    private func witness(_ lock: LockNote, isKeyFile: Bool) -> VaultWitness {
        let (ours, id) = (VaultMemories.ours, locked.id)
        return VaultWitness {
            () throws(VaultError) in
            try ours?.memory(of: id)?.version
        } saw: { version in
            do { try ours?.see(version) } catch { Self.warn(unremembered: error, isKeyFile: isKeyFile) }
        } note: { (version, base) throws(VaultError) in
            VaultDeed.changed.note()
            do throws(VaultError) { try ours?.see(version, over: base, lock.value) } catch {
                if case .diverged = error { throw error }
                Self.warn(unremembered: error, isKeyFile: isKeyFile)
            }
        }
    }

    /// Whatever lies there is read, and a newer state remembered.
    private var ofWhatIsRead: VaultWitness {
        let ours = VaultMemories.ours
        return VaultWitness {
            nil
        } saw: { version in
            do { try ours?.see(version) } catch { Self.warn(unremembered: error, isKeyFile: false) }
        } note: { _, _ in
        }
    }

    /// A copy at another place may be changed more often than the vault: that makes it no newer vault.
    private var ofCopy: VaultWitness {
        let ours = VaultMemories.ours
        return VaultWitness {
            nil
        } note: { (version, _) throws(VaultError) in
            VaultDeed.changed.note()
            do throws(VaultError) { try ours?.giveUp(version) } catch {
                Self.warn(unremembered: error, isKeyFile: false)
            }
        }
    }
}

extension Vault {
    /// Says that a copy of a vault does not know whom its keys were given to since.
    func tellWhatWasPrivate() {
        guard let couples = try? sharedCoupleIDs, let first = couples.first else { return }
        let names = couples.count == 1 ? first.text : "\(first.text) and \(couples.count - 1) more"
        Messages.warn(
            "this copy knows \(names) as it was when the copy was made: if the keys were given to somebody since, pair anew"
        )
    }
}
