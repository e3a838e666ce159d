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
    /// Whole numbers.
    package var numbers: ClosedRange<Int64>?
    /// The texts that it may be; any if there are none.
    package var texts: [String] = []
    /// What it must not be.
    package var refused: [JSONConstant] = []
    /// What each element of a list, or each value of a map, must be. The names of a map are ids.
    package var elements: ElementForm?
    /// The count of elements.
    package var count: ClosedRange<Int>?
    /// What only code can check.
    package var code: [CodeCheck] = []
}

/// A text or a number that a member must not be.
package enum JSONConstant: Equatable, Sendable {
    case text(String)
    case number(Int64)
}

/// What a list or a map holds.
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
        return prefix.utf8.count
            + letters(least)...min(prefix.utf8.count + letters(most), maximumByteCount)
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
}
