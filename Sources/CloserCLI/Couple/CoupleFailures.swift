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
                    hint: "closer-keys couple show --invite prints its invite again")
            case .notEncrypted:
                Failure(
                    .notYet, "this couple has no wrapped key yet, so there is nothing to recover",
                    hint: "one of the two makes it: closer-keys couple create")
            case .lowered: .lowered
            case .lacksKey:
                Failure(
                    .notYet, "the key in it lacks a key that this device holds, so nothing was changed",
                    hint: "the document is older than this device, or another couple's")
            case .olderKey: Failure(.notYet, "the key in it is older than the last rekey of this device")
            case .invite(let error): Failure(error, secret: "code")
            case .wrap(let error): Failure(error, secret: "phrase")
            case .neverInvited:
                Failure(
                    .notYet, "an invite would hand out the key that no server has seen",
                    hint:
                        "bring it to another device with couple recover: the phrase and couple show --document"
                )
            case .noInvite:
                Failure(
                    .noKey, "no invite was made in this vault", hint: "closer-keys couple rewrap makes one")
            }
    }

    static let lowered = Failure(
        .notYet, code: .downgrade, "the document has a lower encryption version than there was before",
        hint: "do not go on: whoever changed it wants texts in the clear")

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
            }
    }

    /// `noun` is the document's name for `closer-keys check`; `called` what this command calls it, if that differs.
    init(_ error: DocumentError, noun: String, called name: String? = nil) {
        let name = name ?? noun
        switch error {
        case .notAnObject:
            self.init(
                .malformed, "the \(name) document is not one JSON object, in strict JSON",
                hint: "is it the right file? members must not be there twice, and nothing may follow")
        case .broken(let broken) where broken.contains(where: \.lowersTheVersion): self = .lowered
        case .broken(let broken) where broken == [BrokenRule("encryptedAnswerKey", .present)]:
            self = Failure(AnswerError.noKeybox)
        case .broken(let broken):
            let first = broken.first.map { "\($0.member) \($0.rule.requirement)" } ?? "it breaks a rule"
            self.init(
                .malformed, "the \(name) document: \(first)",
                hint: "closer-keys check \(noun) names every rule that it breaks")
        }
    }
}

extension BrokenRule {
    fileprivate var lowersTheVersion: Bool { rule == .versionForWrap || rule == .notLowered }
}
