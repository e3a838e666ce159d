/// What the argument parser says, in our voice: lower case, no full stop, and never a value that was typed.
///
/// A value may be a phrase or a key in the wrong place, and messages end up in logs. So nothing is cut out of the
/// parser's text; only what it says of names that we declare is taken over.
struct UsageMessage {
    let message: String
    let hint: String?

    init(_ text: String) {
        hint = Self.quoted(in: text, after: "Did you mean '").map { "did you mean '\($0)'" }
        if text.hasPrefix("Unknown option '") {
            message =
                Self.quoted(in: text, after: "Unknown option '").map { "unknown option '\($0)'" }
                ?? "unknown option"
        } else if let declared = Self.declarations.first(where: text.hasPrefix) {
            message = declared.lowercased() + text.dropFirst(declared.count).prefix { $0 != "\n" }
        } else if let option = Self.quoted(in: text, after: "is invalid for '") {
            message = "the value for '\(option)' is invalid"
        } else {
            message = text.contains("argument") ? "unexpected argument" : "wrong arguments"
        }
    }

    /// Sentences that go on with names of our own alone.
    private static let declarations = [
        "Missing expected argument ", "Missing value for ", "Give the public key ",
    ]

    /// A name in quotation marks behind the last `words`, if it looks like an option or its placeholder.
    private static func quoted(in text: String, after words: String) -> String? {
        let bytes = Array(text.utf8)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: words.utf8) }
        guard let start = starts.last else { return nil }
        let name = bytes[(start + words.utf8.count)...].prefix { $0 != UInt8(ascii: "'") }
        guard name.starts(with: "-".utf8), name.allSatisfy(isOfAName) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "- <>|".utf8.contains(byte)
        }
    }
}
