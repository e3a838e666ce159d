internal import CloserKeys
internal import CloserWire

/// What a run says when it fails: the exit code for scripts, the words for people.
///
/// Lower case, no full stop. The message says what, the hint says what to type next. Neither quotes input.
struct Failure: Error {
    let status: ExitStatus
    /// The name scripts compare: the status's, or a more exact one.
    let code: ErrorID
    let message: String
    let hint: String?
    /// Whether the result on standard output says it already.
    var isReported = false

    init(_ status: ExitStatus, code: ErrorID? = nil, _ message: String, hint: String? = nil) {
        guard let code = code ?? status.error, code.statuses.contains(status) else {
            preconditionFailure("no error of this name ends a run with \(status.rawValue)")
        }
        (self.status, self.code, self.message, self.hint) = (status, code, message, hint)
    }

    /// What `--json` says of it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(code.rawValue)), .init("exit", .number(Double(status.rawValue))),
            .init("message", .string(message)),
        ]
        if let hint { members.append(.init("hint", .string(hint))) }
        return .object(members)
    }

    /// The same, with what it is about in front.
    func of(_ subject: String) -> Failure {
        Failure(status, code: code, "\(subject): \(message)", hint: hint)
    }

    /// The same, with what to type next.
    func hinting(_ hint: String) -> Failure { Failure(status, code: code, message, hint: hint) }

    /// A definite no that the result has told in full.
    static func reported(_ message: String, code: ErrorID? = nil, hint: String? = nil) -> Failure {
        var failure = Failure(.negative, code: code, message, hint: hint)
        failure.isReported = true
        return failure
    }
}
