import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("An app reads and migrates one text as the program does many")
struct FieldJudgeTests {
    private let key: CoupleKey
    private let couple: CoupleID
    private let place: FieldPlace

    init() throws {
        key = try CoupleKey(Keyset(.aes256GCM))
        couple = try CoupleID(parsing: "couple_1")
        place = try FieldPlace(parsing: "users/alice/status")
    }

    private func reader(
        _ migration: Migration, _ origin: KeyOrigin? = .pairing, _ requirement: FieldKey.Requirement = .none
    ) -> FieldReader {
        let origins = origin.map { [key.keyset.primaryID: $0] }
        return FieldReader(
            FieldKey(key, of: couple, origins: origins, requirement: requirement), in: migration)
    }

    @Test(
        "at a place, an app reads a token that lacks one only where it allows that, and is told",
        .proves("W11: a field without a place is refused where a place is named"))
    func unbound() throws {
        let reader = reader(Migration(beginningAt: .strict))
        let old = try reader.key.seal("home".utf8).text
        #expect(throws: FieldError.token(.unbound)) { try reader.read(old, place: place) }
        let moved = FieldReader.Proof(keyID: key.keyset.primaryID, origin: .pairing, isBound: false)
        #expect(
            try reader.read(old, place: place, allowingUnbound: true) == .sealed(Array("home".utf8), moved))
        // It allows nothing else.
        let elsewhere = try reader.key.seal("home".utf8, place: FieldPlace(parsing: "users/bob/status")).text
        #expect(throws: FieldError.opening(.authenticationFailed)) {
            try reader.read(elsewhere, place: place, allowingUnbound: true)
        }
        #expect(throws: FieldError.token(.placed)) { try reader.read(elsewhere, allowingUnbound: true) }
    }

    @Test("plaintext is sealed while the couple migrates, and what is sealed comes back unchanged")
    func migrated() throws {
        let migrating = reader(Migration(beginningAt: .migrating))
        for place in [place, nil] {
            let token = try migrating.migrated("dinner".utf8, place: place)
            #expect(token.form == (place == nil ? .couple : .place))
            #expect(try migrating.key.open(token, place: place).plaintext == Array("dinner".utf8))
            #expect(try migrating.migrated(token.text, place: place) == token)
            let finished = reader(Migration(beginningAt: .strict))
            #expect(try finished.migrated(token.text, place: place) == token)
            #expect(throws: FieldError.plaintext) { try finished.migrated("dinner".utf8, place: place) }
            _ = try finished.migrated("dinner".utf8, place: place, trustingOld: true)
        }
        #expect(throws: FieldError.token(.malformed(.foreignLetter(at: 7)))) {
            try migrating.migrated("enc:v1:?".utf8)
        }
        #expect(throws: FieldError.token(.malformed(.beginning(otherThan: ["enc:v1:", "enc:v2:"])))) {
            try migrating.migrated("enc:".utf8, trustingOld: true)
        }
    }

    @Test(
        "a migration makes no trusted text of the server's, unless the caller vouches",
        .proves("W11: a field that the server may have moved is bound to a place only at your word"))
    func vouched() throws {
        let reader = reader(Migration(beginningAt: .migrating), .pairing, .rekeyed)
        #expect(throws: FieldError.serverForgeable) { try reader.migrated("dinner".utf8) }
        _ = try reader.migrated("dinner".utf8, trustingOld: true)
        let old = try reader.key.seal("home".utf8)
        #expect(throws: FieldError.token(.unbound)) { try reader.migrated(old.text, place: place) }
        let bound = try reader.migrated(old.text, place: place, trustingOld: true)
        #expect(try reader.key.open(bound, place: place).plaintext == Array("home".utf8))
        #expect(try reader.migrated(old.text) == old)
    }

    // MARK: - One judge

    /// A text, what a caller says of it, and how far the couple has come.
    private struct Case {
        let reader: FieldReader
        let text: [UInt8]
        let place: FieldPlace?
        let (allowsUnbound, trustsOld): (Bool, Bool)

        var isToken: Bool { text.starts(with: Array("enc:".utf8)) }
    }

    private func randomCase() throws -> Case {
        let pin = [EncryptionVersion.plaintext, .migrating, .strict].randomElement() ?? .strict
        let users = try ["alice", "bob"].map { try UserID(parsing: $0) }
        let migration = Migration(
            pin: pin, migrated: [nil, [], [users[0]], Set(users)].randomElement() ?? nil)
        let places = [nil, place, try FieldPlace(parsing: "users/bob/status")]
        let plain = [Array("dinner".utf8), [], Array("enc: x".utf8), Array("enc:v3:AAAA".utf8)]
        let other = FieldKey(try CoupleKey(Keyset(.aes256GCM)), of: couple, origins: nil)
        let sealer = Int.random(in: 0..<8) == 0 ? other : FieldKey(key, of: couple, origins: nil)
        let token = try sealer.seal(
            Randomness.system.bytes(.random(in: 0..<40)), place: places.randomElement() ?? nil)
        return Case(
            reader: reader(
                migration, ([nil] + KeyOrigin.allCases).randomElement() ?? nil,
                Bool.random() ? .none : .rekeyed),
            text: Int.random(in: 0..<3) > 0 ? token.text : plain.randomElement() ?? [],
            place: places.randomElement() ?? nil, allowsUnbound: .random(), trustsOld: .random())
    }

    /// What a call gives, to compare.
    private func outcome<Value>(_ body: () throws(FieldError) -> Value) -> Result<Value, FieldError> {
        Result(catching: body)
    }

    @Test("the call for one text and that of a batch agree, on 20,000 random cases")
    func agree() throws {
        var (box, opened) = ([UInt8](), [UInt8]())
        // Nil for a success.
        var seen: [FieldError?] = []
        for _ in 0..<20_000 {
            let some = try randomCase()
            let one = outcome { () throws(FieldError) in
                try some.reader.read(some.text, place: some.place, allowingUnbound: some.allowsUnbound)
            }
            let many = outcome { () throws(FieldError) -> FieldReader.Text in
                opened.removeAll()
                let proof = try some.reader.read(
                    some.text.span, at: some.place, allowingUnbound: some.allowsUnbound, through: &box,
                    into: &opened)
                return proof.map { .sealed(opened, $0) } ?? .plaintext(opened)
            }
            try #require(one == many)
            let nonce = Randomness.system.bytes(12)
            let sealed = outcome { () throws(FieldError) in
                try some.reader.migrated(
                    some.text, place: some.place, trustingOld: some.trustsOld, from: .testOnlyScript(nonce)
                ).text
            }
            let batch = outcome { () throws(FieldError) in try migrate(some, nonce, &box, &opened) }
            try #require(sealed == batch)
            for error in [error(of: one), error(of: sealed)] where !seen.contains(error) {
                seen.append(error)
            }
            try judge(some, one, sealed)
        }
        let all: [FieldError?] = [
            nil, .opening(.noMatchingKey), .opening(.authenticationFailed), .plaintext, .serverForgeable,
            .serverKnown, .token(.malformed(.beginning(otherThan: ["enc:v1:", "enc:v2:"]))), .token(.placed),
            .token(.unbound), .token(.unsupportedVersion),
        ]
        #expect(seen.count == all.count && all.allSatisfy(seen.contains))
    }

    /// What a batch makes of a text.
    private func migrate(
        _ some: Case, _ nonce: [UInt8], _ box: inout [UInt8], _ opened: inout [UInt8]
    ) throws(FieldError) -> [UInt8] {
        let source = FieldSource(openedUnder: nil, isTrusted: some.trustsOld)
        let count = some.reader.key.tokenCount(some.text.count, at: some.place)
        return try [UInt8](capacity: count) { (output) throws(FieldError) in
            _ = try some.reader.migrate(
                some.text.span, at: some.place, of: source, from: .testOnlyScript(nonce), through: &box,
                &opened, into: &output)
        }
    }

    private func error(of outcome: Result<some Any, FieldError>) -> FieldError? {
        if case .failure(let error) = outcome { error } else { nil }
    }

    /// The rules of closer-keys-trust(7), ENCRYPTION VERSION, and of docs/threat-model.md#w11, written once more.
    private func judge(
        _ some: Case, _ read: Result<FieldReader.Text, FieldError>, _ sealed: Result<[UInt8], FieldError>
    ) throws {
        let (migration, key) = (some.reader.migration, some.reader.key)
        let isPrivate = key.origin(ofKey: key.primaryID)?.isPrivate == true
        switch read {
        case .success(.plaintext):
            #expect(!some.isToken && migration.pin < .strict && key.requirement == .none)
        case .success(.sealed(_, let proof)):
            #expect(some.isToken && (isPrivate || key.requirement == .none))
            #expect(proof.origin == key.origin(ofKey: proof.keyID))
            #expect(proof.isBound == some.place.map { _ in some.text.starts(with: Array("enc:v2:".utf8)) })
            #expect(proof.isBound != false || some.allowsUnbound)
        case .failure: break
        }
        guard case .success(let token) = sealed else { return }
        #expect(isPrivate || key.requirement == .none)
        if !some.isToken {
            #expect(migration.sealsPlaintext && key.requirement == .none || some.trustsOld)
        } else if token != some.text {
            #expect(some.trustsOld && some.place != nil && some.text.starts(with: Array("enc:v1:".utf8)))
        }
    }
}
