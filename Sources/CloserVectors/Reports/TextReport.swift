internal import CloserWire

/// A report for a person: the failures, a line for each file, what was left out, and the sum.
struct TextReport {
    let report: Report

    var text: String {
        let lines = report.files.flatMap(failures) + report.files.map(line)
        return (lines + report.notes() + [report.sum]).joined(separator: "\n")
    }

    private func line(_ file: FileResult) -> String {
        let reasons = file.obstacles.map { "\(Shown.short($0.reason)): \($0.count)" }
        let behind = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        return "\(file.name.plainLine): \(file.counts.words)\(behind)"
    }

    private func failures(_ file: FileResult) -> [String] {
        file.shownFailures.flatMap(lines) + [file.hidden(\.plainLine)].compactMap(\.self)
    }

    private func lines(_ failure: FailedCase) -> [String] {
        let test = failure.test
        let name = "\(failure.file.name.plainLine) \(test.id), \(test.operation)"
        let body =
            failure.about.map { "about:    \(Shown.short($0))" } + [
                "expected: \(Shown.short(failure.expected))", "got:      \(Shown.short(failure.got))",
            ] + [failure.differenceWords.map { "first difference: \($0)" }].compactMap(\.self)
        return ["FAILED \(name): \(Shown.short(test.comment))"] + body.map { "  \($0)" }
    }
}
