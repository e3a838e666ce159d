/// Whether enough cases were answered for a yes to mean something.
struct Coverage {
    let report: Report

    var isSufficient: Bool { missing.isEmpty && reachesMinimum && neverRefused.isEmpty }

    /// Why too little was answered.
    var reason: String {
        guard missing.isEmpty else {
            return "these operations are required, and were not answered: \(missing.joined(separator: ", "))"
        }
        let counts = report.counts
        guard reachesMinimum else {
            let share = "\(counts.covered) of \(counts.total) cases (\(counts.coverageWords))"
            return "\(share) were answered, expected \(minimumWords) percent"
        }
        return "of \(neverRefused.joined(separator: ", ")) no case was answered that must be refused"
    }

    /// What to demand instead, of a program that has some of the files and no case of others.
    var hint: String? {
        let leavesFilesOut = report.files.contains { $0.counts.covered == 0 }
        guard missing.isEmpty, !reachesMinimum, report.unit == .file, leavesFilesOut else { return nil }
        return "name the files of your formats, and demand all of them: --min-coverage 100 field.json"
    }

    /// Those of the required operations that were not answered. What this run cannot ask, such as sealing by a file, must be among the
    /// program's features.
    var missing: [String] {
        guard !report.requiredOperations.isEmpty else { return [] }
        let answered = Set(
            report.files.lazy.flatMap(\.results).filter { !$0.isSkipped }.map(\.test.operation))
        let askable = Set(askableOperations.map(\.name))
        return report.requiredOperations.filter {
            !(askable.contains($0) ? answered : report.features).contains($0)
        }
    }

    private var askableOperations: [VectorOperation] {
        report.unit == .file ? VectorOperation.all.filter { !$0.isSealing } : VectorOperation.withLiveCases
    }

    /// No double is 64.4 percent: what is missing beyond the sixth decimal is the double's fault.
    private var reachesMinimum: Bool {
        Double(report.counts.total) * report.minimumCoverage - Double(report.counts.covered) * 100 < 1e-6
    }

    private var minimumWords: String {
        let words = "\(report.minimumCoverage)"
        return words.hasSuffix(".0") ? String(words.dropLast(2)) : words
    }

    /// Operations whose valid cases were answered, but none of those that must be refused: to open everything proves little.
    private var neverRefused: [String] {
        var answers: [String: Answers] = [:]
        for result in report.files.lazy.flatMap(\.results) {
            answers[result.test.operation, default: Answers()].count(result)
        }
        return answers.filter(\.value.areOneSided).keys.sorted()
    }

    /// What of an operation was answered.
    private struct Answers {
        private var valid = 0
        private var refused = 0
        private var skippedRefusals = 0

        mutating func count(_ result: CaseResult) {
            switch (result.test.expectation.isRefusal, result.verdict) {
            case (true, .skipped): skippedRefusals += 1
            case (true, _): refused += 1
            case (false, .skipped): break
            case (false, _): valid += 1
            }
        }

        /// Fewer than five may all be about what the program does not have, as with few live cases.
        var areOneSided: Bool { valid > 0 && refused == 0 && skippedRefusals >= 5 }
    }
}
