package import CloserKeys
package import CloserPrimitives
package import CloserTink
package import CloserWire

/// The name by which vectors know an error of the libraries.
package enum VectorError {
    /// A document's error is the first rule that it breaks, such as `kdfSalt.present`; of any other error it is the
    /// ``ErrorID``. Nil for an error that has none: no operation should throw it.
    package static func name(of error: any Error) -> String? {
        if case .broken(let rules)? = error as? DocumentError, let first = rules.first { return first.id }
        return (error as? any IdentifiedError)?.errorID.rawValue
    }
}

/// A bare primitive's no: a size out of bounds, or a tag that does not hold.
struct PrimitiveRefusal: IdentifiedError {
    let errorID = ErrorID.authFailed
}

// Of each error of the libraries, what its cases are called.

extension OpenError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .tooShort, .notAStream: .malformed
        case .noMatchingKey: .noKey
        case .authenticationFailed: .authFailed
        case .contextTooLong: .limit
        }
    }
}

extension KeysetError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .tooLarge, .tooManyKeys: .limit
        case .noSuchKey: .noKey
        case .notEnabled, .isPrimary: .notYet
        case .malformed, .notCanonical, .empty, .severalKeys, .duplicateKeyID, .primaryMissing,
            .primaryNotEnabled, .unsupportedKeyType, .unsupportedVersion, .unknownStatus, .unknownPrefix,
            .wrongMaterialType, .wrongKeySize, .wrongSegmentSize, .integerOutOfRange, .notAPoint,
            .publicKeyMismatch, .wrongKind, .holdsSecret:
            .malformed
        }
    }
}

extension UnwrapError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .malformed, .wrongCosts: .malformed
        case .authenticationFailed: .authFailed
        case .keyset(let error): error.errorID
        case .outOfMemory: .limit
        }
    }
}

extension RevealError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        // A sealed text has one key, so one that is named otherwise is a wrong key like any other.
        case .sealed(.noMatchingKey): .authFailed
        case .sealed(let error): error.errorID
        case .commitmentMismatch: .commitmentMismatch
        case .pinMismatch: .pinMismatch
        case .malformed: .malformed
        case .macInvalid: .macInvalid
        case .placeMismatch: .placeMismatch
        }
    }
}

extension PublicKeyTokenError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .token(let error): error.errorID
        case .severalKeys: .malformed
        case .keyset(let error): error.errorID
        }
    }
}

extension AgreementError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .lowOrderPublicKey: .malformed
        case .infoTooLong: .limit
        }
    }
}

extension SafetyNumberError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .malformed: .malformed
        case .otherVersion: .unsupportedVersion
        }
    }
}

extension AnswerPayload.FormatError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .malformed, .reservedName, .tooShort: .malformed
        case .tooLarge: .limit
        }
    }
}

extension HybridSealError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .notAPublicKeyset: .malformed
        case .contextTooLong: .limit
        }
    }
}

/// An error whose cases all say that a text has not the form it should have.
package protocol FormError: IdentifiedError {}

extension FormError {
    package var errorID: ErrorID { .malformed }
}

extension TokenError: FormError {}
extension DocumentError: FormError {}
extension Identifier.FormatError: FormError {}
extension AnswerContext.ReservedQuestion: FormError {}
extension AnswerPlace.FormatError: FormError {}
extension InviteCode.FormatError: FormError {}
extension RecoveryPhrase.FormatError: FormError {}
extension X25519KeyError: FormError {}
extension ChatFormatError: FormError {}
extension Base64.DecodingError: FormError {}
extension JSONScanner.SyntaxError: FormError {}

/// An error whose cases all say that a size exceeds its bound.
package protocol LimitError: IdentifiedError {}

extension LimitError {
    package var errorID: ErrorID { .limit }
}

extension FieldSealError: LimitError {}
extension StreamSealError: LimitError {}
extension ChatSealError: LimitError {}
extension MemoryShortage: LimitError {}

/// An error whose cases all say that an authentication failed, or that a primitive refuses what it was given.
package protocol AuthenticationError: IdentifiedError {}

extension AuthenticationError {
    package var errorID: ErrorID { .authFailed }
}

extension ChatOpenError: AuthenticationError {}
extension X25519.AgreementError: AuthenticationError {}
extension AESGCM.AuthenticationFailure: AuthenticationError {}
extension P256.KeyError: AuthenticationError {}

extension PairingError: IdentifiedError {
    package var errorID: ErrorID {
        switch self {
        case .otherCode: .authFailed
        case .otherInvite: .noKey
        case .ownUser: .usage
        case .ownKey: .partnerKeyMismatch
        case .codeMismatch: .codeMismatch
        case .macInvalid: .macInvalid
        case .malformed: .malformed
        case .epochMismatch: .epochMismatch
        case .keyMismatch: .keyMismatch
        case .epochTooHigh, .tooManyKeys: .limit
        }
    }
}

extension PairingCode.FormatError: IdentifiedError {
    package var errorID: ErrorID { .malformed }
}
