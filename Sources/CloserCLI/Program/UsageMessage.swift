/// What ArgumentParser says, in our own words: lower case, no full stop, and never a value that was typed.
///
/// A value may be a phrase or a key in the wrong place, and messages end up in logs. Therefore only names that we
/// declare ourselves, such as options, are taken from the parser's text.
struct UsageMessage {
    let message: String
    let hint: String?
    /// Whether the option is right and its value is wrong.
    let isAboutValue: Bool

    init(_ text: String) {
        let option = Self.quoted(in: text, after: "is invalid for '")
        isAboutValue = option != nil
        hint =
            Self.values(in: text).map { "it is one of: \($0.joined(separator: ", "))" }
            ?? (text.contains("generate completion scripts for") ? "closer-keys completions bash" : nil)
            ?? option.map { "it takes \(Self.takes($0))" }
        if let declared = Self.declarations.first(where: text.hasPrefix) {
            message = declared.lowercased() + text.dropFirst(declared.count).prefix { $0 != "\n" }
        } else if let option {
            message = "the value for '\(option)' is invalid"
        } else {
            message =
                text.hasPrefix("Can't generate completion scripts for ")
                ? "completion scripts are for bash, zsh and fish" : "wrong arguments"
        }
    }

    /// What an option takes that has no list of values.
    private static func takes(_ option: String) -> String {
        option.hasPrefix("--for ") ? UnlockTime.words : "a number, in digits"
    }

    /// Beginnings of sentences that continue with our own names.
    private static let declarations = [
        "Give the public key ", "The option --jobs ", "The option --max-errors ",
    ]

    /// The values that an option takes. The parser lists them behind the option's name: in quotation marks, or many a line each.
    private static func values(in text: String) -> [String]? {
        guard let end = rest(of: text, after: "is invalid for '"),
            let list = rest(of: String(decoding: end, as: UTF8.self), after: "Please provide one of ")
        else { return nil }
        let lines = String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst()
        guard lines.isEmpty || !lines.allSatisfy({ $0.hasPrefix("  - ") }) else {
            return lines.map { String($0.dropFirst("  - ".count)) }
        }
        let parts = list.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(decoding: parts[$0], as: UTF8.self) }
    }

    /// The name in quotation marks after the last occurrence of `words`, if it looks like an option or a placeholder.
    private static func quoted(in text: String, after words: String) -> String? {
        guard let name = rest(of: text, after: words)?.prefix(while: { $0 != UInt8(ascii: "'") }),
            name.starts(with: "-".utf8), name.allSatisfy(isOfAName)
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// What stands behind the last occurrence of `words`: a value that was typed comes before it.
    private static func rest(of text: String, after words: String) -> ArraySlice<UInt8>? {
        let bytes = Array(text.utf8)
        let start = bytes.indices.last { bytes[$0...].starts(with: words.utf8) }
        return start.map { bytes[($0 + words.utf8.count)...] }
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "- <>|".utf8.contains(byte)
        }
    }
}
