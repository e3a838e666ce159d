internal import CloserWire

/// Any JSON of a few levels.
enum DrawnJSON {
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

    /// No name twice: compared as scalars, which is how JSON compares them.
    static func members(depth: Int) -> [JSONValue.Member] {
        let names = Set((0..<Int.random(in: 0...6)).map { _ in Array(Draw.text(0...6).unicodeScalars) })
        return names.map { scalars in
            JSONValue.Member(String(String.UnicodeScalarView(scalars)), value(depth: depth - 1))
        }
    }

    /// Small and large integers, and any exponent; but no integer that a reader may refuse (RFC 7493 §2.2).
    private static func number() -> Double {
        let largest = (1 << 53) - 1
        let double = Double(bitPattern: .random(in: 0 ... .max))
        let isLegal = double.isFinite && !(Double(largest)...1e21).contains(double.magnitude)
        switch Int.random(in: 0..<4) {
        case 0: return Double(Int.random(in: -20...20))
        case 1: return Double(Int.random(in: -largest...largest))
        case 2: return Double(Int.random(in: -9999...9999)) / Draw.pick([10, 100, 1000, 1e7])
        default: return isLegal ? double : -0.0
        }
    }
}
