internal import CloserFiles
internal import CloserKeys
internal import CloserVault

// What `--accept-older` does: a person says that a file is the vault, whatever this machine remembers.

extension KnownVault {
    /// Whether accepting this file makes it the vault. By a name that this machine does not know for it, a file is a copy, whatever lies
    /// there today. In another vault's place it becomes the vault, unless this machine knows a newer one elsewhere.
    func mayBecomeVault(in now: VaultVersion?) -> Bool {
        guard let memory, memory.version != nil, !isHere else { return true }
        return isInAnothersPlace && (memory.places.isEmpty || now.map(isOlder) == false)
    }

    /// Takes what was opened for the vault, and says what it is; false if it is not remembered.
    func accept(_ vault: Vault, _ standing: WitnessedStanding, keyFile: String?) throws -> Bool {
        let isVault = mayBecomeVault(in: vault.version)
        tellWhatItIs(vault.version, isVault: isVault)
        guard let now = vault.version, isOlder(now) || !isVault else {
            tellWhatIsTaken()
            standing.become(.remembered)
            return true
        }
        if isOlder(now) { tellAge(of: now) }
        guard isVault else {
            Messages.insist("\(locked.path) is a copy to this machine, and is only read")
            return try onlyRead(vault, in: now)
        }
        guard !cannotRemember else {
            tellWhatIsNotTaken(insteadOf: memory?.version)
            return try onlyRead(vault, in: now)
        }
        // Before anything of it is on the disk: this run may be ended at any moment.
        try Messages.checkTold()
        // On the disk before anything is remembered: there must be no moment at which it is the vault, and its invites are open.
        guard let closed = try closingInvites(of: vault, in: now) else { return try onlyRead(vault, in: now) }
        vault.tellWhatWasPrivate()
        return try become(closed, of: vault, standing, keyFile: keyFile)
    }

    /// Nothing is remembered of it, and nothing is changed in it: a second release out of a copy, and a first one out of the vault, would
    /// both be done.
    private func onlyRead(_ vault: Vault, in now: VaultVersion) throws -> Bool {
        vault.tellWhatWasPrivate()
        try Messages.checkTold()
        vault.treatAsOlderCopy(only: now, mayChange: false)
        return false
    }

    /// Makes an older state the vault: for this run alone, if there is nothing to remember it by.
    private func become(
        _ closed: VaultVersion, of vault: Vault, _ standing: WitnessedStanding, keyFile: String?
    ) throws -> Bool {
        if VaultMemories.ours != nil { tellWhatIsTaken(insteadOf: memory?.version) }
        // What is remembered stays, so nothing is remembered of which a line is missing.
        try Messages.checkTold()
        guard try take(closed, of: vault, keyFile: keyFile) else {
            tellWhatIsNotTaken(insteadOf: memory?.version)
            vault.treatAsOlderCopy(only: closed, mayChange: memory?.version == nil)
            return false
        }
        vault.treatAsOlderCopy()
        standing.become(.remembered)
        return true
    }

    /// The newer vault may have judged a reply already, and an invite judges one. Gives the state that has none open, and no other: at
    /// each look another file may be there. Nil if nothing can be written there: then they stay open in the file.
    private func closingInvites(of vault: Vault, in state: VaultVersion) throws -> VaultVersion? {
        do {
            let isChanged = try vault.closeInvites(ofOnly: state)
            let closed = vault.version
            if isChanged { Self.warnOfClosedInvites() }
            return closed
        } catch VaultError.cannotWrite(_, let reason), VaultError.unsettled(_, let reason) {
            warnOfOpenInvites(reason)
        } catch VaultError.busy {
            warnOfOpenInvites("Others are writing")
        } catch VaultError.damaged {
            warnOfOpenInvites("A record is damaged")
        }
        return nil
    }

    private func warnOfOpenInvites(_ reason: String) {
        Messages.warn(
            "no invite can be closed at \(locked.path): it is read as if they were closed, and not changed (\(reason.uncapitalized))"
        )
    }

    private static func warnOfClosedInvites() {
        Messages.warn(
            "a newer state of this vault may have used its invites: those that were open are closed, so never type their codes again; and a couple that only this device had may be known to others by now, until it is paired"
        )
    }

    /// Whether a newer state is remembered, and stays, since nobody may write here: then nothing is begun.
    private var cannotRemember: Bool {
        guard let ours = VaultMemories.ours, memory?.version != nil else { return false }
        return !SharedFile.mayChange(ours.path(of: locked.id))
    }

    /// Of what nobody knows there may be a newer one.
    private func isOlder(_ now: VaultVersion) -> Bool { memory?.version.map { !now.mayFollow($0) } ?? true }

    /// Remembers the state as the vault's; false if it cannot. If somebody saw another state meanwhile, that
    /// is the vault's, and nothing may be done in this one.
    private func take(_ closed: VaultVersion, of vault: Vault, keyFile: String?) throws -> Bool {
        guard Self.remember(vault, closed, keyFile: keyFile, insteadOf: memory?.version) else { return false }
        guard let taken = try VaultMemories.ours?.memory(of: vault.id)?.version else { return false }
        guard taken.digest == closed.digest else { throw VaultError.rolledBack(path: locked.path) }
        return true
    }

    private func tellAge(of now: VaultVersion) {
        guard let known = memory?.version else {
            return Messages.insist(
                "this machine does not know whether \(locked.path) is the newest; a pairing code that was typed since must not be typed again"
            )
        }
        let former = known.floor > known.changeCount ? ", in place of newer ones" : ""
        Messages.insist(
            "\(locked.path) has \(now.changeCount) changes; what this machine saw of this vault had \(known.changeCount)\(former); this file does not know what was verified, pinned or insisted on since; never type a pairing code again that was typed since"
        )
    }

    private func tellWhatItIs(_ now: VaultVersion?, isVault: Bool) {
        // With the known one's id, which is no secret.
        let isForged = memory?.version.map { now?.isOfSameVault(as: $0) == false } ?? false
        if !others.isEmpty || isForged { Messages.warn(replacement) }
        if leadsElsewhere || !isVault, let place = ledTo { Messages.warn("\(locked.path) leads to \(place)") }
    }

    private func tellWhatIsTaken(insteadOf former: VaultVersion? = nil) {
        guard isNew(insteadOf: former) else { return }
        let given = former.map { ", and its state with \($0.changeCount) changes is given up" } ?? ""
        Messages.insist("\(locked.places.last ?? locked.path) is the vault from now on\(given)")
    }

    /// The last word, since it was told otherwise before. The newer state stays the vault's: a second release out of this one, and a
    /// first one out of that, would both be done.
    func tellWhatIsNotTaken(insteadOf former: VaultVersion? = nil) {
        guard VaultMemories.ours != nil, isNew(insteadOf: former) else { return }
        Messages.insist(
            former == nil
                ? "\(locked.path) is the vault for this run alone, since this machine cannot remember it"
                : "\(locked.path) is only read, since this machine cannot remember that it is the vault now")
    }

    /// Whether it becomes the vault where this machine knew another file as that.
    private func isNew(insteadOf former: VaultVersion?) -> Bool {
        former != nil || !others.isEmpty || leadsElsewhere
    }

    /// Refuses a copy, whose lock is not the vault's.
    func checkIsVault(_ vault: Vault) throws {
        guard acceptsOlder, !mayBecomeVault(in: vault.version) else { return }
        throw Failure(.ioError, "\(locked.path) is a copy to this machine, and is not unlocked")
    }
}

extension Vault {
    /// Says that a copy of a vault does not know whom its keys were given to since.
    func tellWhatWasPrivate() {
        let couples = try? sharedCoupleIDs.map(\.text)
        guard couples != [] else { return }
        let more = couples.map { $0.count > 1 ? " and \($0.count - 1) more" : "" } ?? ""
        let names = (couples?.first ?? "each couple") + more
        Messages.warn(
            "this copy knows \(names) as it was when the copy was made: if the keys were given to somebody since, pair anew"
        )
    }
}
