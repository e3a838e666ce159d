internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserVault

// Every error of the libraries, in words and with its exit code. The one place that knows both.

extension Failure {
    /// The failure that stands for `error`; `.internal` for one that nobody foresaw.
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
            case let error as StreamSealError: Failure(error)
            case let error as FileError: Failure(error)
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
            default: Failure(ofAForm: error)
            }
    }

    /// Errors that only say that a text has not the form it should have.
    private init(ofAForm error: any Error) {
        self =
            switch error {
            case is Identifier.FormatError:
                Failure(
                    .malformed, "an identifier has 1 to 128 of the characters a-z A-Z 0-9 . _ - : @ +")
            case is AnswerContext.ReservedQuestion:
                .reservedQuestion
            case is AnswerPlace.FormatError:
                Failure(.malformed, "a place is daily:YYYY-MM-DD or thread:ID")
            case is InviteCode.FormatError:
                Failure(.malformed, "an invite code has six letters and digits")
            case is RecoveryPhrase.FormatError:
                Failure(.malformed, "a recovery phrase has 1 to 1024 bytes")
            default: Failure(.internal, "unexpected error \(type(of: error))", hint: "please report this")
            }
    }

    static let reservedQuestion = Failure(.malformed, "question ids that begin with ck. are reserved")

    init(_ error: OpenError) {
        self =
            switch error {
            case .tooShort: Failure(.malformed, "too short to be a ciphertext")
            case .noMatchingKey:
                Failure(
                    .noKey, "no enabled key here has the id that the ciphertext names",
                    hint:
                        "inspect shows the id; couple show or keyset list the keys; a rekey may not be accepted yet"
                )
            case .notAStream: Failure(.malformed, "this is not a sealed file")
            case .authenticationFailed:
                Failure(
                    .authFailed, "it does not open: another key, another context, or a changed byte",
                    hint: "check the couple, the question or the context that it was sealed for")
            case .contextTooLong: Failure(.limit, "a context has at most 32768 bytes")
            }
    }

    private init(_ error: HybridSealError) {
        self =
            switch error {
            case .notAPublicKeyset:
                Failure(.malformed, "this is not a public key", hint: "closer-keys keyset public makes one")
            case .contextTooLong: Failure(.limit, "a context has at most 32768 bytes")
            }
    }

    private init(_ error: FieldSealError) {
        self = Failure(.limit, "a field holds at most \(CoupleKey.maximumFieldByteCount) bytes")
    }

    private init(_ error: PublicKeyTokenError) {
        self =
            switch error {
            case .token(let error): Failure(error, noun: "public key")
            case .keyset(let error): Failure(error).of("the public key")
            case .severalKeys: Failure(.malformed, "a public key token holds exactly one key")
            }
    }

    init(_ error: TokenError, noun: String) {
        self =
            switch error {
            case .notAToken:
                Failure(.malformed, "this is no \(noun)", hint: "closer-keys inspect says what it is")
            case .unsupportedVersion:
                Failure(.malformed, "this \(noun) has a version that this program does not know")
            case .malformed: Failure(.malformed, "this \(noun) is not in its one valid spelling")
            }
    }

    private init(_ error: FileError) {
        self =
            switch error {
            case .cannotOpen(let path, let reason):
                Failure(.noInput, "cannot read \(path): \(reason.lowercased())")
            case .cannotCreate(let path, let reason):
                Failure(.cantCreate, "cannot create \(path): \(reason.lowercased())")
            case .readFailed(let path, let reason):
                Failure(.ioError, "reading \(path) failed: \(reason.lowercased())")
            case .writeFailed(let path, let reason):
                Failure(.ioError, "writing \(path) failed: \(reason.lowercased())")
            case .exists(let path):
                Failure(
                    .inputRequired, "\(path) exists", hint: "name another file, or use --force to replace it")
            case .isInput(let path):
                Failure(
                    .inputRequired, "\(path) is in use by this same command",
                    hint: "write to another file, then move it over this one")
            case .tooLarge(let path, let maximum): Failure(.limit, "\(path) has more than \(maximum) bytes")
            }
    }
}
