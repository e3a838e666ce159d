internal import CloserKeys
package import CloserWire

/// One test: what an implementation gets, and what it must make of it.
package struct VectorCase: Sendable {
    /// The operation's name.
    package let operation: String
    /// Its number in the file.
    package let id: Int
    package let comment: String
    package let flags: [String]
    /// The group's parameters and the test's own members.
    package let input: VectorInput
    package let expectation: Expectation
    /// Values on the way to the output, by name, in hexadecimal.
    package let trace: Trace
    /// Why no implementation of ours can be asked; nil for most.
    package let obstacle: String?

    init(
        operation: String, id: Int, comment: String, flags: [String], input: [JSONValue.Member],
        expectation: Expectation, trace: Trace = Trace(), obstacle: String? = nil
    ) {
        (self.operation, self.id, self.comment, self.flags) = (operation, id, comment, flags)
        (self.input, self.expectation) = (VectorInput(members: input), expectation)
        (self.trace, self.obstacle) = (trace, obstacle)
    }
}

extension VectorCase {
    /// What a report says of a case that passed.
    var withoutInput: VectorCase {
        VectorCase(
            operation: operation, id: id, comment: comment, flags: flags, input: [], expectation: expectation)
    }
}

/// What an implementation must make of a case.
package enum Expectation: Sendable {
    /// Exactly these members.
    case output(JSONValue)
    /// A refusal with exactly this error.
    case error(String)
    /// A refusal, whatever its error: Wycheproof names none.
    case refusal
    /// Wycheproof's `acceptable`: this output, or a refusal.
    case outputOrRefusal(JSONValue)
    /// An output that was read back before it is judged, as this.
    case readable(as: JSONValue)

    /// Whether an outcome is what was expected.
    package func isMet(by outcome: Outcome) -> Bool {
        switch (self, outcome) {
        case (.output(let expected), .output(let output)),
            (.outputOrRefusal(let expected), .output(let output)):
            expected.canonicalBytes == output.canonicalBytes
        case (.error(let expected), .error(let error)): expected.utf8.elementsEqual(error.utf8)
        case (.refusal, .error), (.outputOrRefusal, .error), (.readable, .output): true
        default: false
        }
    }

    /// Whether no output is right.
    var isRefusal: Bool {
        switch self {
        case .error, .refusal: true
        case .output, .outputOrRefusal, .readable: false
        }
    }

    /// For a person.
    package var words: String {
        switch self {
        case .output(let value): value.line
        case .error(let id): "error \(id)"
        case .refusal: "a refusal"
        case .outputOrRefusal(let value): "\(value.line) or a refusal"
        case .readable(let value): "what we read as \(value.line)"
        }
    }
}

/// What an implementation made of a case.
package enum Outcome: Sendable {
    case output(JSONValue)
    /// It refused, with this id.
    case error(String)
    /// It does not have this operation or this size, for this reason. Not covered.
    case skipped(String)
    /// It gave no answer at all: what happened instead.
    case fault(String)

    /// For a person.
    package var words: String {
        switch self {
        case .output(let value): value.line
        case .error(let id): "error \(id)"
        case .skipped(let reason): "skipped: \(reason)"
        case .fault(let words): words
        }
    }
}

/// What an implementation made of a case, with the values on the way that it tells.
package struct Answer: Sendable {
    package let outcome: Outcome
    package let trace: Trace

    package init(_ outcome: Outcome, trace: Trace = Trace()) { (self.outcome, self.trace) = (outcome, trace) }

    /// An authentication failed, and nothing says on which values.
    var lacksTrace: Bool {
        guard case .error(ErrorID.authFailed.rawValue) = outcome else { return false }
        return trace.isEmpty
    }
}

extension JSONValue {
    /// On one line, in canonical form.
    var line: String { String(decoding: canonicalBytes, as: UTF8.self) }
}
