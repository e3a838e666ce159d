internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The name by which vectors and scripts call an error of the libraries.
///
/// These are the `code`s of the program's errors in JSON; a test holds the two tables against each other.
package enum ErrorID {
    static let (authFailed, malformed, noKey, limit) = ("authFailed", "malformed", "noKey", "limit")

    /// Nil for an error that no operation of the vectors is known to throw.
    package static func of(_ error: any Error) -> String? {
        switch error {
        case let error as OpenError: id(error)
        case let error as KeysetError: id(error)
        case let error as UnwrapError: id(error)
        case let error as RevealError: id(error)
        case let error as DocumentError: id(error)
        case let error as PublicKeyTokenError: id(error)
        case let error as AgreementError: error == .infoTooLong ? limit : malformed
        case is ChatOpenError: authFailed
        case is X25519.AgreementError, is AESGCM.AuthenticationFailure, is P256.KeyError, is Refusal:
            authFailed
        default: isOfAForm(error) ? malformed : nil
        }
    }

    /// A bare primitive's no: a size out of bounds, or a tag that does not hold.
    struct Refusal: Error {}

    private static func isOfAForm(_ error: any Error) -> Bool {
        switch error {
        case is TokenError, is Identifier.FormatError, is AnswerContext.ReservedQuestion,
            is AnswerPlace.FormatError, is InviteCode.FormatError, is RecoveryPhrase.FormatError,
            is X25519KeyError, is SafetyNumberError, is ChatFormatError, is Base64.DecodingError,
            is JSONScanner.SyntaxError:
            true
        default: false
        }
    }

    private static func id(_ error: OpenError) -> String {
        switch error {
        case .tooShort, .notAStream: malformed
        case .noMatchingKey: noKey
        case .authenticationFailed: authFailed
        case .contextTooLong: limit
        }
    }

    private static func id(_ error: KeysetError) -> String {
        switch error {
        case .tooLarge, .tooManyKeys: limit
        case .noSuchKey: noKey
        default: malformed
        }
    }

    private static func id(_ error: UnwrapError) -> String {
        switch error {
        case .malformed, .wrongCosts: malformed
        case .authenticationFailed: authFailed
        case .keyset(let error): id(error)
        }
    }

    private static func id(_ error: RevealError) -> String {
        switch error {
        // A sealed text has one key, so one that is named otherwise is a wrong key like any other.
        case .sealed(.noMatchingKey): authFailed
        case .sealed(let error): id(error)
        case .commitmentMismatch: "commitmentMismatch"
        case .pinMismatch: "pinMismatch"
        case .malformed: malformed
        case .macInvalid: "macInvalid"
        case .placeMismatch: "placeMismatch"
        }
    }

    private static func id(_ error: PublicKeyTokenError) -> String {
        switch error {
        case .token, .severalKeys: malformed
        case .keyset(let error): id(error)
        }
    }

    /// Of a document, the first rule that is broken.
    private static func id(_ error: DocumentError) -> String {
        switch error {
        case .notAnObject: malformed
        case .broken(let rules): rules.first?.id ?? malformed
        }
    }
}
