/// The names that an object had so far. They are compared as bytes: `String ==` takes two encodings of an accent for the same.
struct SeenNames {
    /// To look through a few is faster than to hash them.
    private static let few = 16
    private var listed: [JSONScanner.Text] = []
    /// Where the first name of each hash begins. That is all that is kept of a name, since a document may have very many.
    private var starts: [Int: Int] = [:]
    /// Names whose hash another name had before them.
    private var collided: [JSONScanner.Text] = []

    /// Forgets all of them, and keeps the memory of a few.
    mutating func removeAll() {
        listed.removeAll(keepingCapacity: true)
        (starts, collided) = ([:], [])
    }

    /// False if the name was there before.
    mutating func insert(_ name: JSONScanner.Text, in bytes: Span<UInt8>) -> Bool {
        guard listed.count == Self.few else { return list(name, bytes) }
        if starts.isEmpty { for name in listed { _ = hash(name, bytes) } }
        return hash(name, bytes)
    }

    private mutating func hash(_ name: JSONScanner.Text, _ bytes: Span<UInt8>) -> Bool {
        let hash = name.hash(in: bytes)
        guard let start = starts[hash] else {
            starts[hash] = name.range.lowerBound
            return true
        }
        for other in [JSONScanner.Text(behind: start, in: bytes)] + collided
        where other.isSame(as: name, in: bytes) {
            return false
        }
        collided.append(name)
        return true
    }

    private mutating func list(_ name: JSONScanner.Text, _ bytes: Span<UInt8>) -> Bool {
        for other in listed where other.isSame(as: name, in: bytes) { return false }
        if listed.isEmpty { listed.reserveCapacity(Self.few) }
        listed.append(name)
        return true
    }
}

extension JSONScanner.Text {
    /// The text whose first character is at `start`, and that was read before.
    fileprivate init(behind start: Int, in bytes: Span<UInt8>) {
        var scanner = JSONScanner(position: start - 1)
        guard let text = try? scanner.string(in: bytes) else { preconditionFailure("it was read before") }
        self = text
    }

    /// A hash of its characters, which no sender can foresee.
    fileprivate func hash(in bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        if hasEscapes {
            for byte in characters(in: bytes) { hasher.combine(byte) }
        } else {
            for index in range { hasher.combine(bytes[index]) }
        }
        return hasher.finalize()
    }

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
