internal import CloserWire

/// How we read what another implementation sealed.
struct ReadBack {
    /// The operation of ours.
    let operation: String
    /// What it takes beside the output.
    let input: JSONValue
    /// The members that the output has, exactly these.
    let outputs: [String]
    let expected: JSONValue
    /// The same with all keys: what only this reads was sealed under a key that is not the primary.
    let wider: JSONValue?
    /// What in the output must be new each time.
    let fresh: (JSONValue) throws -> [UInt8]
    /// What that is.
    let freshName: String

    /// The output, if it can be read and repeats nothing of `earlier`, to which it is added; else what is wrong.
    func outcome(of output: JSONValue, id: Int, besides earlier: inout [[UInt8]: Int]) -> Outcome {
        guard (output.members ?? []).map(\.name).sorted() == outputs.sorted() else {
            return .fault("its members are not \(outputs.joined(separator: ", ")): \(output.line)")
        }
        let read = OwnImplementation().answer(test(of: output, input)).outcome
        guard Expectation.output(expected).isMet(by: read) else {
            return .fault("\(words(for: read, output)): \(output.line)")
        }
        guard let fresh = try? fresh(output) else {
            return .fault("it cannot be taken apart: \(output.line)")
        }
        if let before = earlier.updateValue(id, forKey: fresh) {
            return .fault("the \(freshName) of case \(before) again: \(output.line)")
        }
        return .output(output)
    }

    private func words(for read: Outcome, _ output: JSONValue) -> String {
        if let wider,
            Expectation.output(expected).isMet(
                by: OwnImplementation().answer(test(of: output, wider)).outcome)
        {
            return "sealed under a key that is not the primary"
        }
        return "read back: \(read.words)"
    }

    /// The case of reading it.
    func test(of output: JSONValue) -> VectorCase { test(of: output, input) }

    private func test(of output: JSONValue, _ input: JSONValue) -> VectorCase {
        VectorCase(
            operation: operation, id: 0, comment: "", flags: [], input: input.merging(output).members ?? [],
            expectation: .output(expected))
    }
}
