/// A number of JSON: read strictly (RFC 8259 §6), written as ECMAScript does (RFC 8785 §3.2.2.3).
struct JSONNumber {
    let value: Double
    /// The index after it.
    let end: Int

    /// The largest integer that a double holds with all its neighbours, 2^53 − 1 (RFC 7493 §2.2).
    static let largestInteger = 9_007_199_254_740_991.0

    /// From here on ECMAScript writes an exponent; a smaller integer is written with all its digits.
    private static let firstWithExponent = 1e21

    /// Reads the number at `start`.
    ///
    /// Integer literals beyond ±(2^53 − 1) and infinities are refused, because another reader might see another value.
    /// So are `1e20` and its like, whose canonical text would be such a literal.
    init(in bytes: Span<UInt8>, at start: Int) throws(JSONScanner.SyntaxError) {
        let (end, isInteger) = try Self.end(in: bytes, at: start)
        if let value = Self.short(bytes.extracting(start..<end)) {
            (self.value, self.end) = (value, end)
            return
        }
        let text = String(decoding: Array(copying: bytes.extracting(start..<end)), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw .numberOutOfRange(at: start) }
        let limit = isInteger ? Double.infinity : Self.firstWithExponent
        guard abs(value) <= Self.largestInteger || abs(value) >= limit else {
            throw .numberOutOfRange(at: start)
        }
        (self.value, self.end) = (value, end)
    }

    /// The value of at most 15 characters without an exponent; nil for any other number.
    ///
    /// The digits without the point are an integer that a double holds exactly, and so is the power of ten. Their quotient
    /// is then the double that is nearest (IEEE 754 §4.3.1), which is what the text means.
    private static func short(_ text: Span<UInt8>) -> Double? {
        guard text.count <= 15 else { return nil }
        var (digits, power, isFraction): (Int64, Double, Bool) = (0, 1, false)
        for index in text.indices {
            switch text[index] {
            case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
                digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
                if isFraction { power *= 10 }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): continue
            default: return nil
            }
        }
        let value = Double(digits) / power
        return text[0] == UInt8(ascii: "-") ? -value : value
    }

    /// The index after the number at `start`.
    static func end(
        in bytes: Span<UInt8>, at start: Int
    ) throws(JSONScanner.SyntaxError) -> (end: Int, isInteger: Bool) {
        var index = start
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        let whole = try Self.digits(in: bytes, at: index)
        guard whole.count == 1 || bytes[whole.lowerBound] != UInt8(ascii: "0") else {
            throw .unexpectedByte(at: whole.lowerBound + 1)
        }
        index = whole.upperBound
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index = try Self.digits(in: bytes, at: index + 1).upperBound
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index = try Self.exponent(in: bytes, at: index + 1)
        }
        return (index, index == whole.upperBound)
    }

    private static func exponent(in bytes: Span<UInt8>, at start: Int) throws(JSONScanner.SyntaxError) -> Int
    {
        let hasSign = start < bytes.count && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[start])
        return try digits(in: bytes, at: hasSign ? start + 1 : start).upperBound
    }

    private static func digits(
        in bytes: Span<UInt8>, at start: Int
    ) throws(JSONScanner.SyntaxError) -> Range<Int> {
        var index = start
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
            index += 1
        }
        guard index > start else {
            throw start < bytes.count ? .unexpectedByte(at: start) : .unexpectedEnd
        }
        return start..<index
    }

    // MARK: - Writing

    /// The text of `value` by ECMA-262 §6.1.6.1.20 (Number::toString), for finite values.
    static func text(_ value: Double) -> String {
        precondition(value.isFinite, "JSON has no text for \(value)")
        // Most numbers are integers that a double holds exactly, zero with either sign among them.
        if let integer = Int64(exactly: value), value.magnitude <= largestInteger { return String(integer) }
        // Swift writes these as ECMAScript does.
        if (0.001..<1e15).contains(value.magnitude) { return value.description }
        let sign = value < 0 ? "-" : ""
        let (digits, point) = decimal(value.magnitude)
        let count = digits.count
        switch point {
        case count...21: return sign + digits + String(repeating: "0", count: point - count)
        case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default:
            let fraction = count == 1 ? "" : "." + digits.dropFirst()
            return sign + digits.prefix(1) + fraction + (point > 0 ? "e+" : "e-") + String(abs(point - 1))
        }
    }

    /// The shortest digits that read back as `value` = 0.digits × 10^point.
    ///
    /// Swift's `description` finds them, as ECMAScript demands; only its layout differs.
    private static func decimal(_ value: Double) -> (digits: String, point: Int) {
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        let all = mantissa.joined()
        let significant = all.drop { $0 == "0" }
        let leadingZeros = all.count - significant.count
        let trailingZeros = significant.reversed().prefix { $0 == "0" }.count
        return (String(significant.dropLast(trailingZeros)), mantissa[0].count - leadingZeros + exponent)
    }
}
