/// The names that an object had so far. They are compared as bytes: `String ==` takes two encodings of an accent for the same.
struct SeenNames {
    /// To look through a few is faster than to hash them.
    private static let few = 16
    private var listed: [JSONScanner.Text] = []
    private var hashed: Set<Name> = []

    /// Forgets all of them, and keeps the memory of a few.
    mutating func removeAll() {
        listed.removeAll(keepingCapacity: true)
        hashed = []
    }

    /// False if the name was there before.
    mutating func insert(_ name: JSONScanner.Text, in bytes: Span<UInt8>) -> Bool {
        guard listed.count == Self.few else { return list(name, bytes) }
        if hashed.isEmpty { hashed = Set(listed.map { Name($0, bytes) }) }
        return hashed.insert(Name(name, bytes)).inserted
    }

    private mutating func list(_ name: JSONScanner.Text, _ bytes: Span<UInt8>) -> Bool {
        for other in listed where other.isSame(as: name, in: bytes) { return false }
        if listed.isEmpty { listed.reserveCapacity(Self.few) }
        listed.append(name)
        return true
    }

    /// A name of UTF-8. A short one is within the `String`, and takes no memory of its own.
    private struct Name: Hashable {
        let text: String

        init(_ name: JSONScanner.Text, _ bytes: Span<UInt8>) {
            text = String(decoding: name.characters(in: bytes), as: UTF8.self)
        }
        static func == (one: Self, other: Self) -> Bool { one.text.hasSameBytes(as: other.text) }
        func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
    }
}

extension JSONScanner.Text {
    /// Its characters, without its escapes.
    func characters(in bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: range.count) { JSONScanner().copy(self, in: bytes, into: &$0) }
    }

    /// Whether another text of the same bytes has the same characters.
    func isSame(as other: Self, in bytes: Span<UInt8>) -> Bool {
        guard !hasEscapes, !other.hasEscapes else {
            return characters(in: bytes) == other.characters(in: bytes)
        }
        return range.count == other.range.count
            && bytes.extracting(range).isSame(as: bytes.extracting(other.range))
    }
}
