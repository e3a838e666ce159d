internal import CloserPrimitives
internal import CloserWire

/// The members of a document, read strictly and once.
///
/// A member's text stays where it is until it is asked for, so that a secret stays out of a `String`. A member that is null
/// counts as missing.
package struct DocumentReader {
    /// The values of known names. They are few, and to look through a few is faster than to hash them.
    private var members: [(name: String, value: Value, start: Int)] = []
    /// Where the value of each other member stands, and whether it has a text, at any depth.
    private var others: [(name: String, start: Int, hasText: Bool)] = []
    let path: DocumentPath?

    /// The value of a member.
    enum Value {
        case text(JSONScanner.Text)
        /// An id that stands in the document's path alone.
        case given(String)
        case number(Double)
        case bool(Bool)
        /// The first members of an object. What they hold of objects and arrays is left out.
        case map([JSONValue.Member])
        /// The first elements of an array, likewise.
        case list([JSONValue])
        case null
    }

    /// How many elements of a map or a list are read: one more than any rule allows. A time has four names.
    static let maximumElementCount = 5

    /// Reads a document, which may leave out the ids of its path. Values are read of what a `kind` has, and what tells kinds apart.
    package init(
        _ bytes: Span<UInt8>, at path: DocumentPath? = nil, of kind: DocumentKind? = nil
    ) throws(DocumentError) {
        try self.init(bytes, of: kind?.contract.readNames ?? [], at: path, given: path?.ids ?? [])
    }

    /// Reads a document that has the form of its kind, as a phone does. It may leave out the ids that are `given`.
    init(
        _ bytes: Span<UInt8>, as kind: DocumentKind, given ids: [DocumentPath.ID] = []
    ) throws(DocumentError) {
        try self.init(bytes, of: kind.contract.readNames, at: nil, given: ids)
        let broken = kind.contract.brokenForm(of: self, in: bytes)
        guard broken.isEmpty else { throw .broken(broken) }
    }

    /// Reads any object: the values of `names`, and of the `given` ids.
    init(
        _ bytes: Span<UInt8>, of names: Set<String>, at path: DocumentPath? = nil,
        given ids: [DocumentPath.ID] = []
    ) throws(DocumentError) {
        self.path = path
        var (scanner, members, others) = (JSONScanner(), members, others)
        do {
            try scanner.object(in: bytes) { (scanner, name) throws(JSONScanner.SyntaxError) in
                if names.has(name) || DocumentKind.markNames.has(name)
                    || ids.contains(where: { $0.name.hasSameBytes(as: name) })
                {
                    _ = try scanner.kind(in: bytes)
                    let start = scanner.position
                    return members.append((name, try Self.value(&scanner, in: bytes), start))
                }
                var hasText = false
                let range = try scanner.skip(in: bytes, strictly: true) { _ in hasText = true }
                others.append((name, range.lowerBound, hasText))
            }
            try scanner.finish(in: bytes)
        } catch { throw .notAnObject(JSONFault(error, in: bytes)) }
        (self.members, self.others) = (members, others)
        for id in ids where !has(id.name) {
            self.members.removeAll { $0.name == id.name }
            self.members.append((id.name, .given(id.text), 0))
        }
    }

    /// This document with the values of all members that a kind has.
    func read(as kind: DocumentKind, in bytes: Span<UInt8>) -> DocumentReader {
        var document = self
        for (name, start, _) in others where kind.contract.readNames.has(name) {
            var scanner = JSONScanner(position: start)
            if let value = try? Self.value(&scanner, in: bytes) {
                document.members.append((name, value, start))
            }
        }
        return document
    }

    private static func value(
        _ scanner: inout JSONScanner, in bytes: Span<UInt8>
    ) throws(JSONScanner.SyntaxError) -> Value {
        switch try scanner.kind(in: bytes) {
        case .string: return .text(try scanner.string(in: bytes, strictly: true))
        case .number: return .number(try scanner.number(in: bytes))
        case .literal:
            guard case .bool(let value) = try scanner.literal(in: bytes) else { return .null }
            return .bool(value)
        case .object:
            var members: [JSONValue.Member] = []
            try scanner.object(in: bytes) { (scanner, name) throws(JSONScanner.SyntaxError) in
                guard let value = try element(&scanner, in: bytes, at: members.count) else { return }
                members.append(JSONValue.Member(name, value))
            }
            return .map(members)
        case .array:
            var elements: [JSONValue] = []
            try scanner.array(in: bytes) { (scanner) throws(JSONScanner.SyntaxError) in
                if let value = try element(&scanner, in: bytes, at: elements.count) { elements.append(value) }
            }
            return .list(elements)
        }
    }

    /// What a map or a list has at an index; nil if that is not read.
    private static func element(
        _ scanner: inout JSONScanner, in bytes: Span<UInt8>, at index: Int
    ) throws(JSONScanner.SyntaxError) -> JSONValue? {
        let kind = try scanner.kind(in: bytes)
        switch kind {
        case .string where index < maximumElementCount:
            let text = try scanner.string(in: bytes, strictly: true)
            return .string(try scanner.text(text, in: bytes))
        case .number where index < maximumElementCount: return .number(try scanner.number(in: bytes))
        case .literal where index < maximumElementCount: return try scanner.literal(in: bytes)
        case .string, .number, .literal, .object, .array:
            _ = try scanner.skip(in: bytes, strictly: true)
            return index < maximumElementCount ? (kind == .object ? .object([]) : .array([])) : nil
        }
    }

    // MARK: - What a document has

    /// The member's value; nil if it is missing or null.
    func value(_ name: String) -> Value? {
        guard let value = members.first(where: { $0.name == name })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    /// What the document looks like by the names of its members, and those in its path: see ``DocumentKind``.
    package func kind(wanted: DocumentKind? = nil) -> DocumentKind? {
        DocumentKind(wanted: wanted) { name in members.contains { $0.name == name } }
    }

    func string(_ name: String, in bytes: Span<UInt8>) -> String? { value(name)?.string(in: bytes) }

    /// The encryption version of a couple. A missing one is 2 beside a wrap, else 0.
    var coupleVersion: EncryptionVersion {
        guard case .number(let version)? = value("encryptionVersion") else {
            return has("wrappedCoupleKey") ? .strict : .plaintext
        }
        return Int(exactly: version).flatMap(EncryptionVersion.init) ?? .plaintext
    }

    /// Hands out each text of the members with other names than these, at any depth: the member's name, the text, and whether it is
    /// the member's own value.
    func texts(besides names: Set<String>, in bytes: Span<UInt8>, _ body: (String, String, Bool) -> Void) {
        func handOut(_ name: String, at start: Int) {
            var scanner = JSONScanner(position: start)
            let isOwn = bytes[start] == UInt8(ascii: "\"")
            _ = try? scanner.skip(in: bytes) { text in
                if let text = try? JSONScanner().text(text, in: bytes) { body(name, text, isOwn) }
            }
        }
        for member in members where !names.has(member.name) {
            if case .given = member.value { continue }
            handOut(member.name, at: member.start)
        }
        for (name, start, hasText) in others where hasText && !names.has(name) { handOut(name, at: start) }
    }

    /// Whether it is an invite that was accepted, whose phrase a server wipes.
    func isAccepted(in bytes: Span<UInt8>) -> Bool {
        string("status", in: bytes)?.hasSameBytes(as: "accepted") ?? false
    }

    // MARK: - What satisfied its rules

    /// What `parse` makes of the text of a member.
    func parsed<Value>(_ name: String, in bytes: Span<UInt8>, _ parse: (String) throws -> Value?) -> Value {
        guard let text = string(name, in: bytes), let value = try? parse(text) else {
            preconditionFailure("\(name) satisfied another rule")
        }
        return value
    }

    func identifier<Noun>(_ name: String, in bytes: Span<UInt8>) -> Identifier.Of<Noun> {
        parsed(name, in: bytes) { try Identifier.Of(parsing: $0) }
    }

    func integer(_ name: String) -> Int64 {
        guard case .number(let number)? = value(name), let integer = Int64(exactly: number) else {
            preconditionFailure("\(name) satisfied another rule")
        }
        return integer
    }

    /// The truth value in a member; nil if it is missing.
    func bool(_ name: String) -> Bool? {
        if case .bool(let bool)? = value(name) { bool } else { nil }
    }

    /// The text of a member that is a secret, in locked memory; nil if it is missing.
    func secret(_ name: String, in bytes: Span<UInt8>) -> SecretBytes? {
        switch value(name) {
        case .text(let text): SecretBytes(text, in: bytes)
        case .given(let text): SecretBytes(copying: Array(text.utf8).span)
        case .number, .bool, .map, .list, .null, nil: nil
        }
    }

    func parties(in bytes: Span<UInt8>) -> Parties {
        Parties(
            sender: identifier("senderId", in: bytes), recipient: identifier("recipientId", in: bytes))
    }
}

extension DocumentReader.Value {
    func string(in bytes: Span<UInt8>) -> String? {
        switch self {
        case .text(let text): try? JSONScanner().text(text, in: bytes)
        case .given(let text): text
        case .number, .bool, .map, .list, .null: nil
        }
    }
}

extension Set<String> {
    /// Whether it has exactly this name. Ours are ASCII, and what `String ==` takes for one of them has more bytes.
    func has(_ name: String) -> Bool {
        guard let index = firstIndex(of: name) else { return false }
        return self[index].utf8.count == name.utf8.count
    }
}

extension SecretBytes {
    /// The characters of a text, in locked memory.
    init(_ text: JSONScanner.Text, in bytes: Span<UInt8>) {
        self.init(capacity: max(1, text.range.count)) { JSONScanner().copy(text, in: bytes, into: &$0) }
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
