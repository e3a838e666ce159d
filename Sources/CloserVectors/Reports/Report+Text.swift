internal import CloserWire

extension Report {
    /// For a person: the failures, a line for each file, what was left out, and the sum.
    var plainText: String {
        (files.flatMap(Self.failureLines) + files.map(line) + [absence(), sum].compactMap(\.self))
            .joined(separator: "\n")
    }

    /// The sum in one line, with the share of what was answered if that is not all.
    package var sum: String {
        let share = counts.skipped > 0 ? " (\(counts.coverageWords) answered)" : ""
        let units = "\(files.count) \(unit)\(files.count == 1 ? "" : "s")"
        return "\(counts.total) cases in \(units): \(counts.words)\(share)"
    }

    private func line(_ file: FileResult) -> String {
        let reasons = obstacles(in: file).map { "\(Shown.short($0.reason)): \($0.count)" }
        let behind = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        return "\(file.name.plainLine): \(file.counts.words)\(behind)"
    }

    private static func failureLines(_ file: FileResult) -> [String] {
        file.shownFailures.flatMap(lines) + (file.hidden(\.plainLine).map { ["… \($0)"] } ?? [])
    }

    private static func lines(_ failure: FailedCase) -> [String] {
        let test = failure.test
        let name = "\(failure.file.name.plainLine) \(test.id), \(test.operation)"
        let body = [
            "expected: \(Shown.short(failure.expected))", "got:      \(Shown.short(failure.got))",
        ]
        let difference = failure.difference.map { ["first difference: \($0.words)"] } ?? []
        let about = failure.about.map { "about:    \(Shown.short($0))" }
        return ["FAILED \(name): \(Shown.short(test.comment))"]
            + (about + body + difference).map { "  \($0)" }
    }
}

extension Counts {
    /// How much was answered, cut behind the first decimal: what is not reached is never said.
    var coverageWords: String {
        let tenths = covered * 1000 / max(total, 1)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// For a person.
    var words: String {
        ["\(passed) passed"]
            .appending(failed > 0 ? "\(failed) failed" : nil)
            .appending(skipped > 0 ? "\(skipped) skipped" : nil)
            .joined(separator: ", ")
    }
}

extension [String] {
    fileprivate func appending(_ text: String?) -> [String] { self + (text.map { [$0] } ?? []) }
}
