/// A report as the XML that CI servers read: a suite for each file.
struct JUnitReport {
    let report: Report

    var text: String {
        let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
        let isTooLittle = report.verdict == .coverageTooLow
        let counts = isTooLittle ? report.counts.adding(Self.tooFew) : report.counts
        let root = "<testsuites name=\"closer-keys vectors\" \(attributes(counts)) \(time(duration))>"
        return ([head, root] + report.files.flatMap(suite) + coverage + ["</testsuites>"])
            .joined(separator: "\n")
    }

    /// A CI server looks for failed cases, so too few answers are one more of them, in a suite of its own.
    private var coverage: [String] {
        guard report.verdict == .coverageTooLow, let reason = report.reason else { return [] }
        return [
            "  <testsuite name=\"coverage\" \(attributes(Self.tooFew))>",
            "    <testcase classname=\"coverage\" name=\"enough cases are answered\">"
                + "<failure message=\"\(reason)\"/></testcase>",
            "  </testsuite>",
        ]
    }

    private static let tooFew = Counts(failed: 1)

    private func attributes(_ counts: Counts) -> String {
        "tests=\"\(counts.total)\" failures=\"\(counts.failed)\" errors=\"0\" skipped=\"\(counts.skipped)\""
    }

    private var duration: Duration { report.files.reduce(.zero) { $0 + $1.duration } }

    /// Seconds with six decimals.
    private func time(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let micros = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
        return "time=\"\(seconds).\(micros)\""
    }

    private func suite(_ file: FileResult) -> [String] {
        let head =
            "  <testsuite name=\"\(escaped(file.name))\" \(attributes(file.counts)) \(time(file.duration))>"
        return [head] + file.results.map { testCase($0, in: file) } + ["  </testsuite>"]
    }

    private func testCase(_ result: CaseResult, in file: FileResult) -> String {
        let name = escaped("\(result.test.id): \(result.test.comment)")
        let tag =
            "    <testcase classname=\"\(escaped(file.name))\" name=\"\(name)\" \(time(result.duration))"
        switch result.verdict {
        case .passed: return tag + "/>"
        case .skipped(let reason): return tag + "><skipped message=\"\(escaped(reason))\"/></testcase>"
        case .failed: return tag + ">\(FailedCase(result, in: file).map(failure) ?? "")</testcase>"
        }
    }

    private func failure(_ failure: FailedCase) -> String {
        let words =
            failure.about + ["expected: \(failure.expected)", "got: \(failure.got)"]
            + [failure.differenceWords.map { "first difference: \($0)" }].compactMap(\.self)
        let body = words.map(escaped).joined(separator: "\n")
        return "<failure message=\"\(escaped(failure.got))\">\(body)</failure>"
    }

    private func escaped(_ text: String) -> String {
        Shown.short(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
