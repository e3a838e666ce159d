extension Report {
    /// The XML that CI servers read: a suite for each file.
    var junit: String {
        let head = #"<?xml version="1.0" encoding="UTF-8"?>"#
        let shown = verdict == .coverageTooLow ? counts.adding(Self.tooFew) : counts
        let root = "<testsuites name=\"closer-keys vectors\" \(Self.attributes(shown))>"
        return ([head, root] + files.flatMap(Self.suite) + coverage + ["</testsuites>"]).joined(
            separator: "\n")
    }

    /// A CI server looks for failed cases: that too few were answered is one more, in a suite of its own.
    private var coverage: [String] {
        guard verdict == .coverageTooLow, let reason else { return [] }
        return [
            "  <testsuite name=\"coverage\" \(Self.attributes(Self.tooFew))>",
            "    <testcase classname=\"coverage\" name=\"enough cases are answered\">"
                + "<failure message=\"\(reason)\"/></testcase>",
            "  </testsuite>",
        ]
    }

    private static let tooFew = Counts(failed: 1)

    private static func attributes(_ counts: Counts) -> String {
        "tests=\"\(counts.total)\" failures=\"\(counts.failed)\" errors=\"0\" skipped=\"\(counts.skipped)\""
    }

    private static func suite(_ file: FileResult) -> [String] {
        let name = escaped(file.name)
        let cases = file.results.map { testCase($0, className: name) }
        return ["  <testsuite name=\"\(name)\" \(attributes(file.counts))>"] + cases + ["  </testsuite>"]
    }

    private static func testCase(_ result: CaseResult, className: String) -> String {
        let name = escaped("\(result.test.id): \(result.test.comment)")
        let tag = "    <testcase classname=\"\(className)\" name=\"\(name)\""
        switch result.verdict {
        case .passed: return tag + "/>"
        case .skipped(let reason): return tag + "><skipped message=\"\(escaped(reason))\"/></testcase>"
        case .failed(let outcome, let difference):
            let words = [
                "expected: \(result.test.expectation.words)", "got: \(outcome.words)",
                difference.map { "first difference: \($0.words)" },
            ].compactMap(\.self)
            let body = words.map { escaped($0) }.joined(separator: "\n")
            return tag + "><failure message=\"\(escaped(outcome.words))\">\(body)</failure></testcase>"
        }
    }

    private static func escaped(_ text: String) -> String {
        Shown.short(text).replacing("\u{FFFE}", with: "\u{FFFD}").replacing("\u{FFFF}", with: "\u{FFFD}")
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
