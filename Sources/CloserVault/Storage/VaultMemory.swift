internal import CloserWire

/// What one machine remembers of a vault, beside the vault's own file: where it was, where its key file is, and the last state
/// in which it was seen.
///
/// The vault's file names no key file, since whoever can write it could name another; and that somebody put back an older
/// file shows only where the newer one was seen. An app that is no program with a home folder keeps these values where it
/// keeps its own, a keychain for example.
public struct VaultMemory: Equatable, Sendable {
    /// More than anybody has. Then one is forgotten, but never one of the first half: nobody can push those out.
    public static let maximumPlaceCount = 64

    /// The vault that is remembered.
    public let id: VaultID
    /// The absolute paths, free of links, at which the vault was seen, each once, the first one first; none once another vault is known
    /// at each.
    public private(set) var places: [String]
    /// The absolute paths that led to one of these by a link in them, the first one first. One may have led to several, or be a place,
    /// too: where somebody's home is a link on one system and a folder on another.
    public private(set) var links: [Link]
    /// Absolute, or it is not written; nil for a vault with a passphrase.
    public var keyFilePath: String?
    /// The state in which it was seen last; nil if that is not known.
    public var version: VaultVersion?

    /// What a change says of the key file.
    package enum KeyFile: Sendable {
        case unchanged
        /// Another one, or a passphrase.
        case changed(to: String?)
    }

    mutating func takes(_ keyFile: KeyFile) {
        if case .changed(let path) = keyFile { keyFilePath = path }
    }

    /// A path with a link in it, and the place to which it led.
    public struct Link: Equatable, Sendable {
        /// The path with a link in it, absolute.
        public let name: String
        /// The path to which it led, free of links.
        public let target: String
    }

    /// Takes the paths that mean the vault, as ``LockedVault/places`` has them: the last one is free of links, and the others led to
    /// it. Without any, no place is known.
    public init(
        of id: VaultID, at paths: [String], keyFile keyFilePath: String?, seen version: VaultVersion? = nil
    ) {
        (self.id, self.keyFilePath, self.version) = (id, keyFilePath, version)
        (places, links) = ([], [])
        guard let place = paths.last else { return }
        add(place)
        for name in paths.dropLast() { add(Link(name: name, target: place)) }
    }

    /// Reads ``bytes``; nil for anything else.
    public init?(of id: VaultID, parsing bytes: some Collection<UInt8>) {
        guard let value = try? JSONValue(parsing: Array(bytes)), value.members != nil else { return nil }
        guard let places = Self.paths(value["places"]), let links = Self.links(value["links"]) else {
            return nil
        }
        let key = value["keyFile"].map(\.string)
        guard key.map({ $0?.isAbsolute == true }) ?? true else { return nil }
        let version = VaultVersion(value, of: id)
        guard version != nil || value["changes"] == nil && value["digest"] == nil else { return nil }
        self.init(of: id, at: [], keyFile: key ?? nil, seen: version)
        for place in places { add(place) }
        for link in links { add(link) }
    }

    /// A JSON object, UTF-8: `places`, and those that are known of `links`, `changes`, `digest`, `givenUp`, `keyCheck` and `keyFile`.
    public var bytes: [UInt8] {
        var members = version?.members ?? []
        if let keyFilePath, keyFilePath.isAbsolute { members.append(.init("keyFile", .string(keyFilePath))) }
        if !links.isEmpty {
            let pairs = links.map { JSONValue.array([.string($0.name), .string($0.target)]) }
            members.append(.init("links", .array(pairs)))
        }
        return JSONValue.object(members + [.init("places", .array(places.map { .string($0) }))])
            .canonicalBytes
    }

    private static func paths(_ value: JSONValue?) -> [String]? {
        guard let texts = value?.array?.map(\.string) else { return nil }
        guard texts.allSatisfy({ $0?.isAbsolute == true }) else { return nil }
        return texts.compactMap { $0 }
    }

    private static func links(_ value: JSONValue?) -> [Link]? {
        guard let value else { return [] }
        guard let pairs = value.array?.map(paths), pairs.allSatisfy({ $0?.count == 2 }) else { return nil }
        return pairs.compactMap { $0.map { Link(name: $0[0], target: $0[1]) } }
    }
}

// MARK: - Places

// Paths are compared as bytes, as the system does.

extension VaultMemory {
    /// Whether the vault was seen at this path, or a link there led to it.
    public func isKnown(at path: String) -> Bool {
        places.contains { $0.isSpelled(path) } || links.contains { $0.name.isSpelled(path) }
    }

    /// Whether one of the paths that mean a vault now meant another file when the vault was seen there: it has become a link, leads
    /// elsewhere, or is no link any more. A change would be written into that other file.
    public func leadsElsewhere(_ paths: [String]) -> Bool {
        guard let place = paths.last else { return false }
        return paths.contains { isKnown(at: $0) && !meant($0, place) }
    }

    private func meant(_ name: String, _ place: String) -> Bool {
        name.isSpelled(place)
            ? places.contains { $0.isSpelled(name) }
            : links.contains { $0.name.isSpelled(name) && $0.target.isSpelled(place) }
    }

    /// From now on nothing is known of this path.
    public mutating func remove(_ path: String) {
        places.removeAll { $0.isSpelled(path) }
        links.removeAll { $0.name.isSpelled(path) }
    }

    private mutating func add(_ place: String) {
        guard !places.contains(where: { $0.isSpelled(place) }) else { return }
        places = Self.room(in: places) + [place]
    }

    private mutating func add(_ link: Link) {
        guard !meant(link.name, link.target) else { return }
        links = Self.room(in: links) + [link]
    }

    private static func room<Element>(in all: [Element]) -> [Element] {
        let half = maximumPlaceCount / 2
        return all.count < maximumPlaceCount ? all : all.prefix(half) + all.suffix(half - 1)
    }

    /// The same with all places of both, and the newer state. Of two that cannot follow each other the one that was known stays,
    /// so that the next who looks is told.
    func merging(_ known: VaultMemory) -> VaultMemory {
        var merged = known
        for place in places { merged.add(place) }
        for link in links { merged.add(link) }
        merged.version = version?.newer(of: known.version) ?? known.version
        // Whoever saw an older state says nothing of the lock that the vault has now.
        if version == nil || version?.digest == merged.version?.digest { merged.keyFilePath = keyFilePath }
        return merged
    }
}

extension String {
    fileprivate var isAbsolute: Bool { utf8.first == UInt8(ascii: "/") }
}
