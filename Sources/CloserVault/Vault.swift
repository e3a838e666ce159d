internal import CloserFiles
public import CloserKeys
internal import CloserPrimitives
internal import GRDB

/// What a device must remember: its identity, its couples, its answers and what it saw of others (security §7).
///
/// One SQLite file. Each record is sealed under the vault's key; each change is one transaction that is on the disk
/// when the call returns. Several processes may use one vault at once.
///
/// - Important: Whoever can write the file can put back an older one, with older pins. ``changeCount`` shows it.
public final class Vault: Sendable {
    public let path: String
    let database: DatabaseQueue
    let key: VaultKey

    init(path: String, database: DatabaseQueue, key: VaultKey) {
        (self.path, self.database, self.key) = (path, database, key)
    }

    /// Opens a vault. `unlock` is asked once, with the protection that the file names.
    public convenience init(
        opening path: String, unlock: (Protection) throws -> Unlocking
    ) throws {
        guard SafeFile.exists(path) else { throw VaultError.missing(path: path) }
        let (database, locked) = try Self.mappingErrors(path) {
            let database = try Schema.open(path)
            let locked = try database.read { try Self.header(of: $0, path) }
            try Schema.makeDurable(database)
            return (database, locked)
        }
        self.init(path: path, database: database, key: try locked.unlock(with: try unlock(locked.protection)))
    }

    /// Makes a vault for a user, with a new identity. An interrupted making is taken up again.
    public static func create(
        at path: String, for user: Identifier, locking: borrowing Unlocking
    ) throws -> Vault {
        let key = VaultKey()
        let locked = try LockedKey(key, with: locking)
        return try fill(path, locked, key) { transaction in
            try transaction.put(Device(for: user))
            try transaction.put(ChangeCounter())
        }
    }

    /// What SQLite keeps at a path: the vault, and files beside it that come and go.
    public static func files(at path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].map { path + $0 }
    }

    /// Throws `.exists` for a vault, and `.notAVault` for another file with something in it.
    public static func checkAbsent(at path: String) throws {
        guard SafeFile.exists(path) else { return }
        try mappingErrors(path) {
            let database = try Schema.open(path)
            guard try !database.read(isEmpty) else { return }
            _ = try database.read { try header(of: $0, path) }
            throw VaultError.exists(path: path)
        }
    }

    /// Makes the file and writes everything that is in it at first in one transaction.
    static func fill(
        _ path: String, _ locked: LockedKey, _ key: VaultKey, _ body: (Transaction) throws -> Void
    ) throws -> Vault {
        try SafeFile.reserve(path)
        return try mappingErrors(path) {
            let database = try Schema.open(path)
            guard try database.read(isEmpty) else { throw VaultError.exists(path: path) }
            try Schema.makeDurable(database)
            try database.inTransaction(.immediate) { database in
                guard try isEmpty(database) else { throw VaultError.exists(path: path) }
                try Schema.create(in: database)
                try locked.write(to: database)
                try body(Transaction(database: database, key: key))
                return .commit
            }
            return Vault(path: path, database: database, key: key)
        }
    }

    /// How often the vault was changed. It only rises.
    public var changeCount: Int {
        get throws { try read { try $0.counter.count } }
    }

    /// What the key is locked with.
    public var protection: Protection {
        get throws {
            try Self.mappingErrors(path) { try database.read { try Self.header(of: $0, path).protection } }
        }
    }

    /// Locks the key with something else. What is in older copies of the file stays readable with the old lock.
    public func lock(with locking: borrowing Unlocking) throws {
        let locked = try LockedKey(key, with: locking)
        try change { try locked.write(to: $0.database) }
    }

    /// Reads in one snapshot.
    func read<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
        try Self.mappingErrors(path) {
            try database.read { try body(Transaction(database: $0, key: key)) }
        }
    }

    /// Changes in one transaction: if `body` throws, nothing happened.
    func change<Result>(_ body: (Transaction) throws -> Result) throws -> Result {
        try Self.mappingErrors(path) {
            var result: Result?
            try database.inTransaction(.immediate) { database in
                let transaction = Transaction(database: database, key: key)
                result = try body(transaction)
                try transaction.put(try transaction.counter.next)
                return .commit
            }
            guard let result else { preconditionFailure("a committed transaction without its result") }
            return result
        }
    }

    // MARK: - The file

    private static func isEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
    }

    private static func header(of database: Database, _ path: String) throws -> LockedKey {
        guard let version = try Schema.version(of: database) else { throw VaultError.notAVault(path: path) }
        guard version == Schema.version else { throw VaultError.unsupportedVersion }
        guard try database.tableExists("header"), let locked = try LockedKey.read(from: database) else {
            throw VaultError.notAVault(path: path)
        }
        return locked
    }
}
