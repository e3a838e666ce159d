internal import CloserKeys
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

/// A refusal of our own: a size out of a primitive's bounds, a false tag, a document without a proof, a preview.
struct VectorRefusal: IdentifiedError {
    var errorID = ErrorID.authFailed
}

extension ErrorID {
    /// Those that a vector may expect, in the order in which `vectors/README.md` explains them.
    package static let ofVectors: [ErrorID] = [
        .authFailed, .codeMismatch, .macInvalid, .commitmentMismatch, .pinMismatch, .placeMismatch,
        .epochMismatch, .keyMismatch, .partnerKeyMismatch, .unbound, .noKey, .malformed, .phraseRefused,
        .limit, .notYet, .usage,
    ]
}
