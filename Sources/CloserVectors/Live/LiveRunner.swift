internal import CloserWire

/// Asks an implementation cases that were never asked before, both ways.
package enum LiveRunner {
    /// What came of as many cases as ``LiveOperation/caseCount(outOf:)`` says.
    ///
    /// Every second case of sealing is the one before it once more: a nonce that is derived from the key or the plaintext
    /// shows. The implementation starts anew before the first and in the middle: a generator with a fixed seed shows.
    package static func run(
        _ operation: LiveOperation, count: Int, with implementation: inout some Implementation & ~Copyable
    ) throws -> FileResult {
        let count = operation.caseCount(outOf: count)
        var (results, earlier, last) = ([CaseResult](), [[UInt8]: Int](), LiveCase?.none)
        for id in 1...count {
            if operation.isSealing, id == 1 || id == count / 2 + 1 { implementation.restart() }
            let again = operation.isSealing && id.isMultiple(of: 2) ? last : nil
            let made = try again ?? operation.make()
            let test = made.vectorCase(of: operation.name, id: id, isAgain: again != nil)
            results.append(result(made, test, implementation.answer(test), &earlier))
            last = made
        }
        return FileResult(name: operation.name, results: results)
    }

    private static func result(
        _ made: LiveCase, _ test: VectorCase, _ answer: Answer, _ earlier: inout [[UInt8]: Int]
    ) -> CaseResult {
        guard let readBack = made.readBack, case .output(let output) = answer.outcome else {
            return CaseResult(test, answer, trace: OwnTraces.of(test)).withoutInputIfPassed
        }
        let reading = readBack.test(of: output)
        let outcome = readBack.outcome(of: output, id: test.id, besides: &earlier)
        return CaseResult(
            test, Answer(outcome, trace: answer.trace), trace: OwnTraces.of(reading), reading: reading
        ).withoutInputIfPassed
    }
}
