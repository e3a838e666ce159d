/// Asks an implementation every case, and judges the answers.
package enum Runner {
    /// What came of all the cases of a file, in their order.
    package static func run(
        _ file: VectorFile, with implementation: inout some Implementation & ~Copyable
    ) -> FileResult {
        var results: [CaseResult] = []
        for test in file.cases {
            results.append(
                CaseResult(
                    test, implementation.answer(test), trace: test.trace.filled(with: OwnTraces.of(test))))
        }
        return FileResult(name: file.name, algorithm: file.algorithm, results: results)
    }
}

/// What came of one case.
package struct CaseResult: Sendable {
    package private(set) var test: VectorCase
    package let verdict: Verdict
    /// How what was sealed was read back; nil for what was not.
    private(set) var reading: VectorCase?

    package enum Verdict: Sendable {
        case passed
        /// With the first value on the way that differs, if both sides tell one.
        case failed(Outcome, Trace.Difference?)
        case skipped(String)
    }

    /// `trace` has the expected values on the way; it is made only for a wrong answer.
    init(
        _ test: VectorCase, _ answer: Answer, trace: @autoclosure () -> Trace, reading: VectorCase? = nil
    ) {
        (self.test, self.reading) = (test, reading)
        if case .skipped(let reason) = answer.outcome {
            verdict = .skipped(reason)
        } else if test.expectation.isMet(by: answer.outcome) {
            verdict = .passed
        } else {
            let difference = trace().firstDifference(in: answer.trace, expecting: test.expectation)
            verdict = .failed(answer.outcome, difference)
        }
    }

    /// Of many live cases only what went wrong is told whole.
    var withoutInputIfPassed: CaseResult {
        guard case .passed = verdict else { return self }
        var result = self
        (result.test, result.reading) = (test.withoutInput, nil)
        return result
    }
}

/// What came of a file, or of an operation's live cases.
package struct FileResult: Sendable {
    package let name: String
    /// As the file calls it; nil for live cases.
    package let algorithm: String?
    package let results: [CaseResult]

    init(name: String, algorithm: String? = nil, results: [CaseResult]) {
        (self.name, self.algorithm, self.results) = (name, algorithm, results)
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

    init(_ results: some Sequence<CaseResult>) {
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
