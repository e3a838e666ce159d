internal import CloserKeys
internal import CloserTink
internal import CloserVault

extension Failure {
    init(_ error: RekeyError) {
        self =
            switch error {
            case .partnerIsSelf: Failure(.usage, error)
            case .notVerified:
                Failure(.notYet, error, hint: "compare safety numbers first: closer-keys couple verify")
            case .partnerSends:
                Failure(
                    .notYet, error,
                    hint: "run couple rekey on their device, and here couple rekey --accept")
            case .weSend:
                Failure(
                    .notYet, error,
                    hint: "run couple rekey here, and couple rekey --accept on your partner's device")
            case .forAnother: Failure(.noKey, error)
            case .fromAnother:
                Failure(.authFailed, error, hint: "check --partner, and that it is the right file")
            case .opening(let error): Failure(error)
            case .epoch(let epoch, let expected):
                Failure(
                    .negative, code: .epochMismatch, error,
                    hint: epoch < expected
                        ? "it is an old one; if your partner's device was recovered: rekey --new --epoch \(expected) there"
                        : "ask your partner for the one before, or take this one with --allow-gap: it brings every key"
                )
            case .epochTooHigh(_): Failure(.limit, error)
            case .losesKeys(primary: true):
                Failure(
                    .negative, code: .keyMismatch, error,
                    hint: "pair anew, which unites them: closer-keys couple invite")
            case .losesKeys(primary: false):
                Failure(
                    .negative, code: .keyMismatch, error,
                    hint:
                        "if your partner says that they retired it, retire it here, too: closer-keys couple retire; its id does not come back then"
                )
            case .oldPrimary: Failure(.negative, code: .keyMismatch, error)
            case .keyset(.tooManyKeys(_)):
                Failure(.limit, error, hint: "retire old ones: closer-keys couple retire")
            case .keyset(.noSuchKey(_)):
                Failure(.noKey, error, hint: "closer-keys couple show lists its keys")
            case .keyset(.isPrimary(_)):
                Failure(.notYet, error, hint: "closer-keys couple rekey makes another first")
            case .keyset(let error): Failure(error)
            case .changedMeanwhile: Failure(.notYet, error)
            }
    }

    private init(_ error: Rekey.OpenError) {
        self =
            switch error {
            case .keybox(.noMatchingKey):
                Failure(
                    .noKey, error,
                    hint: "your partner must verify this device's key: closer-keys device show")
            case .keybox(let error): Failure(error)
            case .macInvalid: Failure(.authFailed, code: .macInvalid, error)
            case .malformed: Failure(.malformed, error)
            case .keyset(let error): Failure(error)
            }
    }
}
