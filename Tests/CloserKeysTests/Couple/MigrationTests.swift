import CloserKeys
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("A couple that has texts in the clear comes to version 2")
struct MigrationTests {
    private let alice: UserID
    private let bob: UserID
    private let golden = TestData.golden

    init() throws { (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob")) }

    private var wrap: KeyWrap {
        KeyWrap(
            wrappedCoupleKey: golden.text("wrap.document.wrappedCoupleKey"),
            kdfSalt: golden.text("wrap.document.kdfSalt"), kdfParams: golden.text("wrap.document.kdfParams"))
    }

    private func document(_ members: String) throws -> CoupleDocument {
        let text = String(decoding: CoupleDocument(wrap).bytes, as: UTF8.self)
        return try CoupleDocument(parsing: text.replacing("\"encryptionVersion\":2", with: members).utf8)
    }

    @Test(
        "no order of the steps of two people, a new phone and a lying server ends a migration early, loses a text, stops it for good, or begins one",
        .proves("W9: a migration can always be finished, and with an honest server only both users end it"),
        .proves("W9: a server begins no migration"))
    func search() throws {
        var search = try MigrationSearch()
        try search.explore(limit: Effort.count(60_000, full: 300_000))
        for (fault, trail) in search.faults {
            Issue.record("\(fault), after: \(trail.joined(separator: "; "))")
        }
        #expect(
            search.reached == [
                "both finish", "it stays at 2", "plaintext is read below 2", "plaintext is refused at 2",
                "a grant named couple", "a grant named couple/migrating", "a document at 1 is refused",
            ])
        print("a migration: \(search.stateCount) states")
    }

    @Test(
        "a device that prints 2 at once is seen, and one that believes documents",
        arguments: [
            (MigrationSearch.Fault.printsStrict, "2 is printed too early"),
            (.believesDocuments, "a couple that began at 2 falls"),
        ])
    func careless(_ fault: MigrationSearch.Fault, _ seen: String) throws {
        var search = try MigrationSearch(fault)
        try search.explore(limit: 1000)
        #expect(search.faults.keys.contains(seen))
    }

    @Test("the document of each step is what the next one reads")
    func steps() throws {
        var migration = Migration(beginningAt: .migrating)
        var text = String(decoding: CoupleDocument(wrap, of: migration).bytes, as: UTF8.self)
        #expect(text.hasPrefix(#"{"encryptionVersion":1,"encryptionMigrationUsers":{},"wrappedCoupleKey""#))
        let stored =
            #""encryptionVersion":1,"encryptionMigrationUsers":{"bob":true},"userIds":["alice","bob"]"#
        try migration.finish(try document(stored), own: alice, partner: nil)
        #expect(migration == Migration(pin: .strict, migrated: [alice, bob]))
        text = String(decoding: CoupleDocument(wrap, of: migration).bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"encryptionVersion":2,"encryptionMigrationUsers":{"alice":true,"bob":true},"wrappedCoupleKey""#
            ))
    }

    @Test("a document of before gets our mark alone, and one at 2 without marks is not lowered")
    func marks() throws {
        let users = #""userIds":["alice","bob"]"#
        for (version, marks) in [(1, [alice]), (2, [alice, bob])] {
            var migration = Migration(pin: .strict, migrated: [alice, bob])
            let shown = try document(#""encryptionVersion":\#(version),\#(users)"#)
            let printed = try migration.finish(shown, own: alice, partner: bob)
            #expect(printed == Set(marks) && migration.version == .strict)
            let document = CoupleDocument(wrap, migrated: printed, atLeast: shown.version)
            #expect(document.version.rawValue == version)
        }
    }

    @Test("two users who are not ours, one who is the partner no more, and none at all are refused")
    func members() throws {
        let begin = #""encryptionVersion":1,"encryptionMigrationUsers":{"carol":true},"#
        var migration = Migration(beginningAt: .migrating)
        let others = try document(begin + #""userIds":["bob","carol"]"#)
        #expect(throws: MigrationError.notAMember(alice)) {
            try migration.finish(others, own: alice, partner: nil)
        }
        let swapped = try document(begin + #""userIds":["alice","carol"]"#)
        #expect(throws: MigrationError.notAMember(bob)) {
            try migration.finish(swapped, own: alice, partner: bob)
        }
        let nameless = try document(#""encryptionVersion":1"#)
        #expect(throws: MigrationError.noMembers) { try migration.finish(nameless, own: alice, partner: bob) }
        #expect(migration == Migration(beginningAt: .migrating))
    }

    @Test("a couple that has finished stays at 2, whomever a server names")
    func finished() throws {
        let (done, eve) = (Migration(pin: .strict, migrated: [alice, bob]), try UserID(parsing: "eve"))
        for version in [1, 2] {
            var migration = done
            let swapped = try document(#""encryptionVersion":\#(version),"userIds":["alice","eve"]"#)
            #expect(throws: MigrationError.notAMember(bob)) {
                try migration.finish(swapped, own: alice, partner: nil)
            }
            #expect(throws: MigrationError.notAMember(bob)) {
                try migration.finish(swapped, own: alice, partner: eve)
            }
            #expect(migration == done)
        }
    }

    @Test("marks beside no users, beside others, and a second one count for nothing")
    func forged() throws {
        let two = #""encryptionVersion":1,"encryptionMigrationUsers":{"eve":true,"mallory":true}"#
        let others = two + #","userIds":["eve","mallory"]"#
        var migration = Migration(beginningAt: .migrating)
        for members in [two, others] {
            try migration.see(try document(members), own: alice, migrating: true)
            #expect(migration == Migration(beginningAt: .migrating))
        }
        for partner in ["bob", "eve"] {
            let marks = #""encryptionVersion":1,"encryptionMigrationUsers":{"\#(partner)":true}"#
            let shown = try document(marks + #","userIds":["alice","\#(partner)"]"#)
            try migration.see(shown, own: alice, migrating: true)
            #expect(migration == Migration(pin: .migrating, migrated: [bob]))
        }
    }

    @Test(
        "a couple that is not known to migrate is at 2, whatever a document says",
        arguments: ["", #","encryptionMigrationUsers":{}"#, #","encryptionMigrationUsers":{"bob":true}"#])
    func strict(_ map: String) throws {
        let began = Migration(beginningAt: .strict)
        #expect(began == Migration(pin: .plaintext, migrated: nil) && !began.readsPlaintext)
        var migration = began
        let users = #","userIds":["alice","bob"]"#
        let (one, two) = (
            try document(#""encryptionVersion":1\#(map)\#(users)"#),
            try document(#""encryptionVersion":2\#(map)\#(users)"#)
        )
        #expect(try migration.finish(two, own: alice, partner: bob) == nil)
        try migration.see(two, own: alice, migrating: false)
        let lowered = MigrationError.lowered(to: .migrating, from: .strict)
        #expect(throws: lowered) { try migration.finish(one, own: alice, partner: bob) }
        #expect(throws: lowered) { try migration.see(one, own: alice, migrating: false) }
        #expect(migration == began && !migration.sealsPlaintext)
    }

    @Test("a person's word begins the sealing, reads no plaintext at 2, and marks nobody")
    func said() throws {
        var migration = Migration(beginningAt: .strict)
        #expect(migration.becomeKnownToMigrate() && !migration.becomeKnownToMigrate())
        #expect(migration == Migration(pin: .strict, migrated: []))
        #expect(migration.sealsPlaintext && !migration.readsPlaintext && migration.version == .migrating)
        let stored = try document(#""encryptionVersion":1,"userIds":["alice","bob"]"#)
        #expect(try migration.finish(stored, own: alice, partner: bob) == [alice])
        #expect(migration == Migration(pin: .strict, migrated: [alice]))
    }

    @Test(
        "with a person's word a document at 1 or at 2 is taken, and a mark of a stranger counts for nothing")
    func seen() throws {
        let marks = #""encryptionMigrationUsers":{"bob":true,"eve":true},"userIds":["bob","alice"]"#
        for (version, pin) in [(1, EncryptionVersion.migrating), (2, .strict)] {
            for former in [EncryptionVersion.plaintext, .strict] {
                var fresh = Migration(beginningAt: .migrating, pin: former)
                let shown = try document(#""encryptionVersion":\#(version),\#(marks)"#)
                try fresh.see(shown, own: alice, migrating: true)
                #expect(fresh == Migration(pin: max(pin, former), migrated: [bob]))
            }
        }
        var migration = Migration(beginningAt: .migrating)
        #expect(throws: MigrationError.lowered(to: .plaintext, from: .migrating)) {
            try migration.see(try CoupleDocument(parsing: "{}".utf8), own: alice, migrating: true)
        }
    }
}

@Suite("Texts that come to be sealed are read")
struct FieldReaderTests {
    private let key: FieldKey
    private let couple: CoupleID

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        key = FieldKey(try CoupleKey(Keyset(.aes256GCM)), of: couple, origins: [:])
    }

    @Test("plaintext below 2, tokens always, and nothing that begins as a token does and is none")
    func read() throws {
        let token = try key.seal(Array("a".utf8))
        for pin in [EncryptionVersion.plaintext, .migrating, .strict] {
            let reader = FieldReader(key, in: Migration(pin: pin, migrated: []))
            let proof = FieldReader.Proof(keyID: key.primaryID, origin: .invite, isBound: nil)
            #expect(try reader.read(token.text) == .sealed(Array("a".utf8), proof))
            #expect(throws: FieldError.token(.malformed(.foreignLetter(at: 7)))) {
                try reader.read(Array("enc:v1:?".utf8))
            }
            #expect(throws: FieldError.token(.malformed(.beginning(otherThan: ["enc:v1:", "enc:v2:"])))) {
                try reader.read(Array("enc:".utf8))
            }
        }
        let text = Array("ENC: dinner at eight?".utf8)
        guard
            case .plaintext(text) = try FieldReader(key, in: Migration(pin: .migrating, migrated: [])).read(
                text)
        else {
            throw FieldError.plaintext
        }
        #expect(throws: FieldError.plaintext) {
            try FieldReader(key, in: Migration(pin: .strict, migrated: nil)).read(text)
        }
    }

    @Test("at a place, a token that lacks one is refused")
    func placed() throws {
        let place = try FieldPlace(parsing: "users/alice/status")
        let reader = FieldReader(key, in: Migration(pin: .migrating, migrated: []))
        guard case .sealed = try reader.read(key.seal(Array("a".utf8), place: place).text, place: place),
            case .plaintext = try reader.read(Array("a".utf8), place: place)
        else { throw FieldError.plaintext }
        #expect(throws: FieldError.token(.unbound)) {
            try reader.read(key.seal(Array("a".utf8)).text, place: place)
        }
    }

    @Test("where a private key is required, plaintext is the server's")
    func required() throws {
        let strict = FieldKey(key.key, of: couple, origins: nil, requirement: .rekeyed)
        #expect(throws: FieldError.serverKnown) {
            try FieldReader(strict, in: Migration(pin: .migrating, migrated: [])).read(Array("a".utf8))
        }
    }
}
