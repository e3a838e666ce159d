internal import CloserFiles
internal import CloserWire

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
        // One line, whatever is in it: a file name may hold anything. Nothing is left to tell anyone if standard error is closed.
        try? Descriptor.standardError.write(Array("closer-keys: \(text.plainLine)\n".utf8).span)
    }
}
