internal import CloserKeys
internal import CloserVault
internal import CloserWire

/// What a run says when it fails: the name for scripts, which gives the exit code, and the words for people.
///
/// Both texts are lower case, without a full stop. The message says what is wrong, the hint what to type next. Neither
/// quotes input.
struct CLIError: Error {
    /// The `code` of an error in JSON.
    let id: ErrorID
    let message: String
    let hint: String?
    /// Whether the result on standard output already tells of the failure.
    var isReported = false

    var status: ExitStatus { id.status }

    init(_ id: ErrorID, _ message: String, hint: String? = nil) {
        (self.id, self.message, self.hint) = (id, message, hint)
    }

    /// An error of the libraries in its own words. `hint` replaces the error's own.
    init(_ words: ErrorWords, hint: String? = nil) {
        self.init(words.id, words.message, hint: hint ?? words.hint)
    }

    /// What stands for `error`: `.internal` for an unexpected one.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as CLIError: error
            case let error as VaultError: CLIError(error.words, hint: error.hint)
            case let error as any WordedError: CLIError(error.words)
            default: CLIError(.internal, "unexpected error \(type(of: error))", hint: "please report this")
            }
    }

    /// A token's error, with the name of the token.
    init(_ error: TokenError, noun: String) { self.init(error.words(of: noun)) }

    /// The failure as `--json` shows it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(id.rawValue)), .init("exit", .number(Double(status.rawValue))),
            .init("message", .string(message)),
        ]
        if let hint { members.append(.init("hint", .string(hint))) }
        return .object(members)
    }

    func of(_ subject: String) -> CLIError { CLIError(id, "\(subject): \(message)", hint: hint) }

    func adding(_ other: String) -> CLIError { CLIError(id, "\(message); and \(other)", hint: hint) }

    func hinting(_ hint: String) -> CLIError { CLIError(id, message, hint: hint) }

    /// A failure that the result on standard output describes in full.
    static func reported(_ message: String, _ id: ErrorID = .negative, hint: String? = nil) -> CLIError {
        var error = CLIError(id, message, hint: hint)
        error.isReported = true
        return error
    }
}
