internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// What this machine remembers of one vault.
struct KnownVault: Equatable {
    let id: Vault.ID
    /// The newest version that was seen.
    var version: VaultVersion
    /// The absolute path of its key file; nil for a vault with a passphrase.
    var keyFile: String?
    /// Its absolute path, with links resolved; nil once another vault has that path.
    var path: String?
    /// When this machine exported it last, in seconds since 1970.
    var exportedAt: UInt64?

    /// A JSON object: `changes` and `digest`, and `keyFile`, `path` and `exportedAt` where they are known.
    var bytes: [UInt8] {
        let texts = [("keyFile", keyFile), ("path", path)].compactMap { name, text in
            text.map { JSONValue.Member(name, .string($0)) }
        }
        let members: [JSONValue.Member] = [
            .init("changes", .number(Double(version.changeCount))),
            .init("digest", .string(Hex.encode(version.digest))),
        ]
        let export = exportedAt.map { [JSONValue.Member("exportedAt", .number(Double($0)))] } ?? []
        return JSONValue.object(members + texts + export).canonicalBytes + [UInt8(ascii: "\n")]
    }
}

extension KnownVault {
    /// Reads ``bytes``; nil for anything else.
    init?(of id: Vault.ID, parsing bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes),
            let count = value["changes"]?.number.flatMap(UInt64.init(exactly:)),
            let digest = value["digest"]?.string.flatMap({ try? Hex.decode($0) }),
            let version = VaultVersion(of: id, changeCount: count, digest: digest),
            ["keyFile", "path"].allSatisfy({ value[$0].map { $0.string != nil } ?? true })
        else { return nil }
        self.init(
            id: id, version: version, keyFile: value["keyFile"]?.string, path: value["path"]?.string,
            exportedAt: value["exportedAt"]?.number.flatMap(UInt64.init(exactly:)))
    }
}

/// The folder in which this machine remembers its vaults, `closer-keys` in `$XDG_STATE_HOME`: a file for each, `ID.json`, mode 0600.
///
/// A file is read before its vault is opened, and written whole under a lock. Only a state that came of the one that is remembered takes
/// its place.
struct KnownVaults {
    private static let suffix = ".json"
    let folder: String

    /// Nil without a home folder.
    static var ours: KnownVaults? {
        get throws {
            try Environment.folder("XDG_STATE_HOME", orInHome: ".local/state").map {
                KnownVaults(folder: "\($0)/closer-keys")
            }
        }
    }

    /// All vaults that are remembered, in the order of their ids. An unreadable file is an error.
    func all() throws -> [KnownVault] {
        let names: [String]
        do { names = try Paths.names(in: folder) } catch { throw CLIError(unreadable: folder, error.reason) }
        return try names.compactMap { name in
            guard name.hasSuffix(Self.suffix) else { return nil }
            return try Vault.ID(String(name.dropLast(Self.suffix.count))).flatMap(vault)
        }
    }

    func vault(_ id: Vault.ID) throws -> KnownVault? {
        let bytes: [UInt8]?
        do { bytes = try WholeFile(path(of: id), maximumByteCount: 1 << 16)?.bytes } catch {
            throw CLIError(unreadable: path(of: id), error.reason)
        }
        guard let bytes else { return nil }
        guard let known = KnownVault(of: id, parsing: bytes) else {
            throw CLIError(unreadable: path(of: id), "is not what this program wrote").hinting(
                "closer-keys device forget ID, with the file's name as ID, forgets the vault and how new it was"
            )
        }
        return known
    }

    /// Whether this machine remembers a vault at a path, as far as its files can be read.
    static func isKnown(at path: String) -> Bool {
        guard let place = try? Paths.absolute(path), let all = try? ours?.all() else { return false }
        return all.contains { $0.path == place }
    }

    /// Remembers the newest version of a vault that is remembered.
    ///
    /// - Throws: ``VaultError``, as ``Vault/newest(after:)``.
    func remember(_ vault: Vault) throws {
        try changing {
            guard var known = try self.vault(vault.id) else { return }
            known.version = try vault.newest(after: known.version)
            try write(known)
        }
    }

    /// Remembers a vault, in its newest version. Another vault that was remembered at its path loses the path.
    ///
    /// - Throws: ``VaultError``, as ``Vault/newest(after:)``.
    func remember(_ vault: KnownVault, _ opened: Vault) throws {
        try changing {
            var vault = vault
            if var known = try self.vault(vault.id) {
                let isOutrun = !opened.follows(known.version)
                vault.version = try opened.newest(after: known.version)
                // Another process knows better where the vault and its key are.
                guard !isOutrun else {
                    known.version = vault.version
                    return try write(known)
                }
                vault.exportedAt = vault.exportedAt ?? known.exportedAt
            }
            for var other in try all()
            where other.id != vault.id && other.path == vault.path && vault.path != nil {
                other.path = nil
                try write(other)
            }
            try write(vault)
        }
    }

    /// Remembers that a vault that is remembered was exported now.
    func rememberExport(of id: Vault.ID) throws {
        try changing {
            guard var known = try vault(id) else { return }
            known.exportedAt = WallClock.now
            try write(known)
        }
    }

    /// Forgets a vault, also one whose file is unreadable. False if it was unknown.
    func forget(_ id: Vault.ID) throws -> Bool {
        guard !Paths.isMissing(path(of: id)) else { return false }
        try changing { Paths.removeFile(path(of: id)) }
        return true
    }

    private func changing(_ body: () throws -> Void) throws {
        try Paths.makeFolder(folder)
        guard let lock = try FileLock.acquire("\(folder)/.lock", patience: .seconds(5)) else {
            throw FileError.cannotCreate(path: "\(folder)/.lock", reason: "Another process holds the lock")
        }
        try body()
        _ = consume lock
    }

    private func write(_ vault: KnownVault) throws {
        let file = try AtomicFile(path(of: vault.id), replacing: true)
        try file.write(vault.bytes.span)
        try file.commit()
    }

    private func path(of id: Vault.ID) -> String { "\(folder)/\(id)\(Self.suffix)" }
}

// MARK: - Outputs

extension KnownVaults {
    /// Refuses to replace a vault, by its path or by the id that it begins with, and a key file.
    func checkMayReplace(_ path: String) throws {
        guard let file = try? FileStatus.look(path), file.isRegular else { return }
        let id = try Self.id(ofVaultAt: path)
        let isKept = try all().contains { known in
            let paths = [known.path, known.keyFile].compactMap { $0 }
            return known.id == id || paths.flatMap(FileIdentity.all).contains(file.identity)
        }
        guard !isKept else {
            throw CLIError(
                .inputRequired, "\(path) is a vault or a key file that this machine remembers",
                hint: "write to another file")
        }
    }

    /// Nil for an unreadable file.
    private static func id(ofVaultAt path: String) throws -> Vault.ID? {
        guard let file = try? Descriptor.readingRegular(path) else { return nil }
        return try SecretBytes(capacity: 512) { _ = try file.read(into: &$0) }.withBytes { Vault.id(of: $0) }
    }
}

extension CLIError {
    fileprivate init(unreadable path: String, _ reason: String) {
        self.init(
            ErrorWords(
                .ioError,
                "what this machine remembers of a vault cannot be read: \(path): \(reason.uncapitalized)",
                of: path, reason))
    }
}
