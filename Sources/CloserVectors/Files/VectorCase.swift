package import CloserWire

/// One test: the input that an implementation gets, and the result that it must give.
package struct VectorCase: Sendable {
    package let operation: String
    /// Its number in the file.
    package let id: Int
    package let comment: String
    package let flags: [String]
    /// The group's parameters and the test's own members.
    package let input: VectorInput
    package private(set) var expectation: Expectation
    /// Values on the way to the output, by name, in hexadecimal.
    package let trace: Trace
    /// Why our primitives cannot be asked, such as a key size that they lack; nil for most cases.
    package let obstacle: String?

    package init(
        operation: String, id: Int, comment: String, flags: [String], input: [JSONValue.Member],
        expectation: Expectation, trace: Trace = Trace(), obstacle: String? = nil
    ) {
        (self.operation, self.id, self.comment, self.flags) = (operation, id, comment, flags)
        (self.input, self.expectation) = (VectorInput(members: input), expectation)
        (self.trace, self.obstacle) = (trace, obstacle)
    }
}

extension VectorCase {
    /// Our values on the way to its output.
    package var ownTrace: Trace { VectorOperation.named(operation)?.trace(of: self) ?? Trace() }

    /// This case, which takes any error where it expects a certain one.
    var takingAnyRefusal: VectorCase {
        guard case .error = expectation else { return self }
        var test = self
        test.expectation = .refusal
        return test
    }

    /// This case as a report has it if it passed: without its input.
    var withoutInput: VectorCase {
        VectorCase(
            operation: operation, id: id, comment: comment, flags: flags, input: [], expectation: expectation)
    }
}
