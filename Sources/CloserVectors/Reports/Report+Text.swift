extension Report {
    /// For a person: the failures, a line for each file, and the sum.
    var plainText: String {
        (failures.map(Self.lines) + files.map(line) + [sum]).joined(separator: "\n")
    }

    /// The sum in one line.
    package var sum: String {
        "\(counts.total) cases in \(files.count) \(unit)\(files.count == 1 ? "" : "s"): \(counts.words)"
    }

    private func line(_ file: FileResult) -> String {
        let reasons = obstacles(in: file).map { "\(Shown.short($0.reason)): \($0.count)" }
        let behind = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
        return "\(Shown.plain(file.name)): \(file.counts.words)\(behind)"
    }

    private static func lines(
        _ file: FileResult, _ result: CaseResult, _ outcome: Outcome, _ difference: Trace.Difference?
    ) -> String {
        let test = result.test
        let head =
            "FAILED \(Shown.plain(file.name)) \(test.id), \(test.operation): \(Shown.short(test.comment))"
        let body = [
            "expected: \(Shown.short(test.expectation.words))", "got:      \(Shown.short(outcome.words))",
        ]
        let trace = difference.map { ["first difference: \($0.words)"] } ?? []
        return ([head] + (body + trace).map { "  \($0)" }).joined(separator: "\n")
    }
}

extension Counts {
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
