internal import CloserFiles

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
