internal import CloserPrimitives
internal import CloserWire

/// Reads the members of a document, strictly, and collects every rule that one of them breaks.
///
/// It goes on after the first: an author of a server wants all of them. A member's text stays where it is until it
/// is asked for, so that a secret stays out of a `String`. Unknown members are ignored, as a newer app may have some
/// (closer-keys-formats(7), DOCUMENTS), and a member that is null counts as missing.
struct DocumentReader {
    /// The values of known names. They are few, and to look through a few is faster than to hash them.
    private struct Members {
        private var all: [(name: String, value: Value)] = []

        subscript(name: String) -> Value? {
            get { all.first { $0.name == name }?.value }
            set { if let newValue { all.append((name, newValue)) } }
        }
    }

    private enum Value {
        case text(JSONScanner.Text)
        /// An id that stands in the document's path alone.
        case given(String)
        case number(Double)
        case bool(Bool)
        case nested(Range<Int>)
    }

    /// The members of all documents. Others are passed over, so that they take no memory.
    private static let known = Set(
        DocumentKind.allCases.flatMap(\.contract.members).filter { $0.scope == .named }.map(\.name)
            + DocumentPath.names)

    private var members = Members()
    private let path: DocumentPath?
    private(set) var broken: [BrokenRule] = []

    init(_ bytes: Span<UInt8>) throws(DocumentError) { try self.init(bytes) { (_, _, _) in false } }

    /// Reads a document, which may leave out the ids of its path. `readsOther` may read the value of a member, and says whether it did.
    init(
        _ bytes: Span<UInt8>, at path: DocumentPath? = nil,
        reading readsOther: (inout JSONScanner, String, Span<UInt8>) throws(JSONScanner.SyntaxError) -> Bool
    ) throws(DocumentError) {
        var members = Members()
        var scanner = JSONScanner()
        do {
            try scanner.object(in: bytes) { (scanner, name) throws(JSONScanner.SyntaxError) in
                if try readsOther(&scanner, name, bytes) { return }
                guard Self.isKnown(name) else {
                    return _ = try scanner.skip(in: bytes, strictly: true)
                }
                members[name] = try Self.value(&scanner, in: bytes)
            }
            try scanner.finish(in: bytes)
        } catch { throw .notAnObject }
        for id in path?.ids ?? [] where members[id.name] == nil {
            members[id.name] = .given(id.text)
        }
        (self.members, self.path) = (members, path)
    }

    /// Whether it is one of the names, byte by byte. Ours are ASCII, and what `String ==` takes for one of them has more bytes.
    private static func isKnown(_ name: String) -> Bool {
        guard let index = known.firstIndex(of: name) else { return false }
        return known[index].utf8.count == name.utf8.count
    }

    private static func value(
        _ scanner: inout JSONScanner, in bytes: Span<UInt8>
    ) throws(JSONScanner.SyntaxError) -> Value? {
        switch try scanner.kind(in: bytes) {
        case .string: return .text(try scanner.string(in: bytes))
        case .number: return .number(try scanner.number(in: bytes))
        case .literal:
            guard case .bool(let value) = try scanner.literal(in: bytes) else { return nil }
            return .bool(value)
        case .object, .array:
            return .nested(try scanner.skip(in: bytes, strictly: true))
        }
    }

    /// What a member's value is: its JSON type, or nil if it is missing or null.
    func value(_ name: String, in bytes: Span<UInt8>) -> DocumentValue? {
        switch members[name] {
        case .text: .text
        case .given(let text): .given(text)
        case .number(let number): .number(number)
        case .bool: .bool
        case .nested(let range): .nested(JSONValue(nested: bytes, range))
        case nil: nil
        }
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Notes a broken rule.
    mutating func breaks(_ member: String, _ rule: DocumentRule) { broken.append(BrokenRule(member, rule)) }

    /// What `parse` makes of a member's text. If there is no text or `parse` gives nil, a broken rule is noted.
    mutating func text<Parsed>(
        _ name: String, _ rule: DocumentRule, in bytes: Span<UInt8>, _ parse: (String) -> Parsed?
    ) -> Parsed? {
        if case .given(let text)? = members[name] { return parse(text) }
        guard let place = place(name) else { return nil }
        guard let text = try? JSONScanner().text(place, in: bytes), let parsed = parse(text) else {
            breaks(name, rule)
            return nil
        }
        return parsed
    }

    /// Notes a broken rule for each id that the path has, and the document otherwise.
    mutating func checkPath(in bytes: Span<UInt8>) {
        for id in path?.ids ?? [] where !agrees(with: id, in: bytes) {
            let isTold = broken.contains { $0.member.hasSameBytes(as: id.name) }
            if !isTold { breaks(id.name, .samePath) }
        }
    }

    private func agrees(with id: DocumentPath.ID, in bytes: Span<UInt8>) -> Bool {
        switch members[id.name] {
        case .text(let place):
            (try? JSONScanner().text(place, in: bytes))?.hasSameBytes(as: id.text) ?? false
        case .given, nil: true
        case .number, .bool, .nested: false
        }
    }

    /// The id in a member.
    mutating func identifier<Noun>(
        _ name: String, in bytes: Span<UInt8>
    ) -> Identifier.Of<Noun>? {
        text(name, .identifier, in: bytes) { try? Identifier.Of(parsing: $0) }
    }

    /// The keybox in a member.
    mutating func keybox(_ name: String, in bytes: Span<UInt8>) -> KeyboxToken? {
        text(name, .keybox, in: bytes) { try? KeyboxToken(parsing: $0) }
    }

    /// The two people of what one partner gives the other: `senderId` and `recipientId`.
    mutating func parties(
        in bytes: Span<UInt8>, sender: UserID? = nil, recipient: UserID? = nil
    ) -> Parties? {
        let sender = has("senderId") ? identifier("senderId", in: bytes) : sender ?? missing("senderId")
        let recipient =
            has("recipientId") ? identifier("recipientId", in: bytes) : recipient ?? missing("recipientId")
        guard let sender, let recipient else { return nil }
        return Parties(sender: sender, recipient: recipient)
    }

    /// Notes that the member is not there.
    private mutating func missing<Value>(_ name: String) -> Value? {
        breaks(name, .present)
        return nil
    }

    /// Notes a broken rule if sender and recipient are one person.
    mutating func checkPeople(of parties: Parties?) {
        if let parties, parties.sender == parties.recipient { breaks("recipientId", .otherPerson) }
    }

    /// The text of a member that is a secret, in locked memory.
    mutating func secret(_ name: String, in bytes: Span<UInt8>) -> SecretBytes? {
        guard let place = place(name) else { return nil }
        return SecretBytes(capacity: max(1, place.range.count)) {
            JSONScanner().copy(place, in: bytes, into: &$0)
        }
    }

    /// The truth value in a member.
    mutating func bool(_ name: String) -> Bool? {
        guard let value = present(name) else { return nil }
        guard case .bool(let bool) = value else {
            breaks(name, .boolean)
            return nil
        }
        return bool
    }

    /// A number that must be one of `allowed`.
    mutating func number(_ name: String, _ rule: DocumentRule, oneOf allowed: ClosedRange<Int64>) -> Int64? {
        guard let value = present(name) else { return nil }
        guard case .number(let number) = value, let integer = Int64(exactly: number),
            allowed.contains(integer)
        else {
            breaks(name, rule)
            return nil
        }
        return integer
    }

    private mutating func place(_ name: String) -> JSONScanner.Text? {
        guard let value = present(name) else { return nil }
        guard case .text(let text) = value else {
            breaks(name, .string)
            return nil
        }
        return text
    }

    private mutating func present(_ name: String) -> Value? {
        guard let value = members[name] else {
            breaks(name, .present)
            return nil
        }
        return value
    }
}

/// A member's value, as a contract looks at it. The text stays in the document.
enum DocumentValue {
    case text
    /// A text that the document's path has instead of the document.
    case given(String)
    case number(Double)
    case bool
    case nested(JSONValue)
}

extension JSONValue {
    /// An object or an array that was passed over strictly.
    @inline(never)
    fileprivate init(nested bytes: Span<UInt8>, _ range: Range<Int>) {
        guard let value = try? JSONValue(parsing: Array(copying: bytes.extracting(range))) else {
            preconditionFailure("what was read once is JSON")
        }
        self = value
    }
}

/// Who gives and who takes: `senderId` and `recipientId` of a release and of a rekey.
struct Parties {
    let sender: UserID
    let recipient: UserID

    var members: [JSONValue.Member] {
        [.init("senderId", .string(sender.text)), .init("recipientId", .string(recipient.text))]
    }
}
