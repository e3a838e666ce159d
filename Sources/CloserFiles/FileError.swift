internal import CCloserFiles

/// The error number of the last call to C. `errno` is a macro, which Swift cannot import.
var errno: CInt { closer_errno() }

/// Why a file was not read or written. `reason` is the system's own word.
package enum FileError: Error, Equatable, Sendable {
    case cannotOpen(path: String, reason: String)
    case cannotCreate(path: String, reason: String)
    case readFailed(path: String, reason: String)
    case writeFailed(path: String, reason: String)
    /// The output is there already.
    case exists(path: String)
    /// The output is one of the inputs.
    case isInput(path: String)
    case tooLarge(path: String, maximumByteCount: Int)

    /// Why, in a word or two.
    package var reason: String {
        switch self {
        case .cannotOpen(_, let reason), .cannotCreate(_, let reason), .readFailed(_, let reason),
            .writeFailed(_, let reason):
            reason
        case .exists: Self.reason(EEXIST)
        case .isInput: "Is an input"
        case .tooLarge: Self.reason(EFBIG)
        }
    }

    /// Whether the reader of a pipe has gone.
    package var isClosedPipe: Bool {
        guard case .writeFailed(_, let reason) = self else { return false }
        return reason == Self.reason(EPIPE)
    }

    /// The last error of a C call. Must be read before the next one.
    package static var lastReason: String { reason(errno) }

    /// The reason of a file that found no room.
    package static let fullDisk = reason(ENOSPC)

    /// The system's word for an error number.
    static func reason(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    package var message: String {
        switch self {
        case .cannotOpen(let path, let reason): "cannot read \(path): \(reason.uncapitalized)"
        case .cannotCreate(let path, let reason): "cannot create \(path): \(reason.uncapitalized)"
        case .readFailed(let path, let reason): "reading \(path) failed: \(reason.uncapitalized)"
        case .writeFailed(let path, let reason): "writing \(path) failed: \(reason.uncapitalized)"
        case .exists(let path): "\(path) exists"
        case .isInput(let path): "\(path) is in use by this same command"
        case .tooLarge(let path, let maximum): "\(path) has more than \(maximum) bytes"
        }
    }
}

extension String {
    /// A reason within a sentence. The rest of it may be a path, which stays as it is.
    package var uncapitalized: String { prefix(1).lowercased() + dropFirst() }
}
