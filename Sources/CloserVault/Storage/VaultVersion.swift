internal import CloserPrimitives
internal import CloserWire

/// One state of a vault's file: how often the vault had been changed, and which file that was.
///
/// An app keeps the newest version that it saw in a ``VaultMemory``, where an attacker cannot write. A state that did not come of it is
/// refused.
public struct VaultVersion: Equatable, Sendable {
    /// Which vault it was.
    public let vaultID: Vault.ID
    /// From 1 to 2^53 - 1.
    public let changeCount: UInt64
    /// SHA-256 of the file's part before its boxes, which contains their digests: 32 bytes.
    public let digest: [UInt8]

    /// Nil unless the count is one that a vault can have, and the digest has 32 bytes.
    public init?(of vaultID: Vault.ID, changeCount: UInt64, digest: [UInt8]) {
        guard Index.changeCounts.contains(changeCount), digest.count == SHA256.byteCount else { return nil }
        (self.vaultID, self.changeCount, self.digest) = (vaultID, changeCount, digest)
    }

    init(_ index: Index, head: ArraySlice<UInt8>, _ key: VaultKey) {
        (vaultID, changeCount, digest) = (key.vaultID, index.changeCount, SHA256.hash(head.span))
    }
}

/// An object with `vaultID` and `digest` in hexadecimal, and `changeCount`.
extension VaultVersion: Codable {
    private enum CodingKeys: CodingKey { case vaultID, changeCount, digest }

    /// Reads the three members.
    ///
    /// - Throws: `DecodingError` for an impossible version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.decode(UInt64.self, forKey: .changeCount)
        guard let id = Vault.ID(try container.decode(String.self, forKey: .vaultID)),
            let digest = try? Hex.decode(try container.decode(String.self, forKey: .digest)),
            let version = VaultVersion(of: id, changeCount: count, digest: digest)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .digest, in: container, debugDescription: "no version that a vault can have")
        }
        self = version
    }

    /// Writes the three members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(vaultID.description, forKey: .vaultID)
        try container.encode(changeCount, forKey: .changeCount)
        try container.encode(Hex.encode(digest), forKey: .digest)
    }
}
