import CloserKeys
import CloserTink
import CloserWire
import TestSupport
import Testing

/// A couple of two, with one text each, and a server that lies: it lowers the version or says 2, drops marks, repeats old documents, and
/// puts texts back or makes them up. What it stores of the two keeps its contract.
struct MigrationState: Hashable {
    /// What one person has: nothing, or the couple's key and what they saw of the migration.
    struct Seat: Hashable {
        var hasKey = false
        var pin = EncryptionVersion.plaintext
        var migrated: Set<Int>?
        /// Whether they ever said that their text is sealed.
        var hasFinished = false
        /// Whether the server told them of version 2 when the key came, and of no marks: this looks like a couple that began there.
        var wasMisled = false
    }

    /// A text on the server.
    enum Row: Hashable { case plaintext, sealed, forged }

    /// The couple's document, as the last one of the two put it there.
    struct Stored: Hashable {
        var version = EncryptionVersion.plaintext
        var marks: Set<Int> = []
    }

    var seats = [Seat(), Seat()]
    var rows = [Row.plaintext, .plaintext]
    var stored = Stored()
    /// All marks that were ever in a document: the server shows each part of them.
    var seenMarks: Set<Int> = []
    var forgeries = 1
    var crashes = 1
}

/// Every order of the steps of a migration, breadth first.
struct MigrationSearch {
    private static let users = ["alice", "bob"].compactMap { try? UserID(parsing: $0) }
    private struct Write: Hashable { let seat: Int, old: MigrationState.Stored, new: MigrationState.Stored }
    private let key: FieldKey
    private let wrap: KeyWrap
    private let token: [UInt8]
    private var documents: [MigrationState.Stored: CoupleDocument] = [:]
    private var allowed: Set<Write> = []
    private(set) var stateCount = 0
    private(set) var faults: [String: [String]] = [:]
    private(set) var reached: Set<String> = []
    /// What a wrong rule would be: for the positive control.
    let isCareless: Bool

    init(isCareless: Bool = false) throws {
        self.isCareless = isCareless
        let couple = try CoupleID(parsing: "couple_1")
        let golden = TestData.golden
        key = FieldKey(try CoupleKey(Keyset(.aes256GCM)), of: couple, origins: nil)
        token = try key.seal(Array("genuine".utf8)).text
        wrap = KeyWrap(
            wrappedCoupleKey: golden.text("wrap.document.wrappedCoupleKey"),
            kdfSalt: golden.text("wrap.document.kdfSalt"), kdfParams: golden.text("wrap.document.kdfParams"))
        for version in [EncryptionVersion.migrating, .strict] {
            for marks in Self.parts {
                let stored = MigrationState.Stored(version: version, marks: marks)
                documents[stored] = try CoupleDocument(parsing: text(of: stored).utf8)
            }
        }
        for old in documents.keys {
            for new in documents.keys {
                for seat in [0, 1] where try mayWrite(new, over: old, seat) {
                    allowed.insert(Write(seat: seat, old: old, new: new))
                }
            }
        }
    }

    /// Whether the server's contract lets this user put a document in the place of another one.
    private func mayWrite(
        _ new: MigrationState.Stored, over old: MigrationState.Stored, _ seat: Int
    ) throws -> Bool {
        let write = try DocumentWrite(of: .couple, by: Self.users[seat], replacing: text(of: old).utf8)
        return try write.brokenRules(in: text(of: new).utf8).isEmpty
    }

    private static let parts: [Set<Int>] = [[], [0], [1], [0, 1]]

    /// Explores at most `limit` states.
    mutating func explore(limit: Int) throws {
        let first = MigrationState()
        var (queue, trails, seen, next) = ([first], [[String]()], Set([first]), 0)
        while next < queue.count, queue.count < limit, faults.isEmpty {
            for (step, state) in try steps(from: queue[next]) where seen.insert(state).inserted {
                queue.append(state)
                trails.append(trails[next] + [step])
                try judge(state, after: trails[trails.count - 1])
            }
            next += 1
        }
        stateCount = queue.count
    }

    // MARK: - Steps

    private func steps(from state: MigrationState) throws -> [(String, MigrationState)] {
        var steps: [(String, MigrationState)] = []
        for seat in [0, 1] {
            steps += try keySteps(of: seat, in: state)
            guard state.seats[seat].hasKey else { continue }
            steps += try finishSteps(of: seat, in: state)
            if let next = sealing(by: seat, in: state) { steps.append(("\(seat) seals", next)) }
        }
        for row in [0, 1] where state.rows[row] != .plaintext {
            var back = state
            back.rows[row] = .plaintext
            steps.append(("the server puts text \(row) back", back))
        }
        if state.stored.version != .plaintext {
            var restored = state
            restored.stored = .init(version: .migrating, marks: [])
            steps.append(("the server restores a backup", restored))
        }
        if state.forgeries > 0 {
            for row in [0, 1] {
                var forged = state
                (forged.rows[row], forged.forgeries) = (.forged, state.forgeries - 1)
                steps.append(("the server makes text \(row) up", forged))
            }
        }
        return steps
    }

    /// The first starts; the other one gets the key by a pairing, or by the phrase and a document that the server shows.
    private func keySteps(of seat: Int, in state: MigrationState) throws -> [(String, MigrationState)] {
        guard !state.seats[seat].hasKey else { return [] }
        guard state.seats[1 - seat].hasKey else {
            let made = state.setting(seat, Migration(beginningAt: .migrating), printing: print)
            return [("\(seat) starts", made)]
        }
        var steps: [(String, MigrationState)] = []
        for version in [EncryptionVersion.migrating, .strict] {
            var paired = state.setting(seat, Migration(beginningAt: version), printing: nil)
            paired.seats[seat].wasMisled = version == .strict
            steps.append(("\(seat) is paired at \(version.rawValue)", paired))
        }
        for shown in shown(in: state) {
            var migration = Migration(pin: .plaintext, migrated: nil)
            try migration.see(try document(shown))
            var recovered = state.setting(seat, migration, printing: nil)
            recovered.seats[seat].wasMisled = migration.migrated == nil
            steps.append(("\(seat) recovers from \(shown)", recovered))
        }
        return steps
    }

    private func finishSteps(of seat: Int, in state: MigrationState) throws -> [(String, MigrationState)] {
        var steps: [(String, MigrationState)] = []
        for shown in shown(in: state) {
            let (finished, next) = try finish(seat, shown, in: state)
            steps.append(("\(seat) finishes with \(shown)", next))
            guard state.crashes > 0 else { continue }
            var lost = finished
            lost.crashes -= 1
            steps.append(("\(seat) finishes with \(shown), and crashes", lost))
        }
        return steps
    }

    /// As it is on the device, and with the document on the server, too.
    private func finish(
        _ seat: Int, _ shown: MigrationState.Stored, in state: MigrationState
    ) throws -> (MigrationState, MigrationState) {
        var migration = state.seats[seat].migration(Self.users)
        let users = Self.users
        let marks = try migration.finish(
            try document(shown), own: users[seat], partner: users[1 - seat],
            isKnownToMigrate: state.seats[seat].wasMisled)
        var finished = state
        finished.seats[seat].hasFinished = finished.seats[seat].hasFinished || migration.migrated != nil
        finished = finished.setting(seat, migration, printing: nil)
        let printed = stored(CoupleDocument(wrap, migrated: marks))
        let isStored = allowed.contains(Write(seat: seat, old: state.stored, new: printed))
        return (finished, isStored ? finished.storing(printed) : finished)
    }

    /// What the program does with a text: it passes one that opens, and seals plaintext.
    private func sealing(by seat: Int, in state: MigrationState) -> MigrationState? {
        guard state.rows[seat] == .plaintext else { return nil }
        var next = state
        next.rows[seat] = .sealed
        return next
    }

    // MARK: - What is shown and printed

    /// Each version with each part of the marks that there ever were; it makes up no mark.
    private func shown(in state: MigrationState) -> [MigrationState.Stored] {
        Self.parts.filter(state.seenMarks.isSuperset).flatMap { marks in
            [EncryptionVersion.migrating, .strict].map { MigrationState.Stored(version: $0, marks: marks) }
        }
    }

    private func document(_ shown: MigrationState.Stored) throws -> CoupleDocument {
        try #require(documents[shown])
    }

    private func text(of shown: MigrationState.Stored) -> String {
        let marks = shown.marks.map { "\"\(Self.users[$0])\":true" }.joined(separator: ",")
        let wrap = String(decoding: CoupleDocument(self.wrap).bytes.dropFirst(), as: UTF8.self)
            .replacing("\"encryptionVersion\":2,", with: "")
        return """
            {"encryptionVersion":\(shown.version.rawValue),"encryptionMigrationUsers":{\(marks)},\
            "userIds":["alice","bob"],\(wrap)
            """
    }

    /// What the document of a device says.
    private func print(_ migration: Migration) -> MigrationState.Stored {
        stored(CoupleDocument(wrap, of: migration))
    }

    private func stored(_ document: CoupleDocument) -> MigrationState.Stored {
        let marks = Set(Self.users.indices.filter { document.migrated?.contains(Self.users[$0]) ?? false })
        return .init(version: isCareless ? .strict : document.version, marks: marks)
    }

    // MARK: - What must hold

    private mutating func judge(_ state: MigrationState, after trail: [String]) throws {
        for seat in [0, 1] where state.seats[seat].hasKey {
            let migration = state.seats[seat].migration(Self.users)
            for row in state.rows { try judge(row, migration, trail) }
            let isWholeTruth = state.seats.allSatisfy { $0.hasFinished } || state.seats[seat].wasMisled
            if print(migration).version == .strict, !isWholeTruth { fail("2 is printed too early", trail) }
        }
        guard state.seats.contains(where: \.hasKey), let end = try end(of: state) else { return }
        if end.stored != .init(version: .strict, marks: [0, 1]) {
            fail("the migration does not end: \(end.stored)", trail)
        }
        if end.rows.contains(.plaintext) { fail("a text stays plaintext", trail) }
        reached.insert("both finish")
    }

    private mutating func judge(_ row: MigrationState.Row, _ migration: Migration, _ trail: [String]) throws {
        let reader = FieldReader(key, in: migration)
        let text = row == .sealed ? token : Array("genuine".utf8)
        do {
            switch try reader.read(text) {
            case .sealed(let opened):
                if opened.plaintext != Array("genuine".utf8) { fail("a text is lost", trail) }
            case .plaintext where migration.pin == .strict: fail("plaintext is read at 2", trail)
            case .plaintext: reached.insert("plaintext is read below 2")
            }
        } catch FieldReadError.plaintext where migration.pin == .strict {
            reached.insert("plaintext is refused at 2")
        }
    }

    /// What comes of it once the server is honest: each who has no key yet recovers it, seals, and finishes, twice.
    private func end(of state: MigrationState) throws -> MigrationState? {
        var end = state
        for seat in [0, 1] where !end.seats[seat].hasKey {
            var migration = Migration(pin: .plaintext, migrated: nil)
            try migration.see(try document(end.stored))
            end = end.setting(seat, migration, printing: nil)
        }
        for seat in [0, 1, 0, 1] {
            end = sealing(by: seat, in: end) ?? end
            end = try finish(seat, end.stored, in: end).1
        }
        return end
    }

    private mutating func fail(_ fault: String, _ trail: [String]) {
        if faults[fault] == nil { faults[fault] = trail }
    }
}

extension MigrationState {
    /// With what a device has now, and with its document on the server if it prints one.
    fileprivate func setting(
        _ seat: Int, _ migration: Migration, printing print: ((Migration) -> Stored)?
    ) -> MigrationState {
        var next = self
        next.seats[seat].hasKey = true
        next.seats[seat].pin = migration.pin
        next.seats[seat].migrated = migration.migrated.map { users in
            Set(users.map { $0.text == "alice" ? 0 : 1 })
        }
        return print.map { next.storing($0(migration)) } ?? next
    }

    fileprivate func storing(_ stored: Stored) -> MigrationState {
        var next = self
        next.stored = stored
        next.seenMarks.formUnion(stored.marks)
        return next
    }
}

extension MigrationState.Seat {
    fileprivate func migration(_ users: [UserID]) -> Migration {
        Migration(pin: pin, migrated: migrated.map { Set($0.map { users[$0] }) })
    }
}

extension MigrationState.Stored: CustomStringConvertible {
    var description: String { "version \(version.rawValue) and the marks \(marks.sorted())" }
}
