package import CloserWire

/// What an implementation must make of a case.
package enum Expectation: Sendable {
    /// Exactly these members.
    case output(JSONValue)
    /// A refusal with exactly this error.
    case error(String)
    /// A refusal with any error, since Wycheproof names none.
    case refusal
    /// This output or a refusal: what Wycheproof calls `acceptable`.
    case outputOrRefusal(JSONValue)
    /// Any output that we read back as this. The caller reads it back before the case is judged.
    case readable(as: JSONValue)

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

    var isRefusal: Bool {
        switch self {
        case .error, .refusal: true
        case .output, .outputOrRefusal, .readable: false
        }
    }

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
    /// It lacks this operation or this size, for this reason. The case counts as not covered.
    case skipped(String)
    /// It stayed silent; the words say what happened instead.
    case fault(String)

    /// Whether it refused because an authentication failed.
    package var isUnauthentic: Bool {
        guard case .error(ErrorID.authFailed.rawValue) = self else { return false }
        return true
    }

    package var words: String {
        switch self {
        case .output(let value): value.line
        case .error(let id): "error \(id)"
        case .skipped(let reason): "skipped: \(reason)"
        case .fault(let words): words
        }
    }
}

/// What an implementation made of a case, with the values on the way that it told.
package struct Answer: Sendable {
    package let outcome: Outcome
    package let trace: Trace
    package var duration = Duration.zero
    /// Whether what was sealed stayed closed when we read it back.
    package var isReadBackInVain = false

    /// Whether there was no memory for it at that time.
    private(set) var lacksMemory = false

    package init(_ outcome: Outcome, trace: Trace = Trace()) { (self.outcome, self.trace) = (outcome, trace) }

    /// To a case that was not asked.
    static let tooLate = Answer(.skipped("not asked: too many cases had failed"))

    /// Not the error `limit`, which a case may expect.
    static var withoutMemory: Answer {
        var answer = Answer(.fault("the system gave no memory for Argon2id"))
        answer.lacksMemory = true
        return answer
    }

    /// Whether an authentication failed, here or when we read back, and the implementation did not tell the values it used.
    var lacksTrace: Bool {
        trace.isEmpty && (outcome.isUnauthentic || isReadBackInVain)
    }
}

extension JSONValue {
    /// On one line, in canonical form.
    package var line: String { String(decoding: canonicalBytes, as: UTF8.self) }
}
