/// The names that an object had so far. They are compared as bytes: `String ==` takes two encodings of an accent for the same.
struct SeenNames {
    /// To look through a few is faster than to hash them.
    private static let few = 16
    private var listed: [String] = []
    private var hashed: Set<[UInt8]> = []

    /// False if the name was there before.
    mutating func insert(_ name: String) -> Bool {
        guard listed.count == Self.few else { return list(name) }
        if hashed.isEmpty { hashed = Set(listed.map { Array($0.utf8) }) }
        return hashed.insert(Array(name.utf8)).inserted
    }

    private mutating func list(_ name: String) -> Bool {
        guard !listed.contains(where: { $0.hasSameBytes(as: name) }) else { return false }
        if listed.isEmpty { listed.reserveCapacity(Self.few) }
        listed.append(name)
        return true
    }
}
