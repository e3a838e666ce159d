/// A case that failed, as a report tells it.
struct FailedCase {
    let file: FileResult
    let result: CaseResult
    let outcome: Outcome
    /// The first value on the way that differs, if both sides tell one.
    let difference: Trace.Difference?

    /// Nil for a case that passed.
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

    var differenceWords: String? {
        difference.map { "\($0.name) is \(Shown.short($0.got)), expected \(Shown.short($0.expected))" }
    }
}

extension Report {
    var failures: [FailedCase] { files.flatMap(\.failures) }
}

extension FileResult {
    var failures: [FailedCase] { results.compactMap { FailedCase($0, in: self) } }

    /// Those that people are shown. If they are many, these are the first of each kind, and ten at most: the summary page
    /// of a CI run has a limit, and so has a reader's patience.
    var shownFailures: [FailedCase] {
        let (failures, most) = (failures, 10)
        guard failures.count > most else { return failures }
        var kinds: Set<[String]> = []
        return Array(failures.filter { kinds.insert($0.kind).inserted }.prefix(most))
    }

    /// How many failures are left out for people, and where they are; nil if they see all.
    func hidden(_ written: (String) -> String) -> String? {
        let count = counts.failed - shownFailures.count
        return count == 0 ? nil : "… and \(count) more of \(written(name)), which --json-file has"
    }

    /// Why cases were skipped, and how many for each reason, in the order they came in.
    var obstacles: [(reason: String, count: Int)] {
        var found: [(reason: String, count: Int)] = []
        for case .skipped(let reason) in results.map(\.verdict) {
            if let place = found.firstIndex(where: { $0.reason == reason }) {
                found[place].count += 1
            } else {
                found.append((reason, 1))
            }
        }
        return found
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
