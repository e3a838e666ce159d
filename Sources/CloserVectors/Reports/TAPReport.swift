internal import CloserWire

/// A report in the Test Anything Protocol: a line for each case, numbered through all files.
///
/// Version 13 is enough for all of it, and Test::Harness reads 14 only since 3.48, which Debian 12 does not have.
struct TAPReport {
    let report: Report

    var text: String {
        let cases = report.files.flatMap { file in file.results.map { (file, $0) } }
        var lines = ["TAP version 13", "1..\(cases.count)"]
        for (number, (file, result)) in zip(1..., cases) { lines += self.lines(result, number, file) }
        lines += report.notes().map { "# \($0)" }
        // Each case that was asked is ok, and still the whole is not.
        if report.verdict == .coverageTooLow, let reason = report.reason {
            lines.append("Bail out! \(reason)")
        }
        return lines.joined(separator: "\n")
    }

    private func lines(_ result: CaseResult, _ number: Int, _ file: FileResult) -> [String] {
        let name = escaped("\(file.name) \(result.test.id): \(result.test.comment)")
        switch result.verdict {
        case .passed: return ["ok \(number) - \(name)"]
        case .skipped(let reason): return ["ok \(number) - \(name) # SKIP \(escaped(reason))"]
        case .failed:
            let block = FailedCase(result, in: file).map(values) ?? []
            return ["not ok \(number) - \(name)", "  ---"] + block + ["  ..."]
        }
    }

    private func values(_ failure: FailedCase) -> [String] {
        let difference = failure.differenceWords.map { [("firstDifference", $0)] } ?? []
        let values =
            [("operation", failure.test.operation)] + failure.about.map { ("about", $0) }
            + [("expected", failure.expected), ("got", failure.got)] + difference
        return values.map { "  \($0.0): \(quoted($0.1))" }
    }

    /// A `#` would begin a directive.
    private func escaped(_ text: String) -> String {
        Shown.short(text) { $0 == "\\" || $0 == "#" ? "\\\($0)" : nil }
    }

    /// A double-quoted scalar of YAML, which has all of JSON's escapes.
    private func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(Shown.short(text)).bytes, as: UTF8.self)
    }
}
