/// The name by which scripts and vectors know an error: the `code` in the program's JSON, the `error` of a vector.
///
/// Each exit code of the program has an error of its own name. The others are more exact, and the program says which exit code
/// each of them has. Names stay as they are, and more are added: scripts compare them.
package enum ErrorID: String, CaseIterable, Sendable {
    // One for each exit code that a failure has.
    case negative, `internal`, authFailed, noKey, malformed, limit, inputRequired, notYet, partial
    case usage, noInput, cantCreate, ioError

    // More exact ones: a check that failed.
    case commitmentMismatch, epochMismatch, keyMismatch, partnerKeyMismatch, pinMismatch, placeMismatch
    case inviteUsed, notAMember, safetyNumberMismatch, serverForgeable, vectorsChanged
    // A failed authentication whose reason we know.
    case codeMismatch, macInvalid
    // A text or a program that is not of a kind we can read or keep.
    case unsupportedVersion, foreignProgram, phraseRefused
    // Something else must happen first.
    case downgrade, inviteClosed, olderCopy, otherPartner, partnerKeyChanged, serverKnown, unauthenticated,
        unbound
    case vaultReplaced, vaultRolledBack

    /// What went wrong, in one sentence for a person: lower case, no full stop.
    package var meaning: String {
        switch self {
        case .negative: "a check or a comparison failed"
        case .internal: "a bug of closer-keys; please report it"
        case .authFailed: "wrong key, phrase, code or context, or tampered: these look alike"
        case .noKey: "no matching key: unknown couple, key id or device"
        case .malformed: "wrong format, wrong spelling, or an unsupported version"
        case .limit: "a size or cost limit was exceeded, or the system gave no memory"
        case .inputRequired: "would have to prompt, overwrite, or print binary or secrets to a terminal"
        case .notYet: "something else must happen first"
        case .partial: "a batch ended with some records failed"
        case .usage: "wrong arguments"
        case .noInput: "an input file cannot be read"
        case .cantCreate: "an output file cannot be created"
        case .ioError: "reading or writing failed"
        case .commitmentMismatch: "not what the author committed to, or a copy of our commitment"
        case .epochMismatch: "not the next rekey"
        case .keyMismatch: "not the key that this device has, or one of its keys is missing"
        case .partnerKeyMismatch: "the partner had another key before"
        case .pinMismatch: "not what was seen or released before"
        case .placeMismatch: "written for another day or thread"
        case .safetyNumberMismatch: "the other device has another key than the one that is used here"
        case .serverForgeable: "the server may have written it"
        case .vectorsChanged: "the vectors in the program are not those that it was built from"
        case .codeMismatch: "the reply was made with another code, or for another offer"
        case .macInvalid: "it was made without the right key"
        case .unsupportedVersion: "of a version that this program cannot read"
        case .foreignProgram: "another program did not answer as an adapter does"
        case .phraseRefused:
            "the recovery phrase that came with a key is easy to guess, or cannot be copied from paper"
        case .inviteUsed: "the offer was accepted before, or received another reply first"
        case .inviteClosed: "the offer has expired, was cancelled, or received a reply that was refused"
        case .notAMember: "the document is of two other users"
        case .olderCopy: "the vault was imported or put back, and the code may be older"
        case .otherPartner: "the couple has another partner"
        case .partnerKeyChanged: "the partner had another key before, and the new one needs your consent"
        case .downgrade: "a document lowers the encryption version of a couple"
        case .serverKnown: "the server may hold the key"
        case .unauthenticated: "nothing proves who wrote it"
        case .unbound: "a field lacks a place: the server may have moved it"
        case .vaultReplaced: "another vault is in the place of the one that this machine knows"
        case .vaultRolledBack: "an older vault is in the place of the one that this machine saw"
        }
    }
}

/// An error of the libraries that scripts and vectors know by a name.
package protocol IdentifiedError: Error {
    var errorID: ErrorID { get }
}
