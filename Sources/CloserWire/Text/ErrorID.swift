/// The name by which scripts and vectors know an error: the `code` in the program's JSON, the `error` of a vector.
///
/// Each exit code of the program has an error of its own name. The others are more exact, and the program says which exit code
/// each of them has. Names stay as they are, and more are added: scripts compare them. closer-keys(1), EXIT STATUS, and
/// closer-keys-scripting(7) say what each means.
package enum ErrorID: String, CaseIterable, Sendable {
    // One for each exit code that a failure has.
    case negative, `internal`, authFailed, noKey, malformed, limit, inputRequired, notYet, partial
    case usage, noInput, cantCreate, ioError

    // More exact ones: a check that failed.
    case commitmentMismatch, epochMismatch, keyMismatch, partnerKeyMismatch, pinMismatch, placeMismatch
    case inviteUsed, notAMember, safetyNumberMismatch, serverForgeable, vectorsChanged
    case repeated, expired, fromFuture, olderKey
    // A failed authentication whose reason we know.
    case codeMismatch, macInvalid
    // A key that was here.
    case keyGone
    // A text or a program that is not of a kind we can read or keep.
    case unsupportedVersion, foreignProgram, phraseRefused
    // Something else must happen first.
    case downgrade, inviteClosed, olderCopy, otherPartner, partnerKeyChanged, serverKnown, unauthenticated,
        unbound, preview
    case vaultReplaced, vaultRolledBack
}

extension ErrorID {
    /// The code of an `NSError`, from 1. Apps and their crash reports keep these numbers: a new id goes to the end.
    package var number: Int { (Self.numbered.firstIndex(of: self) ?? -1) + 1 }

    private static let numbered: [ErrorID] = [
        .negative, .internal, .authFailed, .noKey, .malformed, .limit, .inputRequired, .notYet, .partial,
        .usage,
        .noInput, .cantCreate, .ioError, .commitmentMismatch, .epochMismatch, .keyMismatch,
        .partnerKeyMismatch,
        .pinMismatch, .placeMismatch, .inviteUsed, .notAMember, .safetyNumberMismatch, .serverForgeable,
        .vectorsChanged, .codeMismatch, .macInvalid, .unsupportedVersion, .foreignProgram, .phraseRefused,
        .downgrade, .inviteClosed, .olderCopy, .otherPartner, .partnerKeyChanged, .serverKnown,
        .unauthenticated, .unbound, .vaultReplaced, .vaultRolledBack,
        .repeated, .expired, .fromFuture, .olderKey, .keyGone, .preview,
    ]
}

/// An error of the libraries that scripts and vectors know by a name.
package protocol IdentifiedError: Error {
    var errorID: ErrorID { get }
}
