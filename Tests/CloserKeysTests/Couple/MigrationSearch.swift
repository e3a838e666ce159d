import CloserKeys
import CloserTink
import CloserWire
import TestSupport
import Testing

/// Every order of the steps of a couple that migrates, and of one that does not, breadth first.
struct MigrationSearch {
    /// What a wrong rule would be: for the positive controls.
    enum Fault {
        /// A device prints 2 at once.
        case printsStrict
        /// A device takes a document's word that the couple has texts in the clear.
        case believesDocuments
    }

    private static let users = MigrationState.users
    private struct Write: Hashable { let seat: Int, old: MigrationState.Stored, new: MigrationState.Stored }
    private let key: FieldKey
    private let wrap: KeyWrap
    private let token: [UInt8]
    private var documents: [MigrationState.Stored: CoupleDocument] = [:]
    private var allowed: Set<Write> = []
    private let fault: Fault?
    private(set) var stateCount = 0
    private(set) var faults: [String: [String]] = [:]
    private(set) var reached: Set<String> = []

    init(_ fault: Fault? = nil) throws {
        self.fault = fault
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
        let write = try DocumentWrite(of: .couple, by: .user(Self.users[seat]), replacing: text(of: old).utf8)
        return try write.brokenRules(in: text(of: new).utf8).isEmpty
    }

    private static let parts: [Set<Int>] = [[], [0], [1], [0, 1]]

    /// Explores at most `limit` states.
    mutating func explore(limit: Int) throws {
        let first = [true, false].map { MigrationState(isInTheClear: $0) } + [MigrationState.storedAtTwo]
        var (queue, trails, seen, next) = (first, first.map { _ in [String]() }, Set(first), 0)
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

    private mutating func steps(from state: MigrationState) throws -> [(String, MigrationState)] {
        var steps = serverSteps(in: state)
        for seat in [0, 1] {
            guard state.seats[seat].hasKey else {
                steps += try keySteps(of: seat, in: state)
                continue
            }
            steps += try finishSteps(of: seat, in: state)
            if state.isInTheClear { steps.append(("\(seat) says that it migrates", state.telling(seat))) }
            if state.newPhones > 0 { steps.append(("\(seat) gets a new phone", state.losing(seat))) }
            if let next = sealing(by: seat, in: state) { steps.append(("\(seat) seals", next)) }
        }
        return steps
    }

    private func serverSteps(in state: MigrationState) -> [(String, MigrationState)] {
        var steps: [(String, MigrationState)] = []
        for row in [0, 1] {
            if state.isInTheClear, state.rows[row] != .plaintext {
                var back = state
                back.rows[row] = .plaintext
                steps.append(("the server puts text \(row) back", back))
            }
            guard state.forgeries > 0 else { continue }
            var forged = state
            (forged.rows[row], forged.forgeries) = (.forged, state.forgeries - 1)
            steps.append(("the server makes text \(row) up", forged))
        }
        if state.isInTheClear, state.stored.version != .plaintext {
            var restored = state
            restored.stored = .init(version: .migrating, marks: [])
            steps.append(("the server restores a backup", restored))
        }
        return steps
    }

    /// The first one begins; the other one, or a new phone, gets the key by a grant, or by the phrase and a document that the server shows.
    private mutating func keySteps(
        of seat: Int, in state: MigrationState
    ) throws -> [(String, MigrationState)] {
        guard state.hasBegun else {
            let migration = Migration(beginningAt: state.beginning)
            return [("\(seat) begins", state.setting(seat, migration).storing(print(migration)))]
        }
        var steps: [(String, MigrationState)] = []
        if state.seats[1 - seat].hasKey {
            let isMigrating = state.seats[1 - seat].migration.sealsPlaintext
            let name = isMigrating ? "couple/migrating" : "couple"
            reached.insert("a grant named \(name)")
            let migration = Migration(beginningAt: isMigrating ? .migrating : .strict)
            steps.append(("\(seat) takes a grant named \(name)", state.setting(seat, migration)))
        }
        for shown in shown(in: state) {
            for isSaid in [false, true] where state.isInTheClear || !isSaid {
                guard let migration = try recovered(by: seat, from: shown, migrating: isSaid) else {
                    continue
                }
                let step = "\(seat) recovers from \(shown)\(isSaid ? ", which migrates" : "")"
                steps.append((step, state.setting(seat, migration)))
            }
        }
        return steps
    }

    /// Nil if the document is refused.
    private mutating func recovered(
        by seat: Int, from shown: MigrationState.Stored, migrating isSaid: Bool
    ) throws -> Migration? {
        let isSaid = isSaid || fault == .believesDocuments && (shown.version == .migrating)
        var migration = Migration(beginningAt: isSaid ? .migrating : .strict)
        let document = try document(shown)
        do { try migration.see(document, own: Self.users[seat], migrating: isSaid) } catch {
            reached.insert("a document at 1 is refused")
            return nil
        }
        return migration
    }

    private func finishSteps(of seat: Int, in state: MigrationState) throws -> [(String, MigrationState)] {
        var steps: [(String, MigrationState)] = []
        for shown in shown(in: state) {
            guard let (finished, next) = try finish(seat, shown, in: state) else { continue }
            steps.append(("\(seat) finishes with \(shown)", next))
            guard state.crashes > 0 else { continue }
            var lost = finished
            lost.crashes -= 1
            steps.append(("\(seat) finishes with \(shown), and crashes", lost))
        }
        return steps
    }

    /// As it is on the device, and with the document on the server, too; nil if the document is refused.
    private func finish(
        _ seat: Int, _ shown: MigrationState.Stored, in state: MigrationState
    ) throws -> (MigrationState, MigrationState)? {
        var migration = state.seats[seat].migration
        let (users, document, marks): ([UserID], CoupleDocument, Set<UserID>?)
        (users, document) = (Self.users, try self.document(shown))
        do { marks = try migration.finish(document, own: users[seat], partner: users[1 - seat]) } catch {
            return nil
        }
        var finished = state.setting(seat, migration)
        finished.seats[seat].hasFinished = finished.seats[seat].hasFinished || migration.isKnownToMigrate
        let printed = stored(CoupleDocument(wrap, migrated: marks, atLeast: document.version))
        let isStored = allowed.contains(Write(seat: seat, old: state.stored, new: printed))
        return (finished, isStored ? finished.storing(printed) : finished)
    }

    /// What the program does with a text: it passes one that opens, and seals plaintext as long as it should, or with `--trust-old`.
    private func sealing(
        by seat: Int, in state: MigrationState, trustingOld: Bool = false
    ) -> MigrationState? {
        let mayBeSealed = trustingOld || state.seats[seat].migration.sealsPlaintext
        guard state.rows[seat] != .sealed, mayBeSealed else { return nil }
        var next = state
        next.rows[seat] = .sealed
        return next
    }

    // MARK: - What is shown and printed

    /// Each version with each part of the marks that the server has.
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
        return .init(version: fault == .printsStrict ? .strict : document.version, marks: marks)
    }

    // MARK: - What must hold

    private mutating func judge(_ state: MigrationState, after trail: [String]) throws {
        for seat in [0, 1] where state.seats[seat].hasKey {
            let migration = state.seats[seat].migration
            for row in state.rows { try judge(row, migration, trail) }
            let isTrue = state.seats.allSatisfy { $0.hasFinished } || !migration.isKnownToMigrate
            if print(migration).version == .strict, !isTrue { fail("2 is printed too early", trail) }
            guard !state.isInTheClear else { continue }
            if print(migration) != .init(version: .strict) { fail("a couple that began at 2 falls", trail) }
            if migration.sealsPlaintext { fail("plaintext of the server's would be sealed", trail) }
        }
        guard state.hasBegun, let end = try end(of: state) else { return }
        if end.stored != .init(version: .strict, marks: state.isInTheClear ? [0, 1] : []) {
            fail("the couple does not end at 2: \(end.stored)", trail)
        }
        if end.rows.contains(.plaintext) { fail("a text stays plaintext", trail) }
        reached.insert(state.isInTheClear ? "both finish" : "it stays at 2")
    }

    private mutating func judge(_ row: MigrationState.Row, _ migration: Migration, _ trail: [String]) throws {
        let reader = FieldReader(key, in: migration)
        let text = row == .sealed ? token : Array("genuine".utf8)
        do {
            switch try reader.read(text) {
            case .sealed(let plaintext, _):
                if plaintext != Array("genuine".utf8) { fail("a text is lost", trail) }
            case .plaintext where migration.pin == .strict: fail("plaintext is read at 2", trail)
            case .plaintext: reached.insert("plaintext is read below 2")
            }
        } catch FieldError.plaintext where migration.pin == .strict {
            reached.insert("plaintext is refused at 2")
        }
    }

    /// What comes of it once the server is honest and the people know whether the couple has texts in the clear: each who has no key yet
    /// recovers it, each seals, and finishes, twice.
    private mutating func end(of state: MigrationState) throws -> MigrationState? {
        var end = state
        for seat in [0, 1] where !end.seats[seat].hasKey {
            let migration = try recovered(by: seat, from: end.stored, migrating: state.isInTheClear)
            guard let migration else { return fail("nobody recovers", ["\(end.stored)"]) }
            end = end.setting(seat, migration)
        }
        for seat in [0, 1, 0, 1] {
            if state.isInTheClear { end = end.telling(seat) }
            // A person who finished too early vouches for their own texts.
            end = sealing(by: seat, in: end, trustingOld: state.seats[seat].hasFinished) ?? end
            guard let next = try finish(seat, end.stored, in: end)?.1 else {
                return fail("nobody finishes", ["\(end.stored)"])
            }
            end = next
        }
        return end
    }

    @discardableResult
    private mutating func fail(_ fault: String, _ trail: [String]) -> MigrationState? {
        if faults[fault] == nil { faults[fault] = trail }
        return nil
    }
}
