internal import CloserWire

/// What one machine remembers of a vault, beside the vault's own file: where it was, where its key file is, and the last state
/// in which it was seen.
///
/// The vault's file names no key file, since whoever can write it could name another; and that somebody put back an older
/// file shows only where the newer one was seen. An app that is no program with a home folder keeps these values where it
/// keeps its own, a keychain for example.
public struct VaultMemory: Equatable, Sendable {
    /// More than anybody has; then the oldest is forgotten.
    public static let maximumPlaceCount = 64

    public let id: VaultID
    /// Absolute paths at which the vault was seen, each once, the latest last; none once another vault is known at each.
    public private(set) var places: [String]
    /// Absolute; nil for a vault with a passphrase.
    public var keyFilePath: String?
    /// The state in which it was seen last; nil if that is not known.
    public var version: VaultVersion?

    public init(
        of id: VaultID, at places: [String], keyFile keyFilePath: String?, seen version: VaultVersion? = nil
    ) {
        (self.id, self.places, self.keyFilePath, self.version) = (id, [], keyFilePath, version)
        for place in places { add(place) }
    }

    /// Reads ``bytes``; nil for anything else.
    public init?(of id: VaultID, parsing bytes: some Collection<UInt8>) {
        guard let value = try? JSONValue(parsing: Array(bytes)), value.members != nil else { return nil }
        let (places, key) = ((value["places"]?.array ?? []).map(\.string), value["keyFile"].map(\.string))
        guard (places + [key ?? "/"]).allSatisfy({ $0?.hasPrefix("/") == true }) else { return nil }
        let version = VaultVersion(value, of: id)
        guard version != nil || value["changes"] == nil && value["digest"] == nil else { return nil }
        guard value["places"].map({ $0.array != nil }) ?? false else { return nil }
        self.init(of: id, at: places.compactMap { $0 }, keyFile: key ?? nil, seen: version)
    }

    /// A JSON object, UTF-8: `places`, and those that are known of `changes`, `digest`, `givenUp` and `keyFile`.
    public var bytes: [UInt8] {
        var members = version?.members ?? []
        if let keyFilePath { members.append(.init("keyFile", .string(keyFilePath))) }
        return JSONValue.object(members + [.init("places", .array(places.map { .string($0) }))])
            .canonicalBytes
    }

    /// Compared as bytes, as the system does.
    public func isKnown(at place: String) -> Bool { places.contains { $0.utf8.elementsEqual(place.utf8) } }

    /// The place is the latest from now on.
    public mutating func add(_ place: String) {
        remove(place)
        places = places.suffix(Self.maximumPlaceCount - 1) + [place]
    }

    public mutating func remove(_ place: String) {
        places.removeAll { $0.utf8.elementsEqual(place.utf8) }
    }

    /// The same with all places of both, and the newer state. Of two that cannot follow each other the one that was known stays,
    /// so that the next who looks is told.
    func merging(_ known: VaultMemory) -> VaultMemory {
        VaultMemory(
            of: id, at: known.places + places, keyFile: keyFilePath,
            seen: version?.newer(of: known.version) ?? known.version)
    }
}
