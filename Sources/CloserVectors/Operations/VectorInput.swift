internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
package import CloserWire

/// The members of a case, as an operation asks for them.
package struct VectorInput: Sendable {
    package let members: [JSONValue.Member]

    package init(members: [JSONValue.Member]) { self.members = members }

    /// The case, as the line protocol sends it.
    package var value: JSONValue { .object(members) }

    /// The member is missing, or of another type: the file is at fault.
    struct MemberFault: Error, Equatable {
        let name: String
    }

    func optionalText(_ name: String) throws(MemberFault) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw MemberFault(name: name) }
        return text
    }

    func text(_ name: String) throws(MemberFault) -> String {
        guard let text = try optionalText(name) else { throw MemberFault(name: name) }
        return text
    }

    func utf8(_ name: String) throws(MemberFault) -> [UInt8] { Array(try text(name).utf8) }

    /// The bytes of a member in hexadecimal. Only lower case is accepted, because outputs are compared as texts.
    func hex(_ name: String) throws(MemberFault) -> [UInt8] {
        let text = try text(name)
        guard let bytes = try? Hex.decode(text), Hex.encode(bytes) == text else {
            throw MemberFault(name: name)
        }
        return bytes
    }

    func count(_ name: String) throws(MemberFault) -> Int {
        guard let count = members[name]?.number.flatMap({ Int(exactly: $0) }) else {
            throw MemberFault(name: name)
        }
        return count
    }

    /// The bytes in locked memory, where the library wants them. In a vector they are public.
    func secretHex(_ name: String) throws(MemberFault) -> SecretBytes {
        let bytes = try hex(name)
        return SecretBytes(copying: bytes.span)
    }

    func secretText(_ name: String) throws(MemberFault) -> SecretBytes {
        let bytes = try utf8(name)
        return SecretBytes(copying: bytes.span)
    }

    /// A binary keyset in hexadecimal, read leniently: other Tinks order its fields otherwise.
    func keyset(_ name: String) throws -> Keyset {
        let bytes = try secretHex(name)
        return try InsecureCleartextKeyset.read(binary: bytes)
    }

    func identifier<Noun>(_ name: String) throws -> Identifier.Of<Noun> {
        try Identifier.Of(parsing: try text(name))
    }
}

// How cases and outputs are put together.
extension JSONValue {
    /// An object with one member, in hexadecimal: what most operations give.
    static func hex(_ name: String, _ bytes: [UInt8]) -> JSONValue { text(name, Hex.encode(bytes)) }

    static func text(_ name: String, _ text: String) -> JSONValue { .object([Member(name, .string(text))]) }

    static func hexText(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Hex.encode(Array(bytes))) }

    /// A keyset in binary and in the clear, in hexadecimal, as a member's value.
    static func keyset(_ keyset: Keyset) -> JSONValue {
        .hexText(InsecureCleartextKeyset.binary(keyset).withBytes { Array(copying: $0) })
    }

    /// The object with this member added. It replaces a member of the same name.
    func adding(_ name: String, _ value: JSONValue) -> JSONValue { merging(.object([Member(name, value)])) }

    /// The object with the members of `other` added. They replace members of the same names.
    package func merging(_ other: JSONValue) -> JSONValue {
        let added = other.members ?? []
        let kept = (members ?? []).filter { member in !added.contains { $0.name == member.name } }
        return .object(kept + added)
    }
}
