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

/// How far long work is: one line on a terminal, shown after a second, renewed ten times a second at most, and erased.
struct Progress {
    private let total: Int?
    private let isWanted: Bool
    private var due = ContinuousClock.now + .seconds(1)
    private var shown = 0

    init(total: Int?, isWanted: Bool) {
        (self.total, self.isWanted) = (total, isWanted && Descriptor.standardError.isTerminal)
    }

    mutating func show(_ byteCount: Int) {
        guard isWanted, ContinuousClock.now >= due else { return }
        due = .now + .milliseconds(100)
        let of = total.map { " of \($0 >> 20)" } ?? ""
        let line = "closer-keys: \(byteCount >> 20)\(of) MiB"
        write("\r" + line)
        shown = line.utf8.count
    }

    /// With spaces: not every terminal knows a command for it.
    mutating func erase() {
        guard shown > 0 else { return }
        write("\r" + String(repeating: " ", count: shown) + "\r")
        shown = 0
    }

    private func write(_ text: String) { try? Descriptor.standardError.write(Array(text.utf8).span) }
}
