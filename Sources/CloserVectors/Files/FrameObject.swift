internal import CloserWire

/// An object in the frame of a file. An unknown member is refused.
struct FrameObject {
    let members: [JSONValue.Member]
    let place: VectorFileError.Place

    init(_ members: [JSONValue.Member], at place: VectorFileError.Place) {
        (self.members, self.place) = (members, place)
    }

    /// Throws `.wrong` for any value but an object.
    init(_ value: JSONValue?, _ name: String, at place: VectorFileError.Place) throws(VectorFileError) {
        guard let members = value?.members else { throw .wrong(name, place) }
        self.init(members, at: place)
    }

    subscript(name: String) -> JSONValue? { members[name] }

    func text(_ name: String) throws(VectorFileError) -> String {
        guard let text = try value(name).string else { throw .wrong(name, place) }
        return text
    }

    /// A whole number, not negative.
    func count(_ name: String) throws(VectorFileError) -> Int {
        guard let number = try value(name).number, let count = Int(exactly: number), count >= 0 else {
            throw .wrong(name, place)
        }
        return count
    }

    /// An array with elements, which are read one after the other.
    func list(_ name: String) throws(VectorFileError) -> AnySequence<JSONValue> {
        guard let list = try value(name).elements, list.contains(where: { _ in true }) else {
            throw .wrong(name, place)
        }
        return list
    }

    func texts(_ name: String) throws(VectorFileError) -> [String] {
        guard let texts = try value(name).elements?.lazy.map(\.string), !texts.contains(nil) else {
            throw .wrong(name, place)
        }
        return Array(texts.compactMap(\.self))
    }

    /// Throws if a member is not in `known`, or if one of `known` is missing that must be there.
    func check(_ known: [MemberName]) throws(VectorFileError) {
        if let stranger = members.first(where: { member in !known.contains { $0.name == member.name } }) {
            throw .unknown(stranger.name, place)
        }
        for member in known where !member.isOptional { _ = try value(member.name) }
    }

    /// Those of its members that have one of these names.
    func picking(_ names: [MemberName]) -> [JSONValue.Member] {
        members.filter { member in names.contains { $0.name == member.name } }
    }

    /// Those of its members that have one of these names; throws if one of them is not a text.
    func texts(of names: [MemberName]) throws(VectorFileError) -> [JSONValue.Member] {
        let members = picking(names)
        if let other = members.first(where: { $0.value.string == nil }) { throw .wrong(other.name, place) }
        return members
    }

    private func value(_ name: String) throws(VectorFileError) -> JSONValue {
        guard let value = self[name] else { throw .missing(name, place) }
        return value
    }
}
