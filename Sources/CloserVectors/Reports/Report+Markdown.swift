extension Report {
    /// For the summary page of a CI run: a table of the files, then the failures.
    var markdown: String {
        let title = unit == .file ? "Vectors" : "Live cases"
        let head = ["## \(title): \(verdictWords)", "", reason ?? sum, ""]
        let left = absence(Self.name).map { [$0, ""] } ?? []
        let table = ["| \(unit) | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"]
        return (head + left + table + files.map(row) + failureTable).joined(separator: "\n")
    }

    private var verdictWords: String {
        switch verdict {
        case .ok: "passed"
        case .vectorMismatch: "failed"
        case .coverageTooLow: "too few answered"
        }
    }

    private var failureTable: [String] {
        guard counts.failed > 0 else { return [] }
        let head = [
            "| failed | comment | expected | got | first difference |", "| --- | --- | --- | --- | --- |",
        ]
        let hidden = files.compactMap { $0.hidden(Self.name) }.map { "\n… \($0)" }
        return [""] + head + files.flatMap(\.shownFailures).map(Self.row) + hidden
    }

    private static func row(_ failure: FailedCase) -> String {
        let cells = [
            ([failure.test.comment] + failure.about).joined(separator: "; "), failure.expected, failure.got,
            failure.difference?.words ?? "",
        ]
        let name = "\(name(failure.file.name)) \(failure.test.id)"
        return "| \(([name] + cells.map(escaped)).joined(separator: " | ")) |"
    }

    private func row(_ file: FileResult) -> String {
        let counts = file.counts
        let reasons = obstacles(in: file).map { "\($0.reason): \($0.count)" }.joined(separator: ", ")
        let skipped = reasons.isEmpty ? "\(counts.skipped)" : "\(counts.skipped) (\(Self.escaped(reasons)))"
        return "| \(Self.name(file.name)) | \(counts.passed) | \(counts.failed) | \(skipped) |"
    }

    /// A code span if the name has nothing that could end one, or break a line or a cell.
    private static func name(_ text: String) -> String {
        text.utf8.allSatisfy(plainBytes.contains) ? "`\(text)`" : escaped(text)
    }

    private static let plainBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-".utf8)

    /// Text that stays text: what a file says of itself must not become a link, a picture or a cell.
    private static func escaped(_ text: String) -> String {
        Shown.short(text) { marks.contains($0) ? "\\\($0)" : nil }
    }

    private static let marks = Set("\\`*_{}[]()<>#+-.!|&~:@".unicodeScalars)
}
