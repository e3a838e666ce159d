internal import CloserSystem

/// What is said on standard error: never results, never secrets.
enum Messages {
    /// `closer-keys: error: …` and, if there is one, `closer-keys: hint: …`.
    static func failure(_ failure: Failure) {
        say("error: \(failure.message)")
        if let hint = failure.hint { say("hint: \(hint)") }
    }

    static func note(_ text: String) { say(text) }

    private static func say(_ text: String) {
        // Nothing is left to tell anyone if standard error is closed.
        try? Descriptor.standardError.write(Array("closer-keys: \(text)\n".utf8).span)
    }
}
