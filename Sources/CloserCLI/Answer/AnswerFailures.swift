internal import CloserKeys
internal import CloserTink
internal import CloserVault

extension Failure {
    init(_ error: AnswerError) {
        self =
            switch error {
            case .exists(true):
                Failure(
                    .inputRequired, error,
                    hint: "closer-keys answer status --document prints it again, --replace seals another")
            case .exists(false):
                Failure(.notYet, error, hint: "closer-keys answer status says where it stands")
            case .notSealed: Failure(.notYet, error, hint: "seal yours first: closer-keys answer seal")
            case .severalPlaces: Failure(.inputRequired, error, hint: "say which with --place")
            case .reservedQuestion: Failure(.malformed, error)
            case .payload(let error): Failure(error)
            case .textNotKept:
                Failure(
                    .noKey, error,
                    hint: "the app's server has the document; answer status without --document shows the pins"
                )
            case .release(let error): Failure(error)
            case .partnerIsSelf: Failure(.usage, error)
            case .otherAnswer: Failure(.authFailed, error)
            case .ownCommitment: Failure(.negative, code: .commitmentMismatch, error)
            case .pinMismatch: Failure(RevealError.pinMismatch)
            case .releasedToAnother: Failure(.negative, code: .pinMismatch, error)
            case .releasedToFormerKey: Failure(.negative, code: .partnerKeyMismatch, error)
            case .partnerKeyChanged:
                Failure(
                    .negative, code: .partnerKeyMismatch, error,
                    hint:
                        "a new device or somebody in between: closer-keys couple verify tells which, and accepts the new key"
                )
            case .partnerKeyIsOurs: Failure(.negative, code: .partnerKeyMismatch, error)
            case .notVerified:
                Failure(.notYet, error, hint: "compare safety numbers: closer-keys couple verify")
            case .noKeybox:
                Failure(
                    .notYet, error,
                    hint: "if they have released it, pass what they released with --release-key")
            case .keyboxForAnother:
                Failure(
                    .noKey, error,
                    hint: "your partner must release to this device's user: closer-keys device show")
            case .keybox(.noMatchingKey):
                Failure(
                    .noKey, error,
                    hint: "your partner must release to this device's key: closer-keys device show")
            case .keybox(let error): Failure(error)
            case .oneTimeKey(let error): Failure(error)
            case .reveal(let error): Failure(error)
            case .unauthenticated(let isFinal):
                Failure(
                    .notYet, code: .unauthenticated, error,
                    hint: isFinal
                        ? nil
                        : "if the partner's app is known to seal without proof, use --allow-unauthenticated")
            case .serverForgeable: Failure(.negative, code: .serverForgeable, error)
            }
    }

    init(_ error: RevealError) {
        self =
            switch error {
            case .sealed(.noMatchingKey): Failure(.authFailed, error)
            case .sealed(let error): Failure(error)
            case .commitmentMismatch: Failure(.negative, code: .commitmentMismatch, error)
            case .pinMismatch:
                Failure(
                    .negative, code: .pinMismatch, error,
                    hint: "settle this one by talking; closer-keys answer status says where it stands")
            case .malformed: Failure(.malformed, error)
            case .macInvalid: Failure(.authFailed, code: .macInvalid, error)
            case .placeMismatch:
                Failure(
                    .negative, code: .placeMismatch, error,
                    hint: "check --place; if it is right, somebody shows an answer where it does not belong")
            }
    }

    init(_ error: AnswerPayload.FormatError) {
        self =
            switch error {
            case .malformed, .reservedName: Failure(.malformed, error)
            case .tooLarge: Failure(.limit, error)
            case .tooShort: Failure(.malformed, error, hint: "use --profile hardened, which pads")
            }
    }

    init(_ error: AnswerContext.ReservedQuestion) { self.init(.malformed, error) }

    init(_ error: AnswerPlace.FormatError) { self.init(.malformed, error) }
}
