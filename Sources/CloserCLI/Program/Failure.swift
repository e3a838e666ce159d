internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

/// What a run says when it fails: the exit code for scripts, the words for people.
///
/// Both texts are lower case, without a full stop. The message says what is wrong, the hint what to type next. Neither
/// quotes input.
struct Failure: Error {
    let status: ExitStatus
    /// The name that scripts compare: that of the exit code, or a more exact one.
    let code: ErrorID
    let message: String
    let hint: String?
    /// Whether the result on standard output already tells of the failure.
    var isReported = false

    init(_ status: ExitStatus, code: ErrorID? = nil, _ message: String, hint: String? = nil) {
        guard let code = code ?? status.error, code.statuses.contains(status) else {
            preconditionFailure("no error of this name ends a run with \(status.rawValue)")
        }
        (self.status, self.code, self.message, self.hint) = (status, code, message, hint)
    }

    /// An error of the libraries in its own words. `hint` names the command or the option that helps; without it, the error's own
    /// advice is the hint.
    init(_ status: ExitStatus, code: ErrorID? = nil, _ error: some WordedError, hint: String? = nil) {
        self.init(status, code: code, error.words, hint: hint)
    }

    /// An error in words that several errors share.
    init(_ status: ExitStatus, code: ErrorID? = nil, _ words: ErrorWords, hint: String? = nil) {
        self.init(status, code: code, words.message, hint: hint ?? words.advice)
    }

    /// The failure as `--json` shows it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(code.rawValue)), .init("exit", .number(Double(status.rawValue))),
            .init("message", .string(message)),
        ]
        if let hint { members.append(.init("hint", .string(hint))) }
        return .object(members)
    }

    /// This failure with its subject in front.
    func of(_ subject: String) -> Failure {
        Failure(status, code: code, "\(subject): \(message)", hint: hint)
    }

    /// This failure, and one more that came with it.
    func adding(_ other: String) -> Failure {
        Failure(status, code: code, "\(message); and \(other)", hint: hint)
    }

    /// This failure with another hint.
    func hinting(_ hint: String) -> Failure { Failure(status, code: code, message, hint: hint) }

    /// A failure that the result on standard output describes in full.
    static func reported(
        _ message: String, status: ExitStatus = .negative, hint: String? = nil
    ) -> Failure {
        var failure = Failure(status, message, hint: hint)
        failure.isReported = true
        return failure
    }
}

// The failure for each error of the libraries: its exit code, and what to type next. The words are the error's own, and stand beside
// it. The failures of a noun stand in the noun's folder; here are those of errors that several nouns share.

extension Failure {
    /// The failure that stands for `error`: `.internal` for an error that should not have come this far.
    init(_ error: any Error) {
        self =
            switch error {
            case let failure as Failure: failure
            case let error as OpenError: Failure(error)
            case let error as KeysetError: Failure(error)
            case let error as TokenError: Failure(error, noun: "token")
            case let error as PublicKeyTokenError: Failure(error)
            case let error as HybridSealError: Failure(error)
            case let error as FieldSealError: Failure(error)
            case let error as FieldKeyError: Failure(error)
            case let error as StreamSealError: Failure(error)
            case let error as FileError: Failure(error)
            case let error as MemoryShortage: Failure(error)
            case let error as VaultError: Failure(error)
            case let error as CoupleError: Failure(error)
            case let error as UnwrapError: Failure(error, secret: "phrase")
            case let error as AnswerError: Failure(error)
            case let error as RekeyError: Failure(error)
            case let error as VerificationError: Failure(error)
            case let error as RevealError: Failure(error)
            case let error as AnswerPayload.FormatError: Failure(error)
            case let error as X25519KeyError: Failure(error)
            case let error as AgreementError: Failure(error)
            case let error as SafetyNumberError: Failure(error)
            case let error as ChatSealError: Failure(error)
            case let error as ChatOpenError: Failure(error)
            case let error as ChatFormatError: Failure(error)
            case let error as Identifier.FormatError: Failure(error)
            case let error as AnswerContext.ReservedQuestion: Failure(error)
            case let error as AnswerPlace.FormatError: Failure(error)
            case let error as InviteCode.FormatError: Failure(error)
            case let error as RecoveryPhrase.FormatError: Failure(error)
            default: Failure(.internal, "unexpected error \(type(of: error))", hint: "please report this")
            }
    }

    init(_ error: Identifier.FormatError) { self.init(.malformed, error) }

    init(_ error: OpenError) {
        self =
            switch error {
            case .tooShort, .notAStream: Failure(.malformed, error)
            case .noMatchingKey:
                Failure(
                    .noKey, error,
                    hint:
                        "inspect shows the key's id; couple show or keyset list shows the keys here; perhaps a rekey has not been accepted yet"
                )
            case .authenticationFailed: Failure(.authFailed, error)
            case .contextTooLong: Failure(.limit, error)
            }
    }

    init(_ error: TokenError, noun: String) {
        let isToken = error != .notAToken
        self.init(
            .malformed, error.words(of: noun), hint: isToken ? nil : "closer-keys inspect says what it is")
    }

    private init(_ error: FileError) {
        self =
            switch error {
            case .cannotOpen: Failure(.noInput, error.message)
            case .cannotCreate: Failure(.cantCreate, error.message)
            case .readFailed, .writeFailed: Failure(.ioError, error.message)
            case .exists:
                Failure(
                    .inputRequired, error.message, hint: "name another file, or use --force to replace it")
            case .isInput:
                Failure(
                    .inputRequired, error.message, hint: "write to another file, then move it over this one")
            case .tooLarge: Failure(.limit, error.message)
            }
    }
}
