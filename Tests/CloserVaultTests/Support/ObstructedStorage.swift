import CloserPrimitives

@testable import CloserVault

/// A vault in memory that counts how it is used, and stores no change after so many.
final class ObstructedStorage: VaultStorage {
    private let storage: VaultMemoryStorage
    private let changesLeft: Lock<Int>
    private let reads = Lock(0)
    private let holders = Lock(0)

    init(_ storage: VaultMemoryStorage, after count: Int = .max) {
        self.storage = storage
        changesLeft = Lock(count)
    }

    var name: String { storage.name }
    var refusal: VaultError { .cannotWrite(path: name, reason: "No space left on device") }
    var readCount: Int { reads.withLock { $0 } }
    /// Whether the lock is held now.
    var isLocked: Bool { holders.withLock { $0 > 0 } }

    func read() throws(VaultError) -> [UInt8] {
        reads.withLock { $0 += 1 }
        return try storage.read()
    }

    func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        let isFree = changesLeft.withLock { count in
            count -= 1
            return count >= 0
        }
        guard isFree else { throw refusal }
        try storage.replace(old, by: new)
    }

    func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try storage.lock(patience: patience) { () throws(VaultError) in
            holders.withLock { $0 += 1 }
            defer { holders.withLock { $0 -= 1 } }
            return try body()
        }
    }
}
