internal import CloserFiles
internal import CloserKeys
internal import CloserSystem
internal import CloserTink
internal import CloserVault

extension VaultError: HintedError {
    var hint: String? {
        switch self {
        case .missing(let path), .notAVault(let path): hint(at: path)
        case .exists: "name another file with --vault"
        case .tooLarge:
            "forget couples that are over: closer-keys couple forget; if another file is in the vault's place, move that file away"
        case .damaged:
            "run this again; if the file stays so, move it away, and restore the vault from an export: closer-keys device import"
        case .rolledBack: "if you put it there yourself, closer-keys device accept-older makes it the newest"
        case .replaced: "if you put it there yourself, closer-keys device accept-older takes it"
        case .outOfMemory(let shortage): shortage.hint
        case .cannotWrite(_, FileError.fullDisk): "make room, and run the command again"
        case .couple(let error): error.hint
        case .answer(let error): error.hint
        case .rekey(let error): error.hint
        case .verification(let error): error.hint
        case .pairing(let error): error.hint
        case .payload(let error): error.hint
        case .keybox(.noMatchingKey):
            "your partner must release to this device's key: closer-keys device show"
        case .reveal(let error): error.hint
        case .keyset(.noSuchKey): "closer-keys couple show lists its keys"
        case .keyset(.isPrimary): "closer-keys couple rekey makes another first"
        case .keyset(let error): error.hint
        default: nil
        }
    }

    /// For a missing vault.
    private func hint(at path: String) -> String {
        if KnownVaults.isKnown(at: path) {
            return
                "this machine knows a vault there: bring it back, or make it from an export: closer-keys device import; device init would make another one"
        }
        guard case .missing = self else { return "name another file with --vault" }
        return
            "closer-keys device init --user ID --key-file FILE makes one; without --key-file it takes a passphrase"
    }
}

extension CoupleError: HintedError {
    var hint: String? {
        switch self {
        case .missing:
            "\(NextCommand.line("couple status")) shows those that it has; pair invite or pair accept makes one"
        case .exists: "\(NextCommand.line("couple status")) says where it stands; couple forget removes it"
        case .notEncrypted: "one of the two makes it: closer-keys couple create"
        case .lowered(to: .migrating, _):
            "stop, unless you know that its texts are in the clear: then say so with couple migrate --migrating"
        case .strict:
            "if you know that its texts are in the clear, say so with --migrating; if both have finished, field seal --migrate --trust-old seals yours"
        case .bringsKeys: "pair again: closer-keys pair invite, or pair accept"
        case .neverInvited:
            "to bring it to another device, run couple recover there with the phrase and what couple show --document prints"
        case .noInvite:
            "the device that made the couple has it; or make another, with a new phrase: couple rewrap"
        default: nil
        }
    }
}

extension VerificationError: HintedError {
    var hint: String? {
        if case .noKey = self { "give the one that their device shows with --partner-key" } else { nil }
    }
}

extension PairingStepError: HintedError {
    var hint: String? {
        switch self {
        case .answerWaiting:
            "closer-keys pair finish GRANT accepts the grant; pair accept --couple ID --cancel cancels your reply"
        case .offerOpen: "closer-keys pair invite --cancel closes it; or let your partner accept it"
        case .inviteClosed: "closer-keys pair invite makes another offer"
        case .coupleNotNamed(let couple): "name the couple: closer-keys pair accept --couple \(couple.text)"
        case .wouldSendKeys: "if you heard the code from your partner, send them with --yes"
        case .olderCopy: "if the code was made after that, pass --code-is-newer; otherwise ask for another code"
        case .otherPartner:
            "check --partner and --couple. pair accept and pair confirm have --replace-partner for an unverified one: ask your partner first"
        case .notTheNamed: "check --partner, and that it is the right file"
        case .partnerKeyChanged:
            "ask your partner whether they have a new device, and take its key with --partner-has-new-key only then"
        case .required: "closer-keys pair invite pairs; device policy --no-require-paired allows v1 invites"
        case .keyOfBefore:
            "closer-keys pair accept --cancel cancels it; a new offer brings a new key"
        default: nil
        }
    }
}

extension RekeyError: HintedError {
    var hint: String? {
        switch self {
        case .notVerified: "compare safety numbers first: closer-keys couple verify"
        case .partnerSends: "run couple rekey on their device, and here couple rekey --accept"
        case .weSend: "run couple rekey here, and couple rekey --accept on your partner's device"
        case .fromAnother: "check --partner, and that it is the right file"
        case .forAnotherKey: "your partner must verify this device's key: closer-keys device show"
        case .epoch(let epoch, let expected):
            epoch < expected
                ? "it is an old one; if your partner's device was recovered: rekey --new --epoch \(expected) there"
                : "ask your partner for the one before, or take this one with --allow-gap: it brings every key"
        case .losesKeys(primary: true): "pair again, which unites them: closer-keys pair invite"
        case .losesKeys(primary: false):
            "if your partner says that they retired it, retire it here, too, for good: closer-keys couple retire"
        case .tooManyKeys: "retire old ones: closer-keys couple retire"
        default: nil
        }
    }
}

extension AnswerError: HintedError {
    private static var status: String {
        let isNamed = ProcessArguments.value(of: "--question") != nil
        return NextCommand.line(
            isNamed ? "answer status" : "answer status --question QUESTION",
            with: ["--couple", "--question", "--place"])
    }

    var hint: String? {
        switch self {
        case .exists(true):
            "\(AnswerError.status) --document prints it again, --replace seals another"
        case .exists(false): "\(AnswerError.status) says where it stands"
        case .notSealed: "seal yours first: closer-keys answer seal"
        case .severalPlaces: "say which with --place"
        case .textNotKept:
            "the app's server has the document; answer status shows the pins"
        case .pinMismatch: RevealError.pinMismatch.hint
        case .partnerKeyChanged:
            "compare safety numbers: if they agree, closer-keys couple verify accepts the new key"
        case .notVerified: "compare safety numbers: closer-keys couple verify"
        case .noKeybox: "if they have released it, pass what they released with --release"
        case .keyboxForAnother:
            "your partner must release to this device's user: closer-keys device show"
        case .unauthenticated(isFinal: false):
            "if the partner's app is known to seal without proof, use --allow-unauthenticated"
        default: nil
        }
    }
}
