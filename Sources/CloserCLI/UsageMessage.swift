/// What the argument parser says, in our voice: lower case, no full stop, and without the values that were typed.
///
/// A value may be a phrase or a key that was typed in the wrong place, and messages end up in logs.
struct UsageMessage {
    let message: String
    let hint: String?

    init(_ text: String) {
        let line = text.split(separator: "\n").first.map(String.init) ?? "wrong arguments"
        let sentences = line.split(separator: ". ", maxSplits: 1).map(String.init)
        message = Self.inOurVoice(Self.withoutValue(sentences.first ?? line))
        hint = sentences.count == 2 ? Self.inOurVoice(sentences[1]) : nil
    }

    private static func withoutValue(_ sentence: String) -> String {
        if sentence.hasPrefix("Unexpected argument") { return "unexpected argument" }
        if sentence.contains("unexpected arguments:") { return "unexpected arguments" }
        guard sentence.hasPrefix("The value '"), let end = sentence.range(of: "' is invalid") else {
            return sentence
        }
        return "a value is invalid" + sentence[end.upperBound...]
    }

    private static func inOurVoice(_ sentence: String) -> String {
        let text = sentence.last == "." ? String(sentence.dropLast()) : sentence
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension String {
    /// Where `text` is; the standard library has no such search without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
