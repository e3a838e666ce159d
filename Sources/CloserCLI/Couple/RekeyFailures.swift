internal import CloserKeys
internal import CloserTink
internal import CloserVault

extension Failure {
    init(_ error: RekeyError) {
        self =
            switch error {
            case .partnerIsSelf: Failure(.usage, "the partner is this device's own user")
            case .notVerified:
                Failure(
                    .notYet, "nobody has compared this partner's key on this device",
                    hint: "compare safety numbers first: closer-keys couple verify")
            case .partnerSends:
                Failure(
                    .notYet, "the partner sends the new key, because their user id sorts first",
                    hint: "run couple rekey on their device, and here couple rekey --accept")
            case .weSend:
                Failure(
                    .notYet, "this device sends the new key, because its user id sorts first",
                    hint: "run couple rekey here, and couple rekey --accept on your partner's device")
            case .forAnother: Failure(.noKey, "this rekey is for another user")
            case .fromAnother:
                Failure(
                    .authFailed, "this rekey is from somebody other than the partner",
                    hint: "check --partner, and that it is the right file")
            case .opening(let error): Failure(error)
            case .epoch(let epoch, let expected):
                Failure(
                    .negative, code: .epochMismatch,
                    "this is rekey \(epoch), and this device expects \(expected)",
                    hint: epoch < expected
                        ? "it is an old one; if your partner's device was recovered: rekey --new --epoch \(expected) there"
                        : "ask your partner for the one before, or take this one with --allow-gap: it brings every key"
                )
            case .losesKeys:
                Failure(
                    .negative, code: .keyMismatch, "a key that this device holds is not in this rekey",
                    hint: "if your partner retired it, retire it here, too: closer-keys couple retire")
            case .oldPrimary:
                Failure(
                    .negative, code: .keyMismatch,
                    "this rekey brings no new key: its primary is one of this device's")
            case .keyset(.tooManyKeys(_)):
                Failure(
                    .limit, "a couple has at most 32 keys", hint: "retire old ones: closer-keys couple retire"
                )
            case .keyset(.noSuchKey(let id)):
                Failure(
                    .noKey, "this couple has no key \(id)", hint: "closer-keys couple show lists its keys")
            case .keyset(.isPrimary(let id)):
                Failure(
                    .notYet, "key \(id) is the one that seals",
                    hint: "closer-keys couple rekey makes another first")
            case .keyset(let error): Failure(error)
            case .changedMeanwhile:
                Failure(.notYet, "another process changed this couple at the same time", hint: "run it again")
            }
    }

    private init(_ error: Rekey.OpenError) {
        self =
            switch error {
            case .keybox(.noMatchingKey):
                Failure(
                    .noKey, "this rekey is sealed to a key that this device does not have",
                    hint: "your partner must verify this device's key: closer-keys device show")
            case .keybox(let error): Failure(error)
            case .macInvalid:
                Failure(
                    .authFailed, code: .macInvalid,
                    "the device whose key you compared did not make this rekey",
                    hint: "do not trust whoever handed it over; compare safety numbers again")
            case .malformed:
                Failure(.malformed, "this rekey is authentic, but it is not in the required form")
            case .keyset(let error): Failure(error)
            }
    }
}
