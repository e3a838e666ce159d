/// What came of one case.
package struct CaseResult: Sendable {
    package private(set) var test: VectorCase
    package let verdict: Verdict
    /// How what was sealed was read back; nil for what was not.
    private(set) var reading: VectorCase?
    /// Whether values on the way might tell why it failed, and the implementation told none.
    let wantsTrace: Bool

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
            (verdict, wantsTrace) = (.skipped(Self.bounded(reason)), false)
        } else if test.expectation.isMet(by: answer.outcome) {
            (verdict, wantsTrace) = (.passed, false)
        } else {
            let difference = trace().firstDifference(in: answer.trace, expecting: test.expectation)
            verdict = .failed(Self.bounded(answer.outcome), difference)
            wantsTrace = answer.lacksTrace && !test.expectation.isRefusal
        }
    }

    /// A report keeps one for each case: of what is longer than any right answer needs to be it has the beginning. 256 KiB.
    private static func bounded(_ outcome: Outcome) -> Outcome {
        let words = Array(outcome.words.utf8)
        guard words.count > 256 << 10 else { return outcome }
        return .fault("\(words.count) bytes, which begin \(Shown.beginning(of: words))")
    }

    private static func bounded(_ reason: String) -> String {
        reason.utf8.count > 1024 ? Shown.short(reason) : reason
    }

    /// Of many live cases only what went wrong is told whole.
    var withoutInputIfPassed: CaseResult {
        guard case .passed = verdict else { return self }
        var result = self
        (result.test, result.reading) = (test.withoutInput, nil)
        return result
    }
}
