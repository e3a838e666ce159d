package import CloserFiles
package import CloserWire

// CloserFiles knows no error ids: here are those of its errors.

extension FileError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .cannotOpen: ErrorWords(.noInput, message)
        case .cannotCreate: ErrorWords(.cantCreate, message)
        case .readFailed, .writeFailed: ErrorWords(.ioError, message)
        case .exists:
            ErrorWords(.inputRequired, message, "name another file, or replace it", typing: "--force")
        case .isInput:
            ErrorWords(.inputRequired, message, "write to another file, then move it over this one")
        case .tooLarge: ErrorWords(.limit, message)
        }
    }
}
