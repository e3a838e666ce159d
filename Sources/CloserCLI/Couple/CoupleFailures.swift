internal import CloserKeys
internal import CloserVault

extension Failure {
    init(_ error: CoupleError) {
        self =
            switch error {
            case .unknown:
                Failure(.noKey, "this vault has no such couple", hint: "closer-keys couple list shows them")
            case .exists:
                Failure(
                    .inputRequired, "this vault has that couple already",
                    hint: "closer-keys couple show says where it stands; couple forget removes it")
            case .notEncrypted:
                Failure(
                    .notYet, "this couple has no wrapped key yet, so there is nothing to recover",
                    hint: "one of the two makes it: closer-keys couple create")
            case .lowered: .lowered
            case .lacksKey:
                Failure(
                    .notYet, "the document lacks a key that this device holds, so nothing was changed",
                    hint: "the document is older than this device, or another couple's")
            case .olderKey: Failure(.notYet, "the key in the document is older than this device's last rekey")
            case .invite(let error): Failure(error, secret: "code")
            case .wrap(let error): Failure(error, secret: "phrase")
            case .neverInvited:
                Failure(
                    .notYet, "an invite would hand out the key that no server has seen",
                    hint:
                        "bring it to another device with couple recover: the phrase and couple show --document"
                )
            case .changedMeanwhile:
                Failure(.notYet, "another process changed this couple at the same time", hint: "run it again")
            case .noInvite:
                Failure(
                    .noKey, "no invite was made in this vault",
                    hint:
                        "the device that made the couple has it; or make another, with a new phrase: couple rewrap"
                )
            }
    }

    static let lowered = Failure(
        .notYet, code: .downgrade, "the document has a lower encryption version than before",
        hint: "do not go on: whoever changed it wants to read the texts")

    init(_ error: UnwrapError, secret: String) {
        self =
            switch error {
            case .malformed: Failure(.malformed, "the wrapped key or its salt is malformed")
            case .wrongCosts:
                Failure(.malformed, "kdfParams must be argon2id, version 19, with m=46080, t=3 and p=1")
            case .authenticationFailed:
                Failure(
                    .authFailed, "it does not open: another \(secret), or a changed byte",
                    hint: "check the \(secret), and that the document is this couple's")
            case .keyset(let error): Failure(error)
            case .outOfMemory(let shortage): Failure(shortage)
            }
    }

    init(_ error: InviteCode.FormatError) {
        self = Failure(.malformed, "an invite code has six letters and digits")
    }
}
