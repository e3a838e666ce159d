internal import GRDB

/// The tables of a vault, and how its file is opened.
enum Schema {
    /// Says in the file's first bytes that it is ours: "CKv1".
    static let applicationID = 0x434B_7631
    static let version = 1

    /// How long a process waits for the others. A change takes milliseconds.
    static let patience = 30.0

    /// Opens the file, which must be there, and leaves it as it is.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "vault"
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Readers never wait for a writer; a commit is on the disk when it returns.
    static func makeDurable(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
    }

    /// Nil for a file that SQLite does not know or that has other tables.
    static func version(of database: Database) throws -> Int? {
        let id = try Int.fetchOne(database, sql: "PRAGMA application_id")
        return id == applicationID ? try Int.fetchOne(database, sql: "PRAGMA user_version") : nil
    }

    static func create(in database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                CREATE TABLE header (
                    one INTEGER PRIMARY KEY CHECK (one = 1),
                    vaultID BLOB NOT NULL,
                    keyFile TEXT,
                    memoryKiB INTEGER,
                    passes INTEGER,
                    salt BLOB NOT NULL,
                    box BLOB NOT NULL
                );
                CREATE TABLE record (
                    tag BLOB PRIMARY KEY,
                    kind TEXT NOT NULL,
                    coupleTag BLOB,
                    groupTag BLOB,
                    revision INTEGER NOT NULL,
                    sealed BLOB NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX recordByCouple ON record (coupleTag, kind);
                CREATE INDEX recordByGroup ON record (groupTag);
                CREATE INDEX recordByKind ON record (kind);
                """)
    }
}

extension LockedKey {
    static func read(from database: Database) throws -> LockedKey? {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM header WHERE one = 1") else {
            return nil
        }
        let protection: Protection =
            if let path = try row.textOrNone("keyFile") {
                .keyFile(path: path)
            } else {
                .passphrase(
                    PassphraseCost(
                        memoryKiB: Int(clamping: try row.integer("memoryKiB")),
                        passes: Int(clamping: try row.integer("passes"))))
            }
        return LockedKey(
            vaultID: try row.bytes("vaultID"), protection: protection, salt: try row.bytes("salt"),
            box: try row.bytes("box"))
    }

    func write(to database: Database) throws {
        var (path, cost): (String?, PassphraseCost?) = (nil, nil)
        switch protection {
        case .keyFile(let keyFile): path = keyFile
        case .passphrase(let passphrase): cost = passphrase
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO header VALUES (1, ?, ?, ?, ?, ?, ?)",
            arguments: [vaultID.blob, path, cost?.memoryKiB, cost?.passes, salt.blob, box.blob])
    }
}
