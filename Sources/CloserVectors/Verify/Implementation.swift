internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Something that answers vectors: this library, or a program that somebody else wrote.
package protocol Implementation: ~Copyable {
    mutating func answer(_ test: VectorCase) -> Answer
    /// Forgets everything, as a program that is started again.
    mutating func restart()
}

extension Implementation where Self: ~Copyable {
    package mutating func restart() {}

    /// The answer, with the time that it took.
    package mutating func timedAnswer(_ test: VectorCase) -> Answer {
        let start = ContinuousClock.now
        var answer = answer(test)
        answer.duration = ContinuousClock.now - start
        return answer
    }
}

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
                    test, implementation.timedAnswer(test), trace: test.trace.filled(with: test.ownTrace)))
        }
        return FileResult(
            name: file.name, algorithm: file.algorithm, notes: file.notes, results: results)
    }
}

/// This library, as the implementation that is asked.
package struct OwnImplementation: Implementation {
    private let randomness: Randomness

    package init() { self.init(sealingFrom: .system) }

    init(sealingFrom randomness: Randomness) { self.randomness = randomness }

    package func answer(_ test: VectorCase) -> Answer {
        if let obstacle = test.obstacle { return Answer(.skipped(obstacle)) }
        guard let operation = VectorOperation.named(test.operation) else {
            return Answer(.skipped("no operation \(test.operation)"))
        }
        let outcome = Self.outcome { try operation.output(of: test.input, from: randomness) }
        // A right answer needs no trace, and Argon2id would take a second time as long.
        return test.expectation.isMet(by: outcome)
            ? Answer(outcome) : Answer(outcome, trace: operation.trace(of: test))
    }

    private static func outcome(_ body: () throws -> JSONValue) -> Outcome {
        do { return .output(try body()) } catch let error as VectorInput.MemberFault {
            return .fault("the case's \(error.name) is missing or not what it must be")
        } catch UnwrapError.outOfMemory, is MemoryShortage {
            // Not the error `limit`, which a case may expect.
            return .fault("the system gave no memory for Argon2id")
        } catch {
            guard let id = VectorError.name(of: error) else {
                return .fault("unexpected error \(type(of: error))")
            }
            return .error(id)
        }
    }
}
