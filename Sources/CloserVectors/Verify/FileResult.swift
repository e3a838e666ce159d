/// What came of a file, or of an operation's live cases.
package struct FileResult: Sendable {
    package let name: String
    /// As the file calls it; nil for live cases.
    package let algorithm: String?
    package let results: [CaseResult]
    /// What the flags of the file mean.
    let notes: [String: String]

    package init(
        name: String, algorithm: String? = nil, notes: [String: String] = [:], results: [CaseResult]
    ) {
        (self.name, self.algorithm, self.notes, self.results) = (name, algorithm, notes, results)
    }

    package var counts: Counts { Counts(results) }
}

/// How many cases passed, failed and were passed over.
package struct Counts: Equatable, Sendable {
    package private(set) var passed: Int
    package private(set) var failed: Int
    package private(set) var skipped: Int

    init(passed: Int = 0, failed: Int = 0, skipped: Int = 0) {
        (self.passed, self.failed, self.skipped) = (passed, failed, skipped)
    }

    package init(_ results: some Sequence<CaseResult>) {
        self.init()
        for result in results {
            switch result.verdict {
            case .passed: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    func adding(_ others: Counts) -> Counts {
        Counts(
            passed: passed + others.passed, failed: failed + others.failed, skipped: skipped + others.skipped)
    }

    package var total: Int { passed + failed + skipped }

    /// How many were answered at all.
    package var covered: Int { passed + failed }
}
