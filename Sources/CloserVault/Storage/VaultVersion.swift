internal import CloserPrimitives
internal import CloserWire

/// One state of a vault's file, as somebody saw it: how often the vault had been changed, and which file that was.
///
/// An app keeps the last one it saw where a stranger cannot write, and names it when it opens the vault: a file that is
/// older is refused then. See ``VaultMemory``.
public struct VaultVersion: Equatable, Sendable {
    /// Which vault it was.
    public let vaultID: VaultID
    /// From 1 to 2^53 - 1.
    public let changeCount: Int
    /// SHA-256 of the file up to its boxes, and so of all of it: 32 bytes.
    public let digest: [UInt8]
    /// What tells the vault's key from any other, 32 bytes that are no secret: somebody who can write the key file, too, could make
    /// another vault with this id. Nil for a state that was kept before there was such a value.
    public private(set) var keyCheck: [UInt8]?
    /// What comes after this state has more changes than this: as many as it has itself, or more if newer ones were given up. A person
    /// took it in their place, or they were never stored.
    package private(set) var floor: Int

    /// Nil unless the count is one that a vault can have, and the digest and the check of the key have 32 bytes each.
    public init?(of vaultID: VaultID, changeCount: Int, digest: [UInt8], keyCheck: [UInt8]? = nil) {
        guard (1...Int(Directory.maximumChangeCount)).contains(changeCount),
            digest.count == SHA256.byteCount, (keyCheck ?? digest).count == SHA256.byteCount
        else { return nil }
        (self.vaultID, self.changeCount, self.digest) = (vaultID, changeCount, digest)
        self.keyCheck = keyCheck
        floor = changeCount
    }

    init(_ directory: Directory, head: ArraySlice<UInt8>, _ key: VaultKey) {
        (vaultID, keyCheck) = (key.vaultID, key.check)
        (changeCount, digest) = (Int(directory.changeCount), SHA256.hash(head.span))
        floor = changeCount
    }

    /// Whether a vault that was last seen as `known` may be in this state now: it was changed since, or it is the same file.
    /// Two files with the same count have diverged.
    public func mayFollow(_ known: VaultVersion) -> Bool {
        isOfSameVault(as: known) && (changeCount > known.floor || digest == known.digest)
    }

    /// Whether both are states of one vault: with the same id, and under the same key as far as it is known.
    public func isOfSameVault(as other: VaultVersion) -> Bool {
        vaultID == other.vaultID && (keyCheck == nil || other.keyCheck == nil || keyCheck == other.keyCheck)
    }

    /// This one if the vault was changed since `known`; otherwise `known`. Of one state, all that was given up.
    func newer(of known: VaultVersion?) -> VaultVersion {
        guard let known else { return self }
        guard isOfSameVault(as: known) else { return known }
        guard digest != known.digest else { return known.giving(up: self) }
        return changeCount > known.floor ? self : known
    }

    /// The same, with the other state given up and what may be on its way over it: one change more. That change would count as newer
    /// otherwise, if its writer has read the other one, or knows what was given up before it.
    func giving(upAllOver other: VaultVersion) -> VaultVersion {
        var version = giving(up: other)
        version.floor = min(max(version.floor, other.floor + 1), Int(Directory.maximumChangeCount))
        return version
    }

    /// The same state, with the other one given up, or known to have been: what comes after it comes after both.
    func giving(up other: VaultVersion) -> VaultVersion {
        var version = self
        version.floor = max(floor, other.floor)
        version.keyCheck = keyCheck ?? other.keyCheck
        return version
    }
}

extension VaultVersion {
    /// Refuses another state than one that somebody looked at, if any.
    func check(isOnly expected: VaultVersion?) throws(VaultError) {
        guard expected.map({ $0.digest == digest }) ?? true else { throw .busy }
    }

    /// `changes`, `digest` and `keyCheck` in hexadecimal digits, and `givenUp` if newer states were given up: how many changes they had
    /// at most.
    var members: [JSONValue.Member] {
        let givenUp = floor > changeCount ? [JSONValue.Member("givenUp", .number(Double(floor)))] : []
        return [.init("changes", .number(Double(changeCount))), .init("digest", .string(Hex.encode(digest)))]
            + givenUp + (keyCheck.map { [JSONValue.Member("keyCheck", .string(Hex.encode($0)))] } ?? [])
    }

    /// Reads ``members``; nil for anything else.
    init?(_ value: JSONValue, of vaultID: VaultID) {
        guard let count = value["changes"]?.number.flatMap(Int.init(exactly:)),
            let digest = value["digest"]?.string.flatMap({ try? Hex.decode($0) })
        else { return nil }
        let check = value["keyCheck"].map { $0.string.flatMap { try? Hex.decode($0) } }
        guard check != .some(nil) else { return nil }
        self.init(of: vaultID, changeCount: count, digest: digest, keyCheck: check ?? nil)
        guard let givenUp = value["givenUp"] else { return }
        guard let floor = givenUp.number.flatMap(Int.init(exactly:)),
            (count...Int(Directory.maximumChangeCount)).contains(floor)
        else { return nil }
        self.floor = floor
    }
}
