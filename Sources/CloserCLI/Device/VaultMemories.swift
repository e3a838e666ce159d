internal import CloserFiles
internal import CloserSystem
internal import CloserVault
internal import CloserWire
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

extension VaultMemories {
    /// The files that no output may replace: the vaults, their locks and key files, and what is remembered of them. One that cannot be
    /// looked at is known by its name alone; see ``need(_:ofVault:)``.
    var needed: [FileIdentity] {
        let paths = readable.flatMap {
            $0.places.flatMap(Vault.files) + [$0.keyFilePath].compactMap { $0 }
                + [self.path(of: $0.id), self.turnPath(of: $0.id)]
        }
        return paths.flatMap(FileIdentity.all)
    }

    /// Whether a file is one of them, or a copy of such a vault. A memory that cannot be read hides no vault, since its name has the id;
    /// but it hides where the key file is, so a file that may be one is an error. So it is if a key file cannot be looked at.
    func need(_ file: FileStatus, ofVault id: VaultID?) throws(FileError) -> Bool {
        let ids = try recalling { () throws(VaultError) -> [VaultID] in try self.ids() }
        let isVault = id.map { ids.contains($0) } ?? false
        if isVault || needed.contains(file.identity) { return true }
        guard file.byteCount == Unlocking.keyFileByteCount else { return false }
        for memory in try recalling({ () throws(VaultError) -> [VaultMemory] in try all() }) {
            if let path = memory.keyFilePath, try FileIdentity.look(path) == file.identity { return true }
        }
        return false
    }

    private func recalling<Result>(_ body: () throws(VaultError) -> Result) throws(FileError) -> Result {
        do { return try body() } catch {
            throw .cannotOpen(path: "what this machine remembers", reason: error.words.message)
        }
    }
}

// MARK: - Remembering

extension KnownVault {
    /// Remembers a vault that was made just now, and says it if another one was known there: it has been moved away, or is gone.
    static func remember(new vault: Vault, keyFile: String?) throws {
        VaultDeed.made.note()
        let former = former(at: vault.path).others(than: vault.id, at: vault.places)
        if !former.isEmpty {
            Messages.insist("\(vault.path) takes the place of another vault that this machine knew there")
        }
        try Messages.checkTold()
        remember(vault, keyFile: keyFile, replacing: former)
    }

    /// What is remembered, as far as it can be read.
    private static func former(at path: String) -> [VaultMemory] {
        guard let ours = VaultMemories.ours else { return [] }
        do { return try ours.all() } catch {
            Messages.insist(
                "\(path) may take the place of another vault: \(error.words.message)")
            return ours.readable
        }
    }

    /// Remembers the vault, where it is, its key file (an absolute path) and the state it is in; without `version`, that is the newest one
    /// seen. It is there instead of those `others`; one that was made there since stays known. If the machine cannot remember it, one
    /// warning says what that means, and the run goes on.
    @discardableResult
    static func remember(
        _ vault: Vault, _ version: VaultVersion? = nil, keyFile: String?,
        insteadOf givenUp: VaultVersion? = nil, replacing others: [VaultMemory] = []
    ) -> Bool {
        do {
            guard let ours = VaultMemories.ours else { throw Failure(.usage, "there is no home folder") }
            let places = vault.places
            let memory = VaultMemory(
                of: vault.id, at: places, keyFile: keyFile, seen: version ?? vault.version)
            try ours.remember(memory, insteadOf: givenUp)
            // Where the other one stays known, the next run refuses this one.
            for other in others {
                for place in places {
                    do { try ours.forget(place, of: other.id) } catch {
                        warn(unremembered: error, isKeyFile: false)
                    }
                }
            }
            return true
        } catch {
            warn(unremembered: error, isKeyFile: keyFile != nil)
            return false
        }
    }

    private static let hasWarned = Mutex(false)

    static func warn(unremembered error: any Error, isKeyFile: Bool) {
        guard
            hasWarned.withLock({
                let had = $0; $0 = true; return !had
            })
        else { return }
        let reason =
            switch error {
            case VaultError.cannotWrite(let path, let reason): "\(path): \(reason.uncapitalized)"
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
    func others(than id: VaultID, at places: [String]) -> [VaultMemory] {
        filter { $0.id != id && places.contains(where: $0.isKnown) }
    }
}

extension Surroundings {
    /// A folder of the XDG base directory specification, by which a relative path is invalid and ignored; nil without a
    /// home folder whose path is absolute.
    static func folder(_ variable: String, orInHome place: String) -> String? {
        if let folder = Self.variable(variable), folder.hasPrefix("/") { return folder }
        return Self.variable("HOME").flatMap { $0.hasPrefix("/") ? "\($0)/\(place)" : nil }
    }
}
