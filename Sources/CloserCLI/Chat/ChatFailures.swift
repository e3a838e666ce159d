internal import CloserKeys

extension Failure {
    init(_ error: X25519KeyError) {
        self =
            switch error {
            case .malformed:
                Failure(
                    .malformed, "an X25519 public key has 32 bytes, in standard base64",
                    hint: "closer-keys pair key prints one")
            case .lowOrderPublicKey: .lowOrder
            }
    }

    init(_ error: AgreementError) {
        self =
            switch error {
            case .lowOrderPublicKey: .lowOrder
            case .infoTooLong:
                Failure(.limit, "an info has at most \(X25519PrivateKey.maximumInfoByteCount) bytes")
            }
    }

    private static let lowOrder = Failure(
        .malformed, "this public key is of low order: with it, everyone would know the secret",
        hint: "nobody has such a key; it came from somebody who wants to read along")

    init(_ error: SafetyNumberError) {
        self =
            switch error {
            case .malformed: Failure(.malformed, "a safety number has 60 digits")
            case .otherVersion:
                Failure(
                    .malformed, code: .unsupportedVersion,
                    "this safety number is of another version, which says nothing of the keys",
                    hint: "update the older program, then compare again")
            }
    }

    init(_ error: ChatSealError) {
        self = Failure(.limit, "a message holds at most \(ChatKey.maximumPlaintextByteCount) bytes")
    }

    init(_ error: ChatOpenError) {
        self = Failure(
            .authFailed, "it does not open: another key, another chat, or it was cut or changed",
            hint: "both sides need the same profile, chat, salt and info")
    }

    init(_ error: ChatFormatError) {
        self = Failure(.malformed, "this is no message of this profile")
    }
}
