extension Report {
    /// Operations whose valid cases were answered, and none of those that must be refused: to open everything proves little.
    var neverRefused: [String] {
        var answers: [String: Answers] = [:]
        for result in files.lazy.flatMap(\.results) {
            answers[result.test.operation, default: Answers()].count(result)
        }
        return answers.filter(\.value.areOneSided).keys.sorted()
    }

    /// What of an operation was answered.
    private struct Answers {
        private var valid = 0
        private var refused = 0
        private var refusalsPassedOver = 0

        mutating func count(_ result: CaseResult) {
            switch (result.test.expectation.isRefusal, result.verdict) {
            case (true, .skipped): refusalsPassedOver += 1
            case (true, _): refused += 1
            case (false, .skipped): break
            case (false, _): valid += 1
            }
        }

        /// Of a few live cases the only one to be refused may be one that the program has not.
        var areOneSided: Bool { valid > 0 && refused == 0 && refusalsPassedOver >= 5 }
    }

    /// No double is 64.4 percent: what is missing beyond the sixth decimal is the double's fault, not the program's.
    var isEnough: Bool {
        Double(counts.total) * minimumCoverage - Double(counts.covered) * 100 < 1e-6
    }

    /// Why too little was answered.
    var coverageReason: String {
        guard isEnough else {
            let share = "\(counts.covered) of \(counts.total) cases (\(counts.coverageWords))"
            return "\(share) were answered, expected \(minimumCoverageWords) percent"
        }
        return "of \(neverRefused.joined(separator: ", ")) no case was answered that must be refused"
    }

    private var minimumCoverageWords: String {
        let words = "\(minimumCoverage)"
        return words.hasSuffix(".0") ? String(words.dropLast(2)) : words
    }

    /// What to do next, for who runs a program of theirs; nil if the report says it all.
    package var hint: String? {
        if files.contains(where: { $0.results.contains(where: \.wantsTrace) }) {
            return
                "with sharedSecret, derivedKey or associatedData in a trace the first that differs is named: man closer-keys-vectors.7"
        }
        guard !isEnough, unit == .file, files.contains(where: { $0.counts.covered == 0 }) else { return nil }
        return "name the files of your formats, and demand all of them: --min-coverage 100 field.json"
    }
}
