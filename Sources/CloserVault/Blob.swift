internal import GRDB

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Bytes as SQLite takes and gives them. Only what is sealed or public: nobody wipes `Data`.

extension Array where Element == UInt8 {
    var blob: Data { Data(self) }
}

// SQLite puts any type into any column, and GRDB stops the process at one that is not asked for. Whoever changed the
// file gets `.damaged` instead.
extension Row {
    /// Nothing for NULL.
    func bytes(_ column: String) throws(VaultError) -> [UInt8] {
        switch storage(column) {
        case .blob(let data): Array(data)
        case .null: []
        default: throw .damaged
        }
    }

    /// Nil for NULL.
    func textOrNone(_ column: String) throws(VaultError) -> String? {
        switch storage(column) {
        case .string(let text): text
        case .null: nil
        default: throw .damaged
        }
    }

    /// 0 for NULL.
    func integer(_ column: String) throws(VaultError) -> Int64 {
        switch storage(column) {
        case .int64(let number): number
        case .null: 0
        default: throw .damaged
        }
    }

    /// A record's revision: counts from 1, and never comes to the end.
    func revision() throws(VaultError) -> Int64 {
        let revision = try integer("revision")
        guard (1..<Int64.max).contains(revision) else { throw .damaged }
        return revision
    }

    private func storage(_ column: String) -> DatabaseValue.Storage {
        let value: DatabaseValue? = self[column]
        return (value ?? .null).storage
    }
}
