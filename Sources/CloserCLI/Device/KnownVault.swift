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
    /// Whether this machine knows no vault yet, as one that is made for a single run: there, a named key file says which one it is,
    /// and nobody can have put another one in the place of any.
    private let isFirst: Bool

    init(at path: String, acceptsOlder: Bool) throws {
        let all = try VaultMemories.ours?.all() ?? []
        self.init(try Self.locked(at: path, all), all, acceptsOlder)
    }

    private init(_ locked: LockedVault, _ all: [VaultMemory], _ acceptsOlder: Bool) {
        let places = locked.places
        memory = all.first { $0.id == locked.id }
        others = all.others(than: locked.id, at: places)
        isFirst = all.isEmpty
        believed = Folder.pathsAsBelieved(locked.path).first { path in
            !places.contains(where: path.isSpelled) && all.contains { $0.isKnown(at: path) }
        }
        (self.locked, self.acceptsOlder) = (locked, acceptsOlder)
    }

    /// What is remembered by now: somebody may have typed a passphrase meanwhile, which takes long.
    private func anew() throws -> KnownVault {
        KnownVault(locked, try VaultMemories.ours?.all() ?? [], acceptsOlder)
    }

    private static func locked(at path: String, _ all: [VaultMemory]) throws -> LockedVault {
        do throws(VaultError) { return try LockedVault(at: path) } catch {
            guard error == .missing(path: path), isKnown(at: path, all) else { throw error }
            throw Failure(goneFrom: path)
        }
    }

    /// Whether this machine knows a vault at this place.
    static func isKnown(at path: String) -> Bool {
        isKnown(at: path, VaultMemories.ours?.readable ?? [])
    }

    private static func isKnown(at path: String, _ all: [VaultMemory]) -> Bool {
        // Its folder may be gone, too.
        let paths = (try? Place(path))?.paths ?? Folder.absoluteNames(of: path)
        return all.contains { paths.contains(where: $0.isKnown) }
    }

    /// Refuses a vault that lies where another one is known, and one whose name now leads to another file, which a change would
    /// overwrite.
    func checkPlace() throws {
        guard !acceptsOlder else { return }
        guard others.isEmpty else { throw Failure(replaced: self) }
        guard !leadsElsewhere else { throw Failure(leadingElsewhere: self) }
    }

    var leadsElsewhere: Bool { memory?.leadsElsewhere(locked.places) ?? false }

    /// The words for `others`.
    var replacement: String { "\(locked.path) is another vault than the one that this machine knows there" }

    /// Opens it, unless this machine saw a newer one, and remembers it as it is and as it becomes. With `--accept-older` it
    /// reads, changes and remembers the vault in one turn, so no other command of this machine can come between.
    func open(with unlocking: borrowing Unlocking, keyFile: String?) throws -> OpenedVault {
        let turns = MachineTurns(at: locked.id)
        guard acceptsOlder else { return try open(with: unlocking, keyFile: keyFile, turns) }
        return try turns.holding { try open(with: unlocking, keyFile: keyFile, turns) }
    }

    private func open(
        with unlocking: borrowing Unlocking, keyFile: String?, _ turns: MachineTurns
    ) throws -> OpenedVault {
        let lock = LockNote()
        let standing = WitnessedStanding(acceptsOlder ? .unknown : hasNews ? .compared : .remembered)
        let vault: Vault
        do {
            vault = try locked.unlock(
                with: unlocking, witness: witness(standing, lock, turns, isKeyFile: keyFile != nil))
        } catch {
            guard case VaultError.rolledBack = error, !isHere else { throw error }
            throw Failure(olderElsewhere: self)
        }
        let known = try anew()
        // Another vault may have been made there.
        try known.checkPlace()
        let isRemembered = try known.remember(vault, standing, keyFile: keyFile)
        return OpenedVault(vault, isRemembered: isRemembered, keyFile: keyFile, lock: lock)
    }

    /// Remembers the vault, unless it is only a copy, and tells what is new about it. The file is not read again: it may have been
    /// replaced since it was opened.
    private func remember(_ vault: Vault, _ standing: WitnessedStanding, keyFile: String?) throws -> Bool {
        tellOtherName()
        tellNewName(isKeyFile: keyFile != nil)
        let isRemembered = try !acceptsOlder || accept(vault, standing, keyFile: keyFile)
        try Messages.checkTold()
        if !acceptsOlder { standing.become(.remembered) }
        if isRemembered, !Self.remember(vault, keyFile: keyFile, replacing: others), acceptsOlder {
            tellWhatIsNotTaken()
            try Messages.checkTold()
        }
        return isRemembered
    }

    /// Whether the user has to hear about the vault's place before this machine remembers anything of the vault.
    private var hasNews: Bool { believed != nil || !newPlaces.isEmpty }

    /// With a link, what it leads to may be new, too.
    private var newPlaces: [String] { locked.places.filter { memory?.isKnown(at: $0) != true } }

    /// Whether this machine saw the vault under the name that a person typed. Where a link leads does not count: anybody who can write the
    /// folder can make one.
    var isHere: Bool { memory?.isKnown(at: locked.name) == true }

    /// Whether another vault is known by that name.
    var isInAnothersPlace: Bool { others.contains { $0.isKnown(at: locked.name) } }

    /// Where a link leads; nil if there is none in the name.
    var ledTo: String? { locked.places.last.flatMap { $0.isSpelled(locked.name) ? nil : $0 } }

    private func tellOtherName() {
        guard let believed else { return }
        Messages.insist(
            "\(locked.path) is not \(believed), where this machine knows a vault: the folder has another name than the shell says"
        )
    }

    /// Somebody may have put it here in another one's place, if the path is relative, or the folder above was exchanged.
    private func tellNewName(isKeyFile: Bool) {
        // In another vault's place that was told already, and it may have been here before.
        guard VaultMemories.ours != nil, others.isEmpty, !newPlaces.isEmpty else { return }
        let newPlace = newPlaces.joined(separator: " and ")
        if let memory {
            let before = memory.places.first.map { "; it was at \($0)" } ?? ""
            Messages.insist("this machine sees this vault at \(newPlace) for the first time\(before)")
        } else if !(isKeyFile && isFirst) {
            let tell = isFirst ? Messages.warn : Messages.insist
            tell("this machine sees this vault for the first time, at \(newPlace)")
        }
    }
}
