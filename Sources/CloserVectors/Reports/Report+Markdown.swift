extension Report {
    /// For the summary page of a CI run: the failures, then a table of the files.
    var markdown: String {
        let head = ["## Vectors: \(verdict == .ok ? "passed" : "failed")", "", reason ?? sum, ""]
        let table = ["| \(unit) | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"]
        return (head + failureTable + table + files.map(row)).joined(separator: "\n")
    }

    private var failureTable: [String] {
        guard !failures.isEmpty else { return [] }
        let head = [
            "| failed | comment | expected | got | first difference |", "| --- | --- | --- | --- | --- |",
        ]
        let rows = failures.map { file, result, outcome, difference in
            let cells = [
                "\(file.name) \(result.test.id)", result.test.comment, result.test.expectation.words,
                outcome.words, difference?.words ?? "",
            ]
            return "| \(cells.map(Self.escaped).joined(separator: " | ")) |"
        }
        return head + rows + [""]
    }

    private func row(_ file: FileResult) -> String {
        let counts = file.counts
        let reasons = obstacles(in: file).map { "\($0.reason): \($0.count)" }.joined(separator: ", ")
        let skipped = reasons.isEmpty ? "\(counts.skipped)" : "\(counts.skipped) (\(Self.escaped(reasons)))"
        return "| \(Self.escaped(file.name)) | \(counts.passed) | \(counts.failed) | \(skipped) |"
    }

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
