internal import CloserWire

/// What one machine remembers of a vault, beside the vault's own file: where it was, where its key file is, and the last state
/// in which it was seen.
///
/// The vault's file names no key file, since whoever can write it could name another; and that somebody put back an older
/// file shows only where the newer one was seen. An app that is no program with a home folder keeps these values where it
/// keeps its own, a keychain for example.
public struct VaultMemory: Equatable, Sendable {
    public let id: VaultID
    /// Absolute, where the vault was last seen; nil once another vault is known there.
    public var vaultPath: String?
    /// Absolute; nil for a vault with a passphrase.
    public var keyFilePath: String?
    /// The state in which it was seen last; nil if that is not known.
    public var version: VaultVersion?

    public init(
        of id: VaultID, at vaultPath: String?, keyFile keyFilePath: String?, seen version: VaultVersion? = nil
    ) {
        (self.id, self.vaultPath) = (id, vaultPath)
        (self.keyFilePath, self.version) = (keyFilePath, version)
    }

    /// Reads ``bytes``; nil for anything else.
    public init?(of id: VaultID, parsing bytes: some Collection<UInt8>) {
        guard let value = try? JSONValue(parsing: Array(bytes)), value.members != nil else { return nil }
        let paths = [value["vault"], value["keyFile"]].map { $0.map(\.string) }
        guard paths.allSatisfy({ $0.map { $0?.hasPrefix("/") == true } ?? true }) else { return nil }
        let version = VaultVersion(value)
        guard version != nil || value["changes"] == nil && value["digest"] == nil else { return nil }
        self.init(of: id, at: paths[0] ?? nil, keyFile: paths[1] ?? nil, seen: version)
    }

    /// A JSON object, UTF-8, with those that are known of `changes`, `digest`, `keyFile` and `vault`.
    public var bytes: [UInt8] {
        let paths = [("keyFile", keyFilePath), ("vault", vaultPath)]
        let named = paths.compactMap { name, path in path.map { JSONValue.Member(name, .string($0)) } }
        return JSONValue.object((version?.members ?? []) + named).canonicalBytes
    }

    /// The same, with the newer of both states.
    func merging(_ other: VaultVersion?) -> VaultMemory {
        guard let other, version.map({ other.changeCount > $0.changeCount }) ?? true else { return self }
        var merged = self
        merged.version = other
        return merged
    }
}
