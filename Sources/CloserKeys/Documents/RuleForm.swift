/// What a rule demands of a value, as far as a schema can say it. The rest is named in ``code``.
///
/// A value that satisfies the rule has the form. Where `code` is empty, a value of the form satisfies the rule.
package struct RuleForm: Equatable, Sendable {
    /// A regular expression of the whole text, as RE2 reads it: no lookahead, and no repetition above 1,000.
    package var pattern: String?
    /// The count of characters.
    package var length: ClosedRange<Int>?
    /// How many bytes the base64 of a text has, behind its prefix.
    package var bytes: [ClosedRange<Int>] = []
    package var numbers: ClosedRange<Int64>?
    /// The texts that it may be; any if there are none.
    package var texts: [String] = []
    /// What it must not be.
    package var refused: [JSONConstant] = []
    /// What each element of a list, or each value of a map, must be. The names of a map are ids.
    package var elements: ElementForm?
    package var count: ClosedRange<Int>?
    /// What only code can check.
    package var code: [CodeCheck] = []
}

/// A text or a number that a member must not be.
package enum JSONConstant: Equatable, Sendable {
    case text(String)
    case number(Int64)
}

package indirect enum ElementForm: Equatable, Sendable {
    /// `true` for each name of a map.
    case isTrue
    /// Values of a map that satisfy a rule.
    case values(DocumentRule)
    /// Elements of a list that satisfy a rule, no two of them equal.
    case unique(DocumentRule)
}

/// What a schema cannot say.
package enum CodeCheck: String, CaseIterable, Sendable {
    /// How many bytes the base64 has.
    case byteCount
    /// The length in UTF-8.
    case utf8
    /// JSON within a text.
    case json
    /// The protobuf of a keyset with one public key, in its only accepted spelling.
    case protobuf
    /// A point of P-256.
    case p256
    /// An element of ristretto255 other than the identity.
    case ristretto255
    /// An X25519 key: below 2^255 - 19, and not of low order.
    case x25519
    /// Members are compared with one another.
    case members
    /// A document is compared with its path, with the one before, or with who writes it.
    case write
}

// MARK: - Texts

extension RuleForm {
    /// Standard base64 of so many bytes.
    static func standard(
        _ bytes: [ClosedRange<Int>], behind prefix: String = "", begins: String = "", byCode: [CodeCheck] = []
    ) -> RuleForm {
        let letter = "[A-Za-z0-9+/]"
        let group = begins.isEmpty ? "" : "\(begins)\(letter){2}"
        let end = "(?:\(letter)\(two)==|\(letter){2}\(one)=)?"
        return RuleForm(
            pattern: "^\(prefix)\(group)(?:\(letter){4})*\(end)$",
            length: length(of: bytes, behind: prefix) { ($0 + 2) / 3 * 4 }, bytes: bytes, code: byCode)
    }

    /// Unpadded base64url of so many bytes.
    static func url(
        _ bytes: [ClosedRange<Int>], behind prefix: String, byCode: [CodeCheck] = []
    ) -> RuleForm {
        let letter = "[A-Za-z0-9_-]"
        let end = "(?:\(letter)\(two)|\(letter){2}\(one))?"
        return RuleForm(
            pattern: "^\(prefix)(?:\(letter){4})*\(end)$",
            length: length(of: bytes, behind: prefix) { ($0 * 4 + 2) / 3 }, bytes: bytes, code: byCode)
    }

    private static func length(
        of bytes: [ClosedRange<Int>], behind prefix: String, _ letters: (Int) -> Int
    ) -> ClosedRange<Int> {
        let least = bytes.map(\.lowerBound).min() ?? 0
        let most = bytes.map(\.upperBound).max() ?? 0
        // Of two versions, `v[12]`, a text has one.
        let count = prefix.utf8.count - (prefix.contains("[") ? 3 : 0)
        return count + letters(least)...min(count + letters(most), maximumByteCount)
    }

    /// The greatest whole number that a double holds with all before it.
    static let maximumInteger: Int64 = 9_007_199_254_740_991
    /// What a document has at most; a text in it is shorter.
    static let maximumByteCount = DocumentKind.maximumByteCount
    /// The last letter before one `=`, and before two, in base64 whose left over bits are zeros.
    private static let (one, two) = ("[AEIMQUYcgkosw048]", "[AQgw]")
    /// The short spelling, or an object, whose members only code reads.
    static let costs = #"^(?:argon2id\$v=19\$m=46080,t=3,p=1|[ \t\r\n]*\{[ -~\t\r\n]*\}[ \t\r\n]*)$"#
    /// Either alphabet, padded or not: 29 bytes or more.
    static let wrappedKey = "^(?:\(wrappedKey(of: "[A-Za-z0-9+/]"))|\(wrappedKey(of: "[A-Za-z0-9_-]")))$"

    private static func wrappedKey(of letter: String) -> String {
        "(?:\(letter){4}){9,}\(letter){2}\(one)=?|(?:\(letter){4}){10,}(?:\(letter)\(two)(?:==)?)?"
    }

    /// A day of the Gregorian calendar.
    static let day =
        "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
        + "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"

    /// Whether a text is a time of RFC 3339 §5.6: see ``DocumentRule/time``.
    static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let day = String(decoding: bytes.prefix(10), as: UTF8.self)
        guard bytes.count > 19, bytes[10] == UInt8(ascii: "T"), isClock(bytes[11..<19], [23, 59, 60]),
            DocumentRule.date.isSatisfied(by: day)
        else { return false }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix(while: isDigit).count
            guard (1...9).contains(digits) else { return false }
            zone = zone.dropFirst(1 + digits)
        }
        let isOffset = zone.first == UInt8(ascii: "+") || zone.first == UInt8(ascii: "-")
        return zone.elementsEqual("Z".utf8) || isOffset && isClock(zone.dropFirst(), [23, 59])
    }

    /// Whether it has two digits for each limit, a colon between them, and no number above its limit.
    private static func isClock(_ text: ArraySlice<UInt8>, _ limits: [UInt8]) -> Bool {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Array.init)
        return parts.count == limits.count
            && zip(parts, limits).allSatisfy { part, limit in
                part.count == 2 && part.allSatisfy(isDigit) && (part[0] - 48) * 10 + part[1] - 48 <= limit
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
