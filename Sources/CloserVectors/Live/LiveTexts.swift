internal import CloserWire

/// Cases of JSON in canonical form.
enum LiveTexts {
    /// Any JSON of a few levels, with numbers of every exponent.
    @Sendable static func canonical() throws -> LiveCase {
        let value = JSONValue.object(members(depth: 3))
        return LiveCase(
            comment: "", input: ["text": .hexText(value.bytes)],
            expectation: .output(.hex("canonical", value.canonicalBytes)))
    }

    private static func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4)) {
        case 0: .null
        case 1: .bool(.random())
        case 2: .string(Draw.text(0...20))
        case 3: .number(number())
        case 4: .array((0..<Int.random(in: 0...4)).map { _ in value(depth: depth - 1) })
        default: .object(members(depth: depth))
        }
    }

    private static func members(depth: Int) -> [JSONValue.Member] {
        let names = Set((0..<Int.random(in: 0...6)).map { _ in Array(Draw.text(0...6).unicodeScalars) })
        return names.map { scalars in
            let name = String(String.UnicodeScalarView(scalars))
            return JSONValue.Member(name, value(depth: depth - 1))
        }
    }

    /// Of any exponent, but for integers that no reader may take: RFC 7493 §2.2.
    private static func number() -> Double {
        let largest = (1 << 53) - 1
        let double = Double(bitPattern: .random(in: 0 ... .max))
        let isLegal = double.isFinite && !(Double(largest)...1e21).contains(double.magnitude)
        return isLegal && !Draw.oneIn(3) ? double : Double(Int.random(in: -largest...largest))
    }
}
