internal import CloserPrimitives
package import CloserWire

/// Values on the way to an output, in hexadecimal. The first that differs shows where an implementation goes wrong.
package struct Trace: Sendable {
    /// Their names, in the order in which the values are computed.
    package static let names = ["sharedSecret", "derivedKey", "associatedData", "plaintext"]

    private var members: [JSONValue.Member]

    package init() { members = [] }

    /// Takes an object whose members are among ``names`` and are texts; nil for any other value.
    package init?(_ value: JSONValue) {
        guard let members = value.members,
            members.allSatisfy({ Self.names.contains($0.name) && $0.value.string != nil })
        else { return nil }
        self.members = members
    }

    mutating func add(_ name: String, _ bytes: [UInt8]) {
        members.append(.init(name, .string(Hex.encode(bytes))))
    }

    mutating func add(_ name: String, _ secret: borrowing SecretBytes) {
        add(name, secret.withBytes { Array(copying: $0) })
    }

    /// This trace, with those values of `other` that it lacks.
    func filled(with other: Trace) -> Trace {
        var filled = self
        filled.members += other.members.filter { self[$0.name] == nil }
        return filled
    }

    var isEmpty: Bool { members.isEmpty }

    subscript(name: String) -> String? { members[name]?.string }

    /// A value that both sides told and that differs.
    package struct Difference: Equatable, Sendable {
        package let name: String
        package let expected: String
        package let got: String
    }

    /// The first value that is in both traces and differs; nil if there is none.
    func firstDifference(in answer: Trace, expecting expectation: Expectation) -> Difference? {
        for name in Self.names {
            guard let expected = self[name] ?? expectation.plaintext(name), let got = answer[name] else {
                continue
            }
            if !expected.utf8.elementsEqual(got.utf8) {
                return Difference(name: name, expected: expected, got: got)
            }
        }
        return nil
    }
}

extension Expectation {
    /// The plaintext of the output counts as the last value on the way.
    fileprivate func plaintext(_ name: String) -> String? {
        guard case .output(let output) = self, name == "plaintext" else { return nil }
        return output[name]?.string
    }
}
