/// What came of one case, and how it is judged.
package struct CaseResult: Sendable {
    package private(set) var test: VectorCase
    package let verdict: Verdict
    /// The case by which a sealed output was read back; nil for any other output.
    package private(set) var reading: VectorCase?
    /// Whether a trace might show why it failed, and the implementation gave none.
    let wantsTrace: Bool

    package enum Verdict: Sendable {
        case passed
        /// With the first value on the way that differs, if both sides tell one.
        case failed(Outcome, Trace.Difference?)
        case skipped(String)
    }

    /// `trace` has the expected values on the way; it is made only for a wrong answer.
    package init(
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

    /// Reports keep every answer whole, except those over 256 KiB, which are cut to their beginning. No right answer is so long.
    private static func bounded(_ outcome: Outcome) -> Outcome {
        let words = Array(outcome.words.utf8)
        guard words.count > 256 << 10 else { return outcome }
        return .fault("\(words.count) bytes, which begin \(Shown.beginning(of: words))")
    }

    private static func bounded(_ reason: String) -> String {
        reason.utf8.count > 1024 ? Shown.short(reason) : reason
    }

    /// Live cases are many: reports have the input only of those that went wrong.
    package var withoutInputIfPassed: CaseResult {
        guard case .passed = verdict else { return self }
        var result = self
        (result.test, result.reading) = (test.withoutInput, nil)
        return result
    }
}
