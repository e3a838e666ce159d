internal import CloserKeys
internal import CloserTink
internal import CloserVault

extension Failure {
    init(_ error: AnswerError) {
        self =
            switch error {
            case .exists(true):
                Failure(
                    .inputRequired, "you have already answered this question",
                    hint: "closer-keys answer status --document prints it again, --replace seals another")
            case .exists(false):
                Failure(
                    .notYet,
                    "your answer is released or the partner's is revealed, so it can no longer be replaced",
                    hint: "closer-keys answer status says where it stands")
            case .notSealed:
                Failure(
                    .notYet, "you have not answered this question",
                    hint: "seal yours first: closer-keys answer seal")
            case .severalPlaces(let count):
                Failure(
                    .inputRequired, "you have \(count) answers to this question",
                    hint: "say which with --place")
            case .reservedQuestion: .reservedQuestion
            case .payload(let error): Failure(error)
            case .textNotKept:
                Failure(
                    .noKey,
                    "the text of your answer is no longer kept: it is released, and theirs is revealed",
                    hint: "the app's server has the document; answer status without --document shows the pins"
                )
            case .release(let error): Failure(error)
            case .partnerIsSelf: Failure(.usage, "the partner is this device's own user")
            case .otherAnswer:
                Failure(
                    .authFailed, "the partner's document belongs to another user or another question",
                    hint: "check that it is the right file, of this partner and this question")
            case .ownCommitment:
                Failure(
                    .negative, code: .commitmentMismatch, "the partner's commitment is a copy of yours",
                    hint: "the server, or whoever runs it, has copied your answer")
            case .pinMismatch: .pinMismatch
            case .releasedToAnother:
                Failure(.negative, code: .pinMismatch, "your answer was released to another person before")
            case .partnerKeyChanged:
                Failure(
                    .negative, code: .partnerKeyMismatch, "the partner had another key before",
                    hint:
                        "a new device or somebody in between: closer-keys couple verify tells, and accepts the new one"
                )
            case .partnerKeyIsOurs:
                Failure(
                    .negative, code: .partnerKeyMismatch,
                    "this is this device's own key, not the partner's",
                    hint: "somebody has swapped the two; ask your partner for theirs")
            case .notVerified:
                Failure(
                    .notYet, "nobody has compared this partner's key",
                    hint: "compare safety numbers: closer-keys couple verify")
            case .noKeybox:
                Failure(
                    .notYet, "there is no key to the partner's answer here",
                    hint: "if they have released it, pass what they released with --release-key")
            case .keyboxForAnother:
                Failure(
                    .noKey, "the keybox is for another user",
                    hint: "your partner must release to this device's user: closer-keys device show")
            case .keybox(.noMatchingKey):
                Failure(
                    .noKey, "the keybox is sealed to a key that this device does not have",
                    hint: "your partner must release to this device's key: closer-keys device show")
            case .keybox(let error): Failure(error)
            case .oneTimeKey(let error): Failure(error)
            case .reveal(let error): Failure(error)
            case .unauthenticated(let isFinal):
                Failure(
                    .notYet, code: .unauthenticated, "nothing proves who wrote this answer",
                    hint: isFinal
                        ? "this partner's answers have always proven it; do not trust this one"
                        : "if the partner's app is known to seal without proof, use --allow-unauthenticated")
            case .serverForgeable:
                Failure(
                    .negative, code: .serverForgeable,
                    "this answer is proven under a key that the server may hold, and was not pinned before the rekey",
                    hint: "if the question is still open, have your partner seal it anew"
                )
            }
    }

    private static let pinMismatch = Failure(
        .negative, code: .pinMismatch, "this is not the answer that was seen before",
        hint: "settle this one by talking; closer-keys answer status says where it stands")

    init(_ error: RevealError) {
        self =
            switch error {
            case .sealed(.noMatchingKey):
                Failure(
                    .authFailed, "the one-time key is not this answer's",
                    hint: "the release is another answer's, or one of the two was swapped")
            case .sealed(let error): Failure(error)
            case .commitmentMismatch:
                Failure(
                    .negative, code: .commitmentMismatch, "this is not what the author committed to",
                    hint: "the sealed text or its commitment was swapped")
            case .pinMismatch: .pinMismatch
            case .malformed:
                Failure(.malformed, "the answer opened, but it is not one JSON object in the required form")
            case .macInvalid:
                Failure(
                    .authFailed, code: .macInvalid, "nobody with this couple's key wrote this answer",
                    hint:
                        "somebody with public keys alone could have made it, or a rekey was not accepted here yet"
                )
            case .placeMismatch:
                Failure(
                    .negative, code: .placeMismatch, "this answer was written for another day or thread",
                    hint: "check --place; if it is right, somebody shows an answer where it does not belong")
            }
    }

    init(_ error: AnswerPayload.FormatError) {
        self =
            switch error {
            case .malformed: Failure(.malformed, "an answer is one JSON object, in strict JSON")
            case .reservedName: Failure(.malformed, "names that begin with _ are reserved")
            case .tooLarge: Failure(.limit, "an answer has at most 65536 bytes")
            case .tooShort:
                Failure(
                    .malformed, "in the compat profile an answer has at least 27 bytes in canonical form",
                    hint: "use --profile hardened, which pads")
            }
    }

    init(_ error: AnswerContext.ReservedQuestion) { self = .reservedQuestion }

    static let reservedQuestion = Failure(.malformed, "question ids that begin with ck. are reserved")

    init(_ error: AnswerPlace.FormatError) {
        self = Failure(.malformed, "a place is daily:YYYY-MM-DD or thread:ID")
    }
}
