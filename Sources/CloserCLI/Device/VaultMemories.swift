internal import CloserFiles
internal import CloserSystem
internal import CloserVault
internal import Synchronization

// Where this machine remembers its vaults: `$XDG_STATE_HOME/closer-keys`, by default in `~/.local/state`.

extension VaultMemories {
    /// Nil without a home folder.
    static var ours: VaultMemories? {
        Surroundings.folder("XDG_STATE_HOME", orInHome: ".local/state").map {
            VaultMemories(in: "\($0)/closer-keys")
        }
    }
}

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

    init(at path: String, acceptsOlder: Bool) throws {
        let all = try VaultMemories.ours?.all() ?? []
        locked = try Self.locked(at: path, all)
        let id = locked.id
        memory = all.first { $0.id == id }
        others = all.others(than: id, at: locked.places)
        self.acceptsOlder = acceptsOlder
        believed = Folder.pathAsBelieved(path).flatMap { path in
            all.contains { $0.isKnown(at: path) } ? path : nil
        }
    }

    private static func locked(at path: String, _ all: [VaultMemory]) throws -> LockedVault {
        do throws(VaultError) { return try LockedVault(at: path) } catch {
            guard error == .missing(path: path), isKnown(at: path, all) else { throw error }
            throw Failure(goneFrom: path)
        }
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
    func open(with unlocking: borrowing Unlocking, keyFile: String?) throws -> Vault {
        guard try !acceptsOlder || accept(with: unlocking, keyFile: keyFile) else {
            return try locked.unlock(with: unlocking)
        }
        let vault: Vault
        do { vault = try locked.unlock(with: unlocking, witness: witness(keyFile: keyFile)) } catch {
            guard case VaultError.rolledBack = error, !isHere else { throw error }
            throw Failure(olderElsewhere: locked.path)
        }
        if let believed {
            Messages.warn(
                "\(locked.path) is not \(believed), where this machine knows a vault: the folder has another name than the shell says"
            )
        }
        tellNewName(isKeyFile: keyFile != nil)
        Self.remember(vault, keyFile: keyFile)
        return vault
    }

    /// Whether this machine saw it here before.
    private var isHere: Bool { locked.places.contains { memory?.isKnown(at: $0) == true } }

    /// Somebody may have put it here in another one's place, if the path is relative, or the folder above was exchanged.
    private func tellNewName(isKeyFile: Bool) {
        let new = locked.places.first { memory?.isKnown(at: $0) != true }
        guard VaultMemories.ours != nil, let new else { return }
        switch memory {
        case let memory?:
            let before = memory.places.first.map { "; it was at \($0)" } ?? ""
            Messages.warn("this machine sees this vault at \(new) for the first time\(before)")
        // Whoever names a key file knows which vault it is for.
        case nil where !isKeyFile:
            Messages.warn("this machine sees this vault for the first time, at \(new)")
        case nil: break
        }
    }

    /// Takes what is there for the vault, and says what it is; false if this is not to be remembered: a copy at a place where nobody
    /// knows it says nothing of the vault.
    private func accept(with unlocking: borrowing Unlocking, keyFile: String?) throws -> Bool {
        let vault = try locked.unlock(with: unlocking)
        guard let now = vault.version, let known = memory?.version, !now.mayFollow(known) else {
            tellWhatIsTaken()
            return Self.remember(vault, keyFile: keyFile)
        }
        let given = isHere ? ", and is given up" : ""
        Messages.warn(
            "\(locked.path) has \(now.changeCount) changes; what this machine saw of this vault had \(known.changeCount)\(given)"
        )
        guard isHere else { return false }
        tellWhatIsTaken()
        return Self.remember(vault, keyFile: keyFile, insteadOf: known)
    }

    private func tellWhatIsTaken() {
        if !others.isEmpty { Messages.warn("\(replacement), and takes its place from now on") }
        if leadsElsewhere, let place = locked.places.last {
            Messages.warn("\(locked.path) leads to \(place), which is the vault from now on")
        }
    }

    /// Asks this machine's memory before each look at the file, and tells it of each change.
    private func witness(keyFile: String?) -> VaultWitness {
        let (ours, id) = (VaultMemories.ours, locked.id)
        return VaultWitness {
            () throws(VaultError) in
            try ours?.memory(of: id)?.version
        } note: { (version, base) throws(VaultError) in
            do throws(VaultError) { try ours?.see(version, over: base) } catch {
                if case .diverged = error { throw error }
                Self.warn(error, isKeyFile: keyFile != nil)
            }
        }
    }
}

// MARK: - Remembering

extension KnownVault {
    /// Remembers a vault that was made just now, and says it if another one was known there: it has been moved away, or is gone.
    static func remember(new vault: Vault, keyFile: String?) {
        let all = (try? VaultMemories.ours?.all()) ?? []
        let former = all.others(than: vault.id, at: vault.places)
        if !former.isEmpty {
            Messages.warn("\(vault.path) takes the place of another vault that this machine knew there")
        }
        remember(vault, keyFile: keyFile)
    }

    /// Remembers where a vault and its key file are, in which state it is, and that no other vault is there. If the machine
    /// cannot, one warning says what that means, and the run goes on.
    @discardableResult
    static func remember(
        _ vault: Vault, keyFile: String?, insteadOf givenUp: VaultVersion? = nil
    ) -> Bool {
        do {
            guard let ours = VaultMemories.ours else { throw Failure(.usage, "there is no home folder") }
            let places = vault.places
            let memory = VaultMemory(of: vault.id, at: places, keyFile: keyFile.absolute, seen: vault.version)
            try ours.remember(memory, insteadOf: givenUp)
            for other in try ours.all().others(than: vault.id, at: places) {
                for place in places { try ours.forget(place, of: other.id) }
            }
            return true
        } catch {
            warn(error, isKeyFile: keyFile != nil)
            return false
        }
    }

    private static let hasWarned = Mutex(false)

    private static func warn(_ error: any Error, isKeyFile: Bool) {
        guard
            hasWarned.withLock({
                let had = $0; $0 = true; return !had
            })
        else { return }
        let reason =
            switch error {
            case VaultError.cannotWrite(let path, let reason): "\(path): \(reason.lowercased())"
            default: Failure(error).message
            }
        let key = isKeyFile ? "name its key file each time, and " : ""
        Messages.warn(
            "this machine cannot remember the vault (\(reason)): \(key)know that nobody notices if an older one is put back"
        )
    }
}

extension [VaultMemory] {
    /// The memories of other vaults than this one that were seen at one of these places.
    fileprivate func others(than id: VaultID, at places: [String]) -> [VaultMemory] {
        filter { $0.id != id && places.contains(where: $0.isKnown) }
    }
}

extension String? {
    /// A path that means the same in every working folder; nil for a file that has none.
    fileprivate var absolute: String? { flatMap { Folder.absolutePath(of: $0) } }
}

extension Surroundings {
    /// A folder of the XDG base directory specification, by which a relative path is invalid and ignored; nil without a
    /// home folder whose path is absolute.
    static func folder(_ variable: String, orInHome place: String) -> String? {
        if let folder = Self.variable(variable), folder.hasPrefix("/") { return folder }
        return Self.variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/\(place)" : nil }
    }
}
