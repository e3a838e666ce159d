internal import CloserPrimitives
package import CloserWire

/// The members of a case, as an operation asks for them.
package struct VectorInput: Sendable {
    let members: [JSONValue.Member]

    /// As the line protocol sends it.
    package var value: JSONValue { .object(members) }

    /// The file is at fault: it has no such member, or not of this type.
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

    func ascii(_ name: String) throws(MemberFault) -> [UInt8] { Array(try text(name).utf8) }

    /// The bytes of a member in hexadecimal, in lower case, as whoever compares texts wants it.
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

    /// The same in locked memory, where the library wants it. What is in a vector is published.
    func secretHex(_ name: String) throws(MemberFault) -> SecretBytes {
        let bytes = try hex(name)
        return SecretBytes(copying: bytes.span)
    }

    func secretText(_ name: String) throws(MemberFault) -> SecretBytes {
        let bytes = try ascii(name)
        return SecretBytes(copying: bytes.span)
    }
}
