internal import CloserKeys
internal import CloserWire

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
