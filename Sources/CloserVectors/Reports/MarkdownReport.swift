/// A report for the summary page of a CI run: a table of the files, then the failures.
struct MarkdownReport {
    let report: Report

    var text: String {
        let title = report.unit == .file ? "Vectors" : "Live cases"
        let head = ["## \(title): \(verdict)", "", report.reason ?? report.sum, ""]
        let notes = report.notes(name).flatMap { [$0, ""] }
        let table = ["| \(report.unit) | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"]
        return (head + notes + table + report.files.map(row) + failures).joined(separator: "\n")
    }

    private var verdict: String {
        switch report.verdict {
        case .ok: "passed"
        case .vectorMismatch: "failed"
        case .coverageTooLow: "too few answered"
        }
    }

    private var failures: [String] {
        guard report.counts.failed > 0 else { return [] }
        let head = [
            "| failed | comment | expected | got | first difference |", "| --- | --- | --- | --- | --- |",
        ]
        let hidden = report.files.compactMap { $0.hidden(name) }.map { "\n\($0)" }
        return [""] + head + report.files.flatMap(\.shownFailures).map(row) + hidden
    }

    private func row(_ failure: FailedCase) -> String {
        let cells = [
            ([failure.test.comment] + failure.about).joined(separator: "; "), failure.expected, failure.got,
            failure.differenceWords ?? "",
        ]
        let name = "\(name(failure.file.name)) \(failure.test.id)"
        return "| \(([name] + cells.map(escaped)).joined(separator: " | ")) |"
    }

    private func row(_ file: FileResult) -> String {
        let counts = file.counts
        let reasons = file.obstacles.map { "\($0.reason): \($0.count)" }.joined(separator: ", ")
        let skipped = reasons.isEmpty ? "\(counts.skipped)" : "\(counts.skipped) (\(escaped(reasons)))"
        return "| \(name(file.name)) | \(counts.passed) | \(counts.failed) | \(skipped) |"
    }

    /// A code span, unless the name has something that could end one, or break a line or a cell.
    private func name(_ text: String) -> String {
        text.utf8.allSatisfy(Self.plainBytes.contains) ? "`\(text)`" : escaped(text)
    }

    private static let plainBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-".utf8)

    /// Text that stays text: a file's own words must not become a link, a picture or a cell.
    private func escaped(_ text: String) -> String {
        Shown.short(text) { Self.marks.contains($0) ? "\\\($0)" : nil }
    }

    private static let marks = Set("\\`*_{}[]()<>#+-.!|&~:@".unicodeScalars)
}
