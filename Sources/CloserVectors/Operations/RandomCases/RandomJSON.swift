internal import CloserWire

/// Random JSON, a few levels deep.
enum RandomJSON {
    private static func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4)) {
        case 0: .null
        case 1: .bool(.random())
        case 2: .string(RandomValue.text(0...20))
        case 3: .number(number())
        case 4: .array((0..<Int.random(in: 0...4)).map { _ in value(depth: depth - 1) })
        default: .object(members(depth: depth))
        }
    }

    /// Members of which no two have the same name. Names are compared by scalars, as JSON compares them.
    static func members(depth: Int) -> [JSONValue.Member] {
        let names = Set(
            (0..<Int.random(in: 0...6)).map { _ in Array(RandomValue.text(0...6).unicodeScalars) })
        return names.map { scalars in
            JSONValue.Member(String(String.UnicodeScalarView(scalars)), value(depth: depth - 1))
        }
    }

    /// Integers and doubles of every size, but none of the large integers that a reader may refuse (RFC 7493 §2.2).
    private static func number() -> Double {
        let largest = (Int64(1) << 53) - 1
        let double = Double(bitPattern: .random(in: 0 ... .max))
        let isLegal = double.isFinite && !(Double(largest)...1e21).contains(double.magnitude)
        switch Int.random(in: 0..<4) {
        case 0: return Double(Int.random(in: -20...20))
        case 1: return Double(Int64.random(in: -largest...largest))
        case 2: return Double(Int.random(in: -9999...9999)) / RandomValue.pick([10, 100, 1000, 1e7])
        default: return isLegal ? double : -0.0
        }
    }
}

/// JSON with all the liberties that the canonical form takes away.
enum LooseJSON {
    static func spelled(_ value: JSONValue) -> String {
        let text =
            switch value {
            case .string(let text): quoted(text)
            case .number(let number): respelled(number)
            case .array(let elements): "[" + elements.map(spelled).joined(separator: ",") + space() + "]"
            case .object(let members):
                "{"
                    + members.map { "\(space())\(quoted($0.name))\(space()):\(spelled($0.value))" }.joined(
                        separator: ",") + space() + "}"
            default: value.line
            }
        return space() + text + space()
    }

    private static func space() -> String {
        RandomValue.oneIn(3) ? RandomValue.pick([" ", "\n", "\t ", "\r\n"]) : ""
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { RandomValue.oneIn(8) ? escaped($0) : plain($0) }.joined() + "\""
    }

    /// With no escape but those that JSON demands, and now and then that of a slash.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        if scalar == "/" && RandomValue.oneIn(2) { return "\\/" }
        // Cut by scalars: a combining one makes one character together with the quotation mark.
        let quoted = JSONValue.string(String(scalar)).line.unicodeScalars
        return String(String.UnicodeScalarView(quoted.dropFirst().dropLast()))
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar).map { units in
            units.map { unit in
                let digits = String(unit, radix: 16, uppercase: RandomValue.oneIn(2))
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } ?? ""
    }

    /// A number, with one more zero behind the point or with an exponent.
    private static func respelled(_ number: Double) -> String {
        let text = number == 0 && number.sign == .minus ? "-0" : JSONValue.number(number).line
        if let place = text.firstIndex(of: "e") {
            let fraction = text[..<place].contains(".") ? "0" : ".0"
            return RandomValue.pick([text, text[..<place] + fraction + text[place...], text.uppercased()])
        }
        let zero = text.contains(".") ? "0" : ".0"
        return RandomValue.pick([text, text + zero, text + "e0", text + zero + "E+0", text + "e-0"])
    }
}
