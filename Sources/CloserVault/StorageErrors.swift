internal import GRDB

extension Vault {
    /// SQLite's errors as ours.
    static func mappingErrors<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: throw VaultError.busy
            case .SQLITE_NOTADB: throw VaultError.notAVault(path: path)
            case .SQLITE_CORRUPT: throw VaultError.damaged
            default: throw VaultError.storage(reason: error.resultCode.words)
            }
        }
    }
}

extension ResultCode {
    /// What SQLite says of it, without its number where the matter is common.
    fileprivate var words: String {
        switch self {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "it is read-only"
        case .SQLITE_CANTOPEN: "the file cannot be opened"
        case .SQLITE_IOERR: "the file system failed"
        default: "SQLite error \(description)"
        }
    }
}
