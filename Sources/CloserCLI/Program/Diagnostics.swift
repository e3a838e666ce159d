#if CommandLine
internal import CloserFiles
internal import CloserSystem
internal import CloserWire

/// Writes to standard error, which never gets a result or a secret.
enum Diagnostics {
    /// Whether only failures are told, with their hints: for scheduled runs, whose messages are mailed.
    static let areOnlyFailures = ProcessArguments.have("--quiet")

    /// `closer-keys: error: …` and, if there is one, `closer-keys: hint: …`.
    static func failure(_ failure: CLIError) { write(text(of: failure)) }

    static func text(of failure: CLIError) -> String { text(failure.message, hint: failure.hint) }

    static func text(_ message: String, hint: String?) -> String {
        line("error: \(message)") + (hint.map { line("hint: \($0)") } ?? "")
    }

    static func note(_ text: String) {
        if !areOnlyFailures { write(line(text)) }
    }

    static func warn(_ text: String) {
        if !areOnlyFailures { write(line("warning: \(text)")) }
    }

    /// Always one line, even if a file name in it holds a line feed.
    private static func line(_ text: String) -> String { "closer-keys: \(text.plainLine)\n" }

    /// What cannot be written is lost: the result and the exit code do not depend on it.
    private static func write(_ text: String) { try? Descriptor.standardError.write(Array(text.utf8).span) }
}

/// Shows how far long work has come: one line on a terminal, shown after a second, renewed at most ten times a second,
/// and erased at the end.
struct Progress {
    private let total: Int?
    private let isWanted: Bool
    private var due = ContinuousClock.now + .seconds(1)
    private var shown = 0

    init(total: Int?, isWanted: Bool) {
        self.total = total
        self.isWanted = isWanted && !Diagnostics.areOnlyFailures && Descriptor.standardError.isTerminal
    }

    mutating func show(_ byteCount: Int) {
        guard isWanted, ContinuousClock.now >= due else { return }
        due = .now + .milliseconds(100)
        let of = total.map { " of \($0 >> 20)" } ?? ""
        let line = "closer-keys: \(byteCount >> 20)\(of) MiB"
        write("\r" + line)
        shown = line.utf8.count
    }

    /// Overwrites the line with spaces, because not every terminal knows a command that erases it.
    mutating func erase() {
        guard shown > 0 else { return }
        write("\r" + String(repeating: " ", count: shown) + "\r")
        shown = 0
    }

    private func write(_ text: String) { try? Descriptor.standardError.write(Array(text.utf8).span) }
}
#endif
