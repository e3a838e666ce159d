internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// Something that answers vectors: this library, or a program of another author.
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
        run([file], with: &implementation)[0]
    }

    /// What came of all the cases of some files. With `maximum` failed cases it is enough, and the rest is skipped. `telling` gets
    /// how many cases are done.
    package static func run(
        _ files: [VectorFile], stoppingAfter maximum: Int = .max,
        with implementation: inout some Implementation & ~Copyable, telling: (Int) -> Void = { _ in }
    ) -> [FileResult] {
        var (count, failureCount) = (0, 0)
        return files.map { file in
            FileResult(
                file,
                file.cases.map { test in
                    let answer = failureCount < maximum ? implementation.timedAnswer(test) : .tooLate
                    let result = test.judged(answer)
                    if result.isFailed { failureCount += 1 }
                    count += 1
                    telling(count)
                    return result
                })
        }
    }
}

extension VectorCase {
    /// The answer, held against what was expected.
    func judged(_ answer: Answer) -> CaseResult {
        CaseResult(self, answer, trace: trace.filled(with: ownTrace))
    }
}

extension FileResult {
    init(_ file: VectorFile, _ results: [CaseResult]) {
        self.init(name: file.name, algorithm: file.algorithm, notes: file.notes, results: results)
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
        let outcome: Outcome
        do { outcome = try Self.outcome { try operation.output(of: test.input, from: randomness) } } catch {
            return .withoutMemory
        }
        // A right answer needs no trace, and Argon2id would take a second time as long.
        return test.expectation.isMet(by: outcome)
            ? Answer(outcome) : Answer(outcome, trace: operation.trace(of: test))
    }

    /// Throws if there is no memory for Argon2id.
    private static func outcome(_ body: () throws -> JSONValue) throws(MemoryShortage) -> Outcome {
        do { return .output(try body()) } catch let error as VectorInput.MemberFault {
            return .fault("the case's \(error.name) is missing or not what it must be")
        } catch UnwrapError.outOfMemory(let shortage) {
            throw shortage
        } catch let shortage as MemoryShortage {
            throw shortage
        } catch {
            guard let id = VectorError.name(of: error) else {
                return .fault("unexpected error \(type(of: error))")
            }
            return .error(id)
        }
    }
}
