package import CloserFiles
package import CloserWire

// CloserFiles knows no error ids: here are those of its errors.

extension FileError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .cannotOpen(let path, let reason): ErrorWords(.noInput, message, of: path, reason)
        case .cannotCreate(let path, let reason): ErrorWords(.cantCreate, message, of: path, reason)
        case .readFailed, .writeFailed: ErrorWords(.ioError, message)
        case .exists:
            ErrorWords(.inputRequired, message, "name another file, or replace it", typing: "--force")
        case .isInput:
            ErrorWords(.inputRequired, message, "write to another file, then move it over this one")
        case .tooLarge: ErrorWords(.limit, message)
        }
    }
}

extension ErrorWords {
    /// About a file that the system refused for this reason.
    package init(_ id: ErrorID, _ message: String, of path: String, _ reason: String) {
        let advice = FileAdvice.about(path, reason)
        self.init(id, message, advice?.text, typing: advice?.command)
    }
}
