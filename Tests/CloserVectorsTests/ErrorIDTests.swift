import CloserTink
import CloserWire
import Testing

@testable import CloserCLI
@testable import CloserKeys
@testable import CloserVectors

/// One error, one name: in vectors and in the program's JSON.
@Suite("The ids of errors")
struct ErrorIDTests {
    private static let keysetErrors: [KeysetError] = [
        .malformed, .notCanonical, .tooLarge(maximumByteCount: 1), .tooManyKeys(maximum: 1), .empty,
        .severalKeys,
        .duplicateKeyID(1), .primaryMissing(1), .primaryNotEnabled(1), .unsupportedKeyType,
        .unsupportedVersion(1),
        .unknownStatus(9), .unknownPrefix(9), .wrongMaterialType(9), .wrongKeySize(byteCount: 16),
        .wrongSegmentSize(byteCount: 1), .integerOutOfRange, .notAPoint, .publicKeyMismatch,
        .wrongKind(expected: .aesGCM), .holdsSecret, .noSuchKey(1),
    ]

    private static let openErrors: [OpenError] = [
        .tooShort, .noMatchingKey, .notAStream, .authenticationFailed, .contextTooLong,
    ]

    private static let others: [any Error] = [
        TokenError.notAToken, TokenError.unsupportedVersion, TokenError.malformed,
        PublicKeyTokenError.token(.malformed), PublicKeyTokenError.severalKeys,
        PublicKeyTokenError.keyset(.tooManyKeys(maximum: 32)), UnwrapError.malformed, UnwrapError.wrongCosts,
        UnwrapError.authenticationFailed, RevealError.commitmentMismatch, RevealError.pinMismatch,
        RevealError.malformed, RevealError.macInvalid, RevealError.placeMismatch, X25519KeyError.malformed,
        X25519KeyError.lowOrderPublicKey, AgreementError.lowOrderPublicKey, AgreementError.infoTooLong,
        SafetyNumberError.malformed, ChatOpenError.authenticationFailed, ChatFormatError.malformed,
        Identifier.FormatError(), AnswerContext.ReservedQuestion(), AnswerPlace.FormatError(),
        InviteCode.FormatError(), RecoveryPhrase.FormatError(),
    ]

    static let errors: [any Error] =
        keysetErrors + openErrors + keysetErrors.map { UnwrapError.keyset($0) }
        + openErrors.map { RevealError.sealed($0) } + others

    @Test("are those of the program")
    func agree() {
        #expect(Self.errors.count == 80)
        for error in Self.errors { #expect(ErrorID.of(error) == Failure(error).code, "\(error)") }
    }

    @Test("an error that nobody foresaw has none")
    func unforeseen() {
        struct Unforeseen: Error {}
        #expect(ErrorID.of(Unforeseen()) == nil)
    }
}
