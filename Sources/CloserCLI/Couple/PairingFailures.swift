internal import CloserKeys
internal import CloserVault

extension Failure {
    init(_ error: PairingStepError) {
        self =
            switch error {
            case .answerWaiting:
                Failure(
                    .notYet, error,
                    hint:
                        "closer-keys couple finish takes the grant; couple accept --cancel gives the answer up"
                )
            case .inviteOpen:
                Failure(
                    .notYet, error,
                    hint: "closer-keys couple invite --cancel closes it; or let your partner accept it")
            case .ownInvite: Failure(.usage, error)
            case .otherCouple, .noInvite, .noAnswer: Failure(.noKey, error)
            case .inviteUsed: Failure(.negative, code: .inviteUsed, error)
            case .inviteClosed(_):
                Failure(.notYet, code: .inviteClosed, error, hint: "closer-keys couple invite makes another")
            case .notTheNamed:
                Failure(.authFailed, error, hint: "check --partner, and that it is the right file")
            case .otherPartner: Failure(.notYet, code: .otherPartner, error)
            case .partnerKeyChanged:
                Failure(
                    .notYet, code: .partnerKeyChanged, error,
                    hint: "if they have a new device, take its key with --new-key")
            case .required:
                Failure(
                    .notYet, code: .downgrade, error,
                    hint:
                        "closer-keys couple invite pairs; device policy --no-require-paired allows v1 invites"
                )
            case .refused(let refusal, _): Failure(refusal: refusal, error)
            case .keyOfBefore:
                Failure(
                    .negative, code: .keyMismatch, error,
                    hint: "closer-keys couple accept --cancel gives it up; a new invite brings another key")
            case .changedMeanwhile: Failure(.notYet, error)
            }
    }

    /// `words` tells what happened.
    private init(refusal error: PairingError, _ words: PairingStepError) {
        self =
            switch error {
            case .otherCode: Failure(.authFailed, words)
            case .otherInvite: Failure(.noKey, words)
            case .ownUser: Failure(.usage, words)
            case .ownKey: Failure(.negative, code: .partnerKeyMismatch, words)
            case .codeMismatch:
                Failure(.authFailed, code: .codeMismatch, words)
            case .macInvalid: Failure(.authFailed, code: .macInvalid, words)
            case .malformed: Failure(.malformed, words)
            case .epochMismatch: Failure(.negative, code: .epochMismatch, words)
            case .keyMismatch: Failure(.negative, code: .keyMismatch, words)
            case .epochTooHigh, .tooManyKeys: Failure(.limit, words)
            }
    }
}
