/// A case that failed, as a report tells it.
struct FailedCase {
    let file: FileResult
    let result: CaseResult
    let outcome: Outcome
    /// The first value on the way that differs, if both sides tell one.
    let difference: Trace.Difference?

    /// Nil for a case that did not fail.
    init?(_ result: CaseResult, in file: FileResult) {
        guard case .failed(let outcome, let difference) = result.verdict else { return nil }
        (self.file, self.result, self.outcome, self.difference) = (file, result, outcome, difference)
    }

    var test: VectorCase { result.test }
    var expected: String { test.expectation.words }
    var got: String { outcome.words }

    /// What the case is about, as the file's notes have it for each of its flags.
    var about: [String] {
        test.flags.compactMap { flag in file.notes[flag].map { "\(flag): \($0)" } }
    }
}

extension Report {
    var failures: [FailedCase] { files.flatMap(\.failures) }
}

extension FileResult {
    var failures: [FailedCase] { results.compactMap { FailedCase($0, in: self) } }

    /// What people are shown of them: the first of each kind, if they are many. A CI's summary has an end, and so has patience.
    var shownFailures: [FailedCase] {
        let (failures, most) = (failures, 10)
        guard failures.count > most else { return failures }
        var kinds: Set<[String]> = []
        return Array(failures.filter { kinds.insert($0.kind).inserted }.prefix(most))
    }

    /// What to say of the rest; nil if there is none.
    func hidden(_ written: (String) -> String) -> String? {
        let count = counts.failed - shownFailures.count
        return count == 0 ? nil : "and \(count) more of \(written(name)), which --json-file has"
    }
}

extension FailedCase {
    /// What it has in common with others: the fault that it is about, what is right, and what came.
    fileprivate var kind: [String] {
        let answer =
            switch outcome {
            case .output: "output"
            case .error(let id): id
            case .skipped, .fault: ""
            }
        return test.flags + [test.expectation.isRefusal ? expected : "", answer, difference?.name ?? ""]
    }
}
