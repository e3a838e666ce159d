package import CloserVectors
internal import CloserWire

/// Asks an implementation fresh cases, both ways.
package enum LiveRunner {
    /// Asks as many cases as ``VectorOperation/caseCount(outOf:)`` says, and judges the answers.
    ///
    /// To find nonces that repeat, every second case of sealing is the one before it once more, which shows a nonce that
    /// is derived from the key or the plaintext. And the implementation is started again before the first case and in the
    /// middle, which shows a generator with a fixed seed.
    package static func run(
        _ operation: VectorOperation, count: Int, with implementation: inout some Implementation & ~Copyable
    ) throws -> FileResult {
        let count = operation.caseCount(outOf: count)
        var (results, judge, last) = ([CaseResult](), LiveJudge(operation), LiveCase?.none)
        for id in 1...count {
            if operation.isSealing, id == 1 || id == count / 2 + 1 { implementation.restart() }
            let again = operation.isSealing && id.isMultiple(of: 2) ? last : nil
            let made = try again ?? operation.draw()
            let test = made.vectorCase(of: operation, id: id, isAgain: again != nil)
            results.append(judge.result(of: made, test, implementation.timedAnswer(test)))
            last = made
        }
        return FileResult(name: operation.name, results: results)
    }
}

/// Judges the answers to the live cases of one operation.
private struct LiveJudge {
    /// The exact members of an output.
    private let outputs: [String]
    /// The bytes that had to be new in each case so far, with the number of the case.
    private var earlier: [[UInt8]: Int] = [:]

    init(_ operation: VectorOperation) { outputs = operation.gives.map(\.name) }

    mutating func result(of made: LiveCase, _ test: VectorCase, _ answer: Answer) -> CaseResult {
        guard let readBack = made.readBack, case .output(let output) = answer.outcome else {
            return CaseResult(test, answer, trace: test.ownTrace).withoutInputIfPassed
        }
        let reading = readBack.test(of: output)
        let misreading = Self.misreading(of: output, by: readBack)
        var judged = Answer(
            outcome(of: output, by: readBack, misreading?.words, id: test.id), trace: answer.trace)
        (judged.duration, judged.isReadBackInVain) = (answer.duration, misreading?.isUnauthentic == true)
        return CaseResult(test, judged, trace: reading.ownTrace, reading: reading).withoutInputIfPassed
    }

    /// The output, if we can read it and all of it is fresh; otherwise what is wrong with it.
    private mutating func outcome(
        of output: JSONValue, by readBack: ReadBack, _ misreading: String?, id: Int
    ) -> Outcome {
        guard (output.members ?? []).map(\.name).sorted() == outputs.sorted() else {
            return .fault("its members are not \(outputs.joined(separator: ", ")): \(output.line)")
        }
        if let misreading { return .fault("\(misreading): \(output.line)") }
        guard let fresh = try? readBack.freshBytes(in: output) else {
            return .fault("it cannot be taken apart: \(output.line)")
        }
        if let before = earlier.updateValue(id, forKey: fresh) {
            return .fault("the \(readBack.freshName) of case \(before) again: \(output.line)")
        }
        return .output(output)
    }

    /// What is wrong with what we read; nil if it is what was to be sealed.
    private static func misreading(
        of output: JSONValue, by readBack: ReadBack
    ) -> (words: String, isUnauthentic: Bool)? {
        func read(_ test: VectorCase) -> (outcome: Outcome, isRight: Bool) {
            let outcome = OwnImplementation().answer(test).outcome
            return (outcome, test.expectation.isMet(by: outcome))
        }
        let (outcome, isRight) = read(readBack.test(of: output))
        guard !isRight else { return nil }
        if let wider = readBack.wider, read(readBack.test(of: output, wider)).isRight {
            return ("sealed under a key that is not the primary", false)
        }
        return ("read back: \(outcome.words)", outcome.isUnauthentic)
    }
}
