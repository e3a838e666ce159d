import CloserKeys

/// A couple of two, with one text each, and a server that lies: it lowers the version or says 2, drops marks, repeats old documents, and
/// puts texts back or makes them up. The couple has texts in the clear, or began at 2; then the server makes up marks, too. What it
/// stores of the two keeps its contract.
struct MigrationState: Hashable {
    /// What one person's phone has: nothing, or the couple's key and what it saw of the migration.
    struct Seat: Hashable {
        var hasKey = false
        var pin = EncryptionVersion.plaintext
        var migrated: Set<Int>?
        /// Whether the person ever said that their text is sealed.
        var hasFinished = false
    }

    /// A text on the server.
    enum Row: Hashable { case plaintext, sealed, forged }

    /// The couple's document, as the last one of the two put it there.
    struct Stored: Hashable {
        var version = EncryptionVersion.plaintext
        var marks: Set<Int> = []
    }

    static let users = ["alice", "bob"].compactMap { try? UserID(parsing: $0) }

    let isInTheClear: Bool
    var seats = [Seat(), Seat()]
    var rows: [Row]
    var stored: Stored
    /// All marks that were ever in a document, or that the server makes up: it shows each part of them.
    var seenMarks: Set<Int>
    var forgeries = 1
    var crashes = 1
    var newPhones = 1
    /// Whether the couple has begun: after that, nobody makes another key.
    var hasBegun = false

    init(isInTheClear: Bool) {
        self.isInTheClear = isInTheClear
        rows = isInTheClear ? [.plaintext, .plaintext] : [.sealed, .sealed]
        (stored, seenMarks) = (
            isInTheClear ? Stored() : Stored(version: .strict), isInTheClear ? [] : [0, 1]
        )
    }

    /// One with texts in the clear whose server is at 2, and whose first device took that for the truth.
    static var storedAtTwo: MigrationState {
        var state = MigrationState(isInTheClear: true).setting(0, Migration(beginningAt: .strict))
        state.stored.version = .strict
        return state
    }

    /// At which version people begin it.
    var beginning: EncryptionVersion { isInTheClear ? .migrating : .strict }

    /// With what a phone has now.
    func setting(_ seat: Int, _ migration: Migration) -> MigrationState {
        var next = self
        (next.hasBegun, next.seats[seat].hasKey) = (true, true)
        next.seats[seat].pin = migration.pin
        next.seats[seat].migrated = migration.migrated.map { users in
            Set(users.map { $0 == Self.users[0] ? 0 : 1 })
        }
        return next
    }

    /// With a new phone, which has nothing.
    func losing(_ seat: Int) -> MigrationState {
        var next = self
        next.seats[seat] = Seat(hasFinished: seats[seat].hasFinished)
        next.newPhones -= 1
        return next
    }

    /// With a person's word that the couple has texts in the clear.
    func telling(_ seat: Int) -> MigrationState {
        var migration = seats[seat].migration
        migration.becomeKnownToMigrate()
        return setting(seat, migration)
    }

    func storing(_ stored: Stored) -> MigrationState {
        var next = self
        next.stored = stored
        next.seenMarks.formUnion(stored.marks)
        return next
    }
}

extension MigrationState.Seat {
    var migration: Migration {
        Migration(pin: pin, migrated: migrated.map { Set($0.map { MigrationState.users[$0] }) })
    }
}

extension MigrationState.Stored: CustomStringConvertible {
    var description: String { "version \(version.rawValue) and the marks \(marks.sorted())" }
}
