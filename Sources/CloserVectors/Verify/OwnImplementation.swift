internal import CloserPrimitives
internal import CloserWire

/// What closer-keys itself makes of a case, by the operation's name.
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
        // Nobody asks how a right answer came about, and Argon2id takes its time.
        return test.expectation.isMet(by: outcome)
            ? Answer(outcome) : Answer(outcome, trace: operation.trace(of: test))
    }

    private static func outcome(_ body: () throws -> JSONValue) -> Outcome {
        do { return .output(try body()) } catch let error as VectorInput.MemberFault {
            return .fault("the case's \(error.name) is missing or not what it must be")
        } catch {
            guard let id = VectorError.name(of: error) else {
                return .fault("unexpected error \(type(of: error))")
            }
            return .error(id)
        }
    }
}
