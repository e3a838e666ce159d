internal import CloserKeys
internal import CloserVault
internal import CloserWire

extension Failure {
    init(_ error: CoupleError) {
        self =
            switch error {
            case .unknown: Failure(.noKey, error, hint: "closer-keys couple list shows them")
            case .exists:
                Failure(
                    .inputRequired, error,
                    hint: "closer-keys couple show says where it stands; couple forget removes it")
            case .notEncrypted:
                Failure(.notYet, error, hint: "one of the two makes it: closer-keys couple create")
            case .lowered: .lowered
            case .bringsKeys:
                Failure(.notYet, error, hint: "pair anew: closer-keys couple invite, or couple accept")
            case .lacksKey, .olderKey, .otherPrimary, .changedMeanwhile: Failure(.notYet, error)
            case .invite(let error): Failure(error, secret: "code")
            case .wrap(let error): Failure(error, secret: "phrase")
            case .neverInvited:
                Failure(
                    .notYet, error,
                    hint:
                        "to bring it to another device, run couple recover there with the phrase and what couple show --document prints"
                )
            case .noInvite:
                Failure(
                    .noKey, error,
                    hint:
                        "the device that made the couple has it; or make another, with a new phrase: couple rewrap"
                )
            }
    }

    static let lowered = Failure(.notYet, code: .downgrade, .loweredVersion)

    init(_ error: UnwrapError, secret: String) {
        let words = error.words(for: secret)
        self =
            switch error {
            case .malformed, .wrongCosts: Failure(.malformed, words)
            case .authenticationFailed: Failure(.authFailed, words)
            case .keyset(let error): Failure(error)
            case .outOfMemory(let shortage): Failure(shortage)
            }
    }

    init(_ error: InviteCode.FormatError) { self.init(.malformed, error) }
}
