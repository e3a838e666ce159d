internal import CloserFiles
internal import CloserSystem
internal import CloserWire

/// Writes to standard error, which never gets a result or a secret.
enum Diagnostics {
    /// Whether only alarms and failures are told: for scheduled runs, whose messages are mailed.
    static let areOnlyFailures = ProcessArguments.have("--quiet")

    /// `closer-keys: error: …` and, if there is one, `closer-keys: hint: …`.
    static func failure(_ failure: CLIError) { write(text(of: failure)) }

    static func text(of failure: CLIError) -> String { text(failure.message, hint: failure.hint) }

    static func text(_ message: String, hint: String?) -> String {
        line("error: \(message)") + (hint.map { line("hint: \($0)") } ?? "")
    }

    /// One thought, and the command that follows from it on a line of its own.
    static func note(_ text: String, next command: String? = nil) {
        if !areOnlyFailures { write(line(text) + (command.map { line("next: \($0)") } ?? "")) }
    }

    static func warn(_ text: String) {
        if !areOnlyFailures { alarm(text) }
    }

    /// A warning that a secret, or what protects one, is open to other users: an unwatched run tells of it, too.
    static func alarm(_ text: String) { write(line("warning: \(text)")) }

    /// Always one line, even if a file name in it holds a line feed.
    private static func line(_ text: String) -> String { "closer-keys: \(text.plainLine)\n" }

    /// A failed write is ignored: the result and the exit code stand.
    private static func write(_ text: String) { try? Descriptor.standardError.write(Array(text.utf8).span) }
}

/// Shows how far long work has come: one line on a terminal, shown after a second, renewed at most ten times a second,
/// and erased at the end.
struct Progress {
    private let unit: Unit
    private let total: Int?
    private let isWanted: Bool
    private var due = ContinuousClock.now + .seconds(1)
    private var width = 0

    /// What is counted. Bytes are shown in MiB.
    enum Unit: String { case bytes = "MiB", lines, cases }

    init(of unit: Unit, total: Int? = nil, isWanted: Bool) {
        (self.unit, self.total) = (unit, total)
        self.isWanted = isWanted && !Diagnostics.areOnlyFailures && Descriptor.standardError.isTerminal
    }

    mutating func show(_ count: Int) {
        guard isWanted, ContinuousClock.now >= due else { return }
        due = .now + .milliseconds(100)
        let of = total.map { " of \(shown($0))" } ?? ""
        let line = "closer-keys: \(shown(count))\(of) \(unit.rawValue)"
        write("\r" + line)
        width = line.utf8.count
    }

    private func shown(_ count: Int) -> Int { unit == .bytes ? count >> 20 : count }

    /// Overwrites the line with spaces, which works on every terminal.
    mutating func erase() {
        guard width > 0 else { return }
        write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private func write(_ text: String) { try? Descriptor.standardError.write(Array(text.utf8).span) }
}
