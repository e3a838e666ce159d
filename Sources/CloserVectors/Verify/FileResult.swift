/// What came of one case, and how it is judged.
package struct CaseResult: Sendable {
    package private(set) var test: VectorCase
    package let verdict: Verdict
    /// The case by which a sealed output was read back; nil for any other output.
    package private(set) var reading: VectorCase?
    /// Whether a trace might show why it failed, and the implementation left it out.
    let wantsTrace: Bool
    let duration: Duration

    package enum Verdict: Sendable {
        case passed
        /// The answer was wrong; with the first value on the way that differs, if both sides told it.
        case failed(Outcome, Trace.Difference?)
        case skipped(String)
    }

    var isFailed: Bool {
        guard case .failed = verdict else { return false }
        return true
    }

    var isSkipped: Bool {
        guard case .skipped = verdict else { return false }
        return true
    }

    /// `trace` has the expected values on the way. It is computed only for a wrong answer.
    package init(
        _ test: VectorCase, _ answer: Answer, trace: @autoclosure () -> Trace, reading: VectorCase? = nil
    ) {
        (self.test, self.reading, duration) = (test, reading, answer.duration)
        if case .skipped(let reason) = answer.outcome {
            (verdict, wantsTrace) = (.skipped(Self.bounded(reason)), false)
        } else if test.expectation.isMet(by: answer.outcome) {
            (verdict, wantsTrace) = (.passed, false)
        } else {
            let difference = trace().firstDifference(in: answer.trace, expecting: test.expectation)
            verdict = .failed(Self.bounded(answer.outcome), difference)
            wantsTrace = answer.lacksTrace && !test.expectation.isRefusal
        }
    }

    /// Reports keep every answer whole, except those over 256 KiB, which are cut to their beginning. No right answer is
    /// that long.
    private static func bounded(_ outcome: Outcome) -> Outcome {
        let words = Array(outcome.words.utf8)
        guard words.count > 256 << 10 else { return outcome }
        return .fault("\(words.count) bytes, which begin \(Shown.beginning(of: words))")
    }

    private static func bounded(_ reason: String) -> String {
        reason.utf8.count > 1024 ? Shown.short(reason) : reason
    }

    /// There are many live cases, so reports keep the input only of those that went wrong.
    package var withoutInputIfPassed: CaseResult {
        guard case .passed = verdict else { return self }
        var result = self
        (result.test, result.reading) = (test.withoutInput, nil)
        return result
    }
}

/// What came of a file, or of an operation's live cases.
package struct FileResult: Sendable {
    package let name: String
    /// What the file says it is about; nil for live cases.
    package let algorithm: String?
    package let results: [CaseResult]
    let notes: [String: String]

    package init(
        name: String, algorithm: String? = nil, notes: [String: String] = [:], results: [CaseResult]
    ) {
        (self.name, self.algorithm, self.notes, self.results) = (name, algorithm, notes, results)
    }

    package var counts: Counts { Counts(results) }

    var duration: Duration { results.reduce(.zero) { $0 + $1.duration } }
}

/// How many cases passed, failed and were skipped.
public struct Counts: Equatable, Sendable {
    /// How many were answered rightly.
    public private(set) var passed: Int
    /// How many were answered wrongly, or not at all.
    public private(set) var failed: Int
    /// Unanswered, because the implementation lacks the operation or the size.
    public private(set) var skipped: Int

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

    /// How many there were.
    public var total: Int { passed + failed + skipped }

    /// How many were answered at all.
    public var covered: Int { passed + failed }

    /// How much was answered, in percent with one decimal. It is rounded down: a share that is not reached is never said.
    var coverageWords: String {
        let tenths = covered * 1000 / max(total, 1)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    var words: String {
        let parts = [(passed, "passed"), (failed, "failed"), (skipped, "skipped")]
        return parts.filter { $0.0 > 0 || $0.1 == "passed" }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
