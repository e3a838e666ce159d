internal import CloserWire

/// Asks an implementation cases that were never asked before, both ways.
package enum LiveRunner {
    /// What came of `count` cases of an operation; of a slow one fewer. Throws only what no case may.
    package static func run(
        _ operation: LiveOperation, count: Int, with implementation: inout some Implementation & ~Copyable
    ) throws -> FileResult {
        var (results, earlier) = ([CaseResult](), Set<[UInt8]>())
        for id in 1...operation.caseCount(outOf: count) {
            let made = try operation.make()
            let test = made.vectorCase(of: operation.name, id: id)
            let answer = implementation.answer(test)
            results.append(result(made, test, answer, &earlier))
        }
        return FileResult(name: operation.name, results: results)
    }

    private static func result(
        _ made: LiveCase, _ test: VectorCase, _ answer: Answer, _ earlier: inout Set<[UInt8]>
    ) -> CaseResult {
        guard let readBack = made.readBack, case .output(let output) = answer.outcome else {
            return CaseResult(test, answer, trace: OwnTraces.of(test))
        }
        let outcome = readBack.outcome(of: output, besides: &earlier)
        return CaseResult(
            test, Answer(outcome, trace: answer.trace), trace: OwnTraces.of(readBack.test(of: output)))
    }
}
