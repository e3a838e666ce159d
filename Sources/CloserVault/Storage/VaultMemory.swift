internal import CloserFiles
internal import CloserWire

/// What one machine remembers of a vault, beside the vault's own file: where it was, and where its key file is.
///
/// The vault's file names no key file, since whoever can write it could name another. An app that is no program with a home
/// folder keeps these values where it keeps its own, a keychain for example.
public struct VaultMemory: Equatable, Sendable {
    public let id: VaultID
    /// Absolute, where the vault was last seen.
    public var vaultPath: String
    /// Absolute; nil for a vault with a passphrase.
    public var keyFilePath: String?

    public init(of id: VaultID, at vaultPath: String, keyFile keyFilePath: String?) {
        (self.id, self.vaultPath, self.keyFilePath) = (id, vaultPath, keyFilePath)
    }

    /// Reads ``bytes``; nil for anything else.
    public init?(of id: VaultID, parsing bytes: some Collection<UInt8>) {
        guard let members = (try? JSONValue(parsing: Array(bytes)))?.members,
            let vaultPath = members["vault"]?.string, vaultPath.hasPrefix("/")
        else { return nil }
        let keyFile = members["keyFile"]
        guard keyFile.map({ $0.string?.hasPrefix("/") == true }) ?? true else { return nil }
        self.init(of: id, at: vaultPath, keyFile: keyFile?.string)
    }

    /// A JSON object, UTF-8: `vault`, and `keyFile` if there is one.
    public var bytes: [UInt8] {
        var members = [JSONValue.Member("vault", .string(vaultPath))]
        if let keyFilePath { members.append(JSONValue.Member("keyFile", .string(keyFilePath))) }
        return JSONValue.object(members).canonicalBytes
    }
}

/// The folder in which a machine remembers vaults: a small file for each, mode 0600, named by the vault's id.
public struct VaultMemories: Sendable {
    private static let suffix = ".json"
    /// Two paths of 4 KiB, with each of their bytes escaped.
    private static let maximumByteCount = 64 * 1024

    private let folder: String

    /// The folder need not be there; ``remember(_:)`` makes it, for its owner alone.
    public init(in folder: String) { self.folder = folder }

    /// What is remembered of a vault; nil if nothing is, or nothing that can be read.
    public func memory(of id: VaultID) -> VaultMemory? {
        let bytes = try? WholeFile.read(path(of: id), maximumByteCount: Self.maximumByteCount)
        return bytes.flatMap { VaultMemory(of: id, parsing: $0) }
    }

    /// All vaults that were seen at a path.
    public func memories(at vaultPath: String) -> [VaultMemory] {
        Folder.names(in: folder).compactMap { name in
            guard name.hasSuffix(Self.suffix),
                let bytes = try? Hex.decode(String(name.dropLast(Self.suffix.count))),
                let memory = VaultID(bytes).flatMap(memory), memory.vaultPath == vaultPath
            else { return nil }
            return memory
        }
    }

    /// Remembers a vault from now on.
    ///
    /// - Throws: ``VaultError/cannotWrite(path:reason:)``.
    public func remember(_ memory: VaultMemory) throws(VaultError) {
        do throws(FileError) {
            try Folder.make(folder)
            let file = try SafeFile(path(of: memory.id), replacing: true, onlyRegular: true)
            try file.write(memory.bytes.span)
            try file.commit()
        } catch { throw VaultError(error) }
    }

    /// Remembers nothing more of a vault.
    public func forget(_ id: VaultID) { Folder.removeFile(path(of: id)) }

    private func path(of id: VaultID) -> String { "\(folder)/\(id)\(Self.suffix)" }
}
