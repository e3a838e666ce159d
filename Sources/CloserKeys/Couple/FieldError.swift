public import CloserTink
package import CloserWire

/// Why a field was neither sealed nor opened.
public enum FieldError: Error, Equatable, Sendable {
    /// The text begins as a token does, and is none that this version reads, or its form is another one than its place demands.
    case token(TokenError)
    /// The token stays closed.
    case opening(OpenError)
    /// The text is plaintext, and the couple is at version 2: the server may have written it.
    case plaintext
    /// The key came by an invite or a recovery, was exposed, or is of unknown origin: the server may hold it, and the caller
    /// required a private one.
    case serverKnown
    /// The plaintext was opened with a key that the server may hold, so the server may have written it, and the caller
    /// required that it cannot have.
    case serverForgeable
    /// The plaintext was opened from a field that lacks a place, so the server may have moved it, and it was to be sealed for a
    /// place.
    case unbound
    /// More than ``CoupleKey/maximumFieldByteCount`` bytes were to be sealed.
    case plaintextTooLarge
}

extension FieldError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .token(let error): error.words(of: "field")
        case .opening(let error): error.words
        case .plaintext:
            ErrorWords(
                .downgrade,
                "this is plaintext, and the couple is at encryption version 2, or you have finished",
                "the server may have written it: refuse it")
        case .serverKnown: .keyRefused
        case .serverForgeable:
            ErrorWords(
                .serverForgeable,
                "this was opened with a key that the server may hold: the server may have written it",
                "seal only what you stored before the rekey or the pairing", typing: "--trust-old")
        case .unbound:
            ErrorWords(
                .unbound,
                "this was opened from a field that lacks a place: the server may have moved it",
                "seal only what you know to belong to this place", typing: "--trust-old")
        case .plaintextTooLarge:
            ErrorWords(.limit, "a field holds at most \(CoupleKey.maximumFieldByteCount) bytes")
        }
    }
}
