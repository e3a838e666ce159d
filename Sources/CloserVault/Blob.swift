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

extension Row {
    func bytes(_ column: String) -> [UInt8] { Array((self[column] as Data?) ?? Data()) }
}
