internal import Synchronization

// Looks at a vault, and changes of it: each begins with a look.

extension Vault {
    /// From now on no invite counts as open, and each change closes those that are. Another older file may take this one's place at any
    /// time, and nobody knows which of its invites are used up.
    package func treatAsOlderCopy() { standing.withLock { $0 = .olderCopy } }

    /// The same of this state, which nobody remembers: any other is refused, unless it is made of it here.
    package func treatAsOlderCopy(only version: VaultVersion, mayChange: Bool) {
        standing.withLock { $0 = .only(version, mayChange: mayChange) }
    }

    var isTreatedAsOlder: Bool {
        if case .newest = standing.withLock({ $0 }) { false } else { true }
    }

    func checkMayChange() throws(VaultError) {
        guard case .only(_, mayChange: false) = standing.withLock({ $0 }) else { return }
        throw .cannotWrite(path: path, reason: "A file that is not the vault is only read")
    }

    private func checkIsWanted(_ now: VaultVersion) throws(VaultError) {
        guard case .only(let version, _) = standing.withLock({ $0 }), version.digest != now.digest else {
            return
        }
        throw .rolledBack(path: path)
    }

    /// What was made of the one state that is wanted is the one from then on.
    func wants(_ written: VaultVersion) {
        standing.withLock { standing in
            if case .only(_, let mayChange) = standing { standing = .only(written, mayChange: mayChange) }
        }
    }

    /// Reads the vault as it is at one moment; `.busy` if that is not the `only` state that was asked for.
    func read<Result>(
        only expected: VaultVersion? = nil, _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let now = try current()
        try now.version.check(isOnly: expected)
        return try body(try transaction(of: now))
    }

    /// The same, and takes nothing from what was read before.
    func readAnew<Result>(
        _ body: (Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body(try transaction(of: try current(anew: true)))
    }

    /// As it is there, or without open invites.
    func transaction(of now: Snapshot) throws(VaultError) -> Transaction {
        var transaction = Transaction(now.directory, key)
        if isTreatedAsOlder { try transaction.closeInvites() }
        return transaction
    }

    /// Changes the vault in one transaction: if `body` throws, nothing happened; if it changes nothing, nothing is written. It is `.busy`
    /// if the vault is not in the `only` state that was asked for.
    func change<Result>(
        only expected: VaultVersion? = nil, _ body: (inout Transaction) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkMayChange()
        let turn = try ChangeTurn.wait(at: place, witness, patience)
        let now = try look(anew: true)
        try now.version.check(isOnly: expected)
        var transaction = try changing(now)
        let result = try body(&transaction)
        if transaction.isChanged { try store(now.lock, transaction.directory, over: now, turn) }
        _ = consume turn
        return result
    }

    /// What a change begins with: today's form, and no open invite in an older copy.
    func changing(_ now: Snapshot) throws(VaultError) -> Transaction {
        var transaction = try Transaction(now.directory, key).inTodaysForm()
        if isTreatedAsOlder { try transaction.closeInvites() }
        return transaction
    }

    /// The file as it is when nobody on this machine changes it.
    func current(anew: Bool = false) throws(VaultError) -> Snapshot {
        let turn = try witness.turn(.reading)
        defer { withExtendedLifetime(turn) {} }
        return try look(anew: anew)
    }

    /// The file as it is now, unless it is older than what this process or the witness saw before it was read.
    func look(anew: Bool = false) throws(VaultError) -> Snapshot {
        let (seen, known) = (latest.withLock { $0 }, try witness.known())
        let content = try VaultFile(place.content(), path: path)
        guard content.lock.vaultID == key.vaultID else { throw .replaced(path: path) }
        var now =
            if !anew, let seen, seen.head == content.head { seen } else { try Snapshot(content, key) }
        guard known.map(now.version.isOfSameVault) ?? true else { throw .replaced(path: path) }
        for version in [seen?.version, known] {
            guard let version else { continue }
            guard now.version.mayFollow(version) else { throw .rolledBack(path: path) }
            now.version = now.version.giving(up: version)
        }
        try checkIsWanted(now.version)
        if let seen, seen.version.digest != now.version.digest { count(now, after: seen) }
        see(now)
        if now.version.newer(of: known) != known { try remember(now.version) }
        guard now.lock == opened.withLock({ $0 }) else { throw .lockedAnew(path: path) }
        return now
    }

    private func count(_ now: Snapshot, after seen: Snapshot) {
        let isOfAnswers = now.lock == seen.lock && now.directory.onlyAddsAnswers(to: seen.directory)
        foreignChanges.withLock {
            $0.all += 1
            if !isOfAnswers { $0.besidesAnswers += 1 }
        }
    }

    /// A state that the witness does not accept is not shown: it may have been given up since we asked, or a newer one seen.
    private func remember(_ version: VaultVersion) throws(VaultError) {
        witness.saw(version)
        guard try witness.known().map(version.mayFollow) ?? true else { throw .rolledBack(path: path) }
    }

    func see(_ now: Snapshot) {
        latest.withLock { seen in
            if seen.map({ now.version.mayFollow($0.version) }) ?? true { seen = now }
        }
    }

    struct Snapshot {
        let lock: VaultLock
        let directory: Directory
        let head: ArraySlice<UInt8>
        let bytes: [UInt8]
        var version: VaultVersion

        init(_ content: VaultFile, _ key: VaultKey) throws(VaultError) {
            directory = try content.directory(key)
            (lock, head, bytes) = (content.lock, content.head, content.bytes)
            version = VaultVersion(directory, head: head, key)
        }
    }
}
