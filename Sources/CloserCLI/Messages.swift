internal import CloserSystem

/// What is said on standard error: never results, never secrets.
enum Messages {
    /// `closer-keys: error: …` and, if there is one, `closer-keys: hint: …`.
    static func failure(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    static func note(_ text: String) { say(text) }

    static func warn(_ text: String) { say("warning: \(text)") }

    private static func say(_ text: String) {
        // Nothing is left to tell anyone if standard error is closed.
        try? Descriptor.standardError.write(Array("closer-keys: \(printable(text))\n".utf8).span)
    }

    /// One line that steers no terminal: a file name may hold anything.
    private static func printable(_ text: String) -> String {
        let isControl: (Unicode.Scalar) -> Bool = { $0.properties.generalCategory == .control }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }
}
