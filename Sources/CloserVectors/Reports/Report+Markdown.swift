extension Report {
    /// For the summary page of a CI run: the failures, then a table of the files.
    var markdown: String {
        let title = unit == .file ? "Vectors" : "Live cases"
        let head = ["## \(title): \(verdict == .ok ? "passed" : "failed")", "", reason ?? sum, ""]
        let left = absence(Self.name).map { [$0, ""] } ?? []
        let table = ["| \(unit) | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"]
        return (head + left + failureTable + table + files.map(row)).joined(separator: "\n")
    }

    private var failureTable: [String] {
        guard !failures.isEmpty else { return [] }
        let head = [
            "| failed | comment | expected | got | first difference |", "| --- | --- | --- | --- | --- |",
        ]
        let rows = failures.map { file, result, outcome, difference in
            let cells = [
                result.test.comment, result.test.expectation.words, outcome.words, difference?.words ?? "",
            ]
            let name = "\(Self.name(file.name)) \(result.test.id)"
            return "| \(([name] + cells.map(Self.escaped)).joined(separator: " | ")) |"
        }
        return head + rows + [""]
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
        var output = ""
        for character in Shown.short(text).unicodeScalars {
            if "\\`*_{}[]()<>#+-.!|&~:@".unicodeScalars.contains(character) { output += "\\" }
            output.unicodeScalars.append(character)
        }
        return output
    }
}
