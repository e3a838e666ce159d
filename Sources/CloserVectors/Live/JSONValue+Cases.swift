internal import CloserWire

/// What cases are put together from.
extension JSONValue {
    /// Bytes as every case has them.
    static func hexText(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Hex.encode(Array(bytes))) }

    /// An object with one more member.
    func adding(_ name: String, _ value: JSONValue) -> JSONValue { merging(.object([Member(name, value)])) }

    /// An object with the members of another, in place of its own of the same names.
    func merging(_ other: JSONValue) -> JSONValue {
        let added = other.members ?? []
        let kept = (members ?? []).filter { member in !added.contains { $0.name == member.name } }
        return .object(kept + added)
    }
}
