internal import CloserWire

/// Cases of JSON in canonical form: written with all the liberties that the form takes away.
enum LooseJSON {
    @Sendable static func canonical() throws -> LiveCase {
        let value = JSONValue.object(DrawnJSON.members(depth: 3))
        return LiveCase(
            comment: "any spelling", input: ["text": .hexText(spelled(value).utf8)],
            expectation: .output(.hex("canonical", value.canonicalBytes)))
    }

    private static func spelled(_ value: JSONValue) -> String {
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

    private static func space() -> String { Draw.oneIn(3) ? Draw.pick([" ", "\n", "\t ", "\r\n"]) : "" }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { Draw.oneIn(8) ? escaped($0) : plain($0) }.joined() + "\""
    }

    /// As it must be at the least.
    private static func plain(_ scalar: Unicode.Scalar) -> String {
        if scalar == "/" && Draw.oneIn(2) { return "\\/" }
        // By scalars: a combining one would be a character together with the quotation mark.
        let quoted = JSONValue.string(String(scalar)).line.unicodeScalars
        return String(String.UnicodeScalarView(quoted.dropFirst().dropLast()))
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar).map { units in
            units.map { unit in
                let digits = String(unit, radix: 16, uppercase: Draw.oneIn(2))
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } ?? ""
    }

    /// The same number with a zero behind the point, or an exponent.
    private static func respelled(_ number: Double) -> String {
        let text = number == 0 && number.sign == .minus ? "-0" : JSONValue.number(number).line
        if let place = text.firstIndex(of: "e") {
            let fraction = text[..<place].contains(".") ? "0" : ".0"
            return Draw.pick([text, text[..<place] + fraction + text[place...], text.uppercased()])
        }
        let zero = text.contains(".") ? "0" : ".0"
        return Draw.pick([text, text + zero, text + "e0", text + zero + "E+0", text + "e-0"])
    }
}
