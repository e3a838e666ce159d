import CloserKeys
import CloserPrimitives
import GRDB
import TestSupport
import Testing

@testable import CloserVault

/// Records of every kind, and what may be seen of them.
private let kinds: [(kind: RecordKind, doors: Set<String>)] = [
    (.device, ["device", "x25519"]),
    (.couple, ["couple", "couples", "state", "invite", "answer", "answer anywhere"]),
    (.invite, ["invite"]), (.partner, ["partner", "partners", "state"]),
    (.answer, ["answer", "answer anywhere"]), (.versionPin, ["version"]), (.changes, ["changes"]),
]

@Suite("A record that was changed in the file, security §7")
struct RecordTests {
    private let observed: ObservedVault
    private let whole: [String: String]

    init() throws {
        observed = try ObservedVault()
        whole = observed.see()
    }

    private var vault: Vault { observed.vault }

    /// What is seen besides what was there; a record that is not found is absent and no error of the vault.
    private func changes(_ doors: Set<String>? = nil) -> [String: String] {
        observed.see(doors).filter { whole[$0.key] != $0.value }
    }

    private static let absent: Set<String> = [
        "", "nil", "0", "error: notSealed", "error: unknown", "error: noInvite", "error: damaged",
    ]

    @Test("all of it is seen before anything is changed")
    func seen() throws {
        #expect(whole.count == 12)
        #expect(whole.values.allSatisfy { !$0.isEmpty && !$0.contains("error") && $0 != "nil" })
        #expect(try vault.rows().count == kinds.count)
    }

    /// Every bit of the small ones; of those over 100 bytes one bit of each byte, every bit in turn.
    @Test("a bit of the sealed bytes", arguments: kinds)
    func sealed(_ kind: RecordKind, _ doors: Set<String>) throws {
        let row = try TamperedRow(of: kind, in: vault)
        let sealed = try row.bytes("sealed")
        let bits =
            sealed.count <= 100
            ? Array(0..<8 * sealed.count) : sealed.indices.map { 8 * $0 + ($0 + $0 / 8) % 8 }
        for bit in bits {
            try row.with("sealed", sealed.flipping(bit: bit).blob.databaseValue) {
                // All doors are tried at every sixteenth.
                let changes = changes(bit % 16 == 0 ? nil : doors)
                #expect(Set(changes.keys) == doors, "bit \(bit)")
                #expect(Set(changes.values) == ["error: damaged"], "bit \(bit)")
            }
        }
        #expect(changes().isEmpty)
    }

    @Test("a sealed text that is cut, lengthened, empty, or of another type", arguments: kinds)
    func sealedLength(_ kind: RecordKind, _ doors: Set<String>) throws {
        let row = try TamperedRow(of: kind, in: vault)
        let sealed = try row.bytes("sealed")
        let lengths = Array(0...30) + [sealed.count - 1]
        let cut = lengths.map { Array(sealed.prefix($0)).blob.databaseValue }
        for value in cut + [(sealed + [0]).blob.databaseValue, 7.databaseValue, "text".databaseValue] {
            try row.with("sealed", value) {
                let changes = changes()
                #expect(Set(changes.keys) == doors)
                #expect(Set(changes.values) == ["error: damaged"])
            }
        }
    }

    @Test("every bit of the revision, and values that are none", arguments: kinds)
    func revision(_ kind: RecordKind, _ doors: Set<String>) throws {
        let row = try TamperedRow(of: kind, in: vault)
        let revision = try #require(Int64.fromDatabaseValue(try row.value("revision")))
        let flipped = (0..<64).map { (revision ^ Int64(truncatingIfNeeded: UInt64(1) << $0)).databaseValue }
        let others: [any DatabaseValueConvertible] = [0, -1, Int64.max, Int64.min, "text", 0.5]
        for value in flipped + others.map(\.databaseValue) {
            try row.with("revision", value) {
                let changes = changes()
                #expect(Set(changes.keys) == doors, "\(value)")
                #expect(Set(changes.values) == ["error: damaged"], "\(value)")
            }
        }
    }

    @Test("a revision that is none stops no writer, and no export", arguments: [-1, 0, Int64.max, Int64.min])
    func unusableRevision(_ revision: Int64) throws {
        let row = try TamperedRow(of: .invite, in: vault)
        let invite = StoredInvite(SecretBytes(testOnly: [1]), couple: try Identifier(parsing: "couple_1"))
        try row.with("revision", revision.databaseValue) {
            try refusesWhatItCannotRead(.damaged) {
                try vault.change { try $0.put(invite) }
            }
            #expect(throws: VaultError.damaged) { try vault.export(under: SecretBytes(testOnly: [1])) }
        }
    }

    private func refusesWhatItCannotRead(_ error: VaultError, _ body: () throws -> Void) throws {
        #expect(throws: error, performing: body)
        #expect(observed.see()["changes"] == whole["changes"])
    }

    @Test("every bit of the tag: the record is gone from where it was, and found nowhere", arguments: kinds)
    func tag(_ kind: RecordKind, _ doors: Set<String>) throws {
        let row = try TamperedRow(of: kind, in: vault)
        for bit in 0..<128 {
            try row.with("tag", row.tag.flipping(bit: bit).blob.databaseValue) {
                let changes = changes()
                #expect(Set(changes.keys).isSubset(of: doors), "bit \(bit)")
                #expect(!changes.isEmpty, "bit \(bit)")
                #expect(Set(changes.values).isSubset(of: Self.absent), "bit \(bit)")
            }
        }
    }

    @Test("every bit of the kind, every other kind, and none", arguments: kinds)
    func kind(_ kind: RecordKind, _ doors: Set<String>) throws {
        let row = try TamperedRow(of: kind, in: vault)
        let name = Array(kind.rawValue.utf8)
        let flipped = (0..<8 * name.count).map {
            String(decoding: name.flipping(bit: $0), as: UTF8.self).databaseValue
        }
        let others = kinds.map(\.kind).filter { $0 != kind }.map(\.rawValue.databaseValue)
        for value in flipped + others + ["".databaseValue, name.blob.databaseValue] {
            try row.with("kind", value) {
                let changes = changes()
                #expect(changes.values.contains("error: damaged"), "\(value)")
                #expect(Set(changes.values).isSubset(of: Self.absent), "\(value)")
            }
        }
    }

    @Test(
        "every bit of the tags by which a record is found besides its name",
        arguments: [
            (.couple, "coupleTag"), (.invite, "coupleTag"), (.partner, "coupleTag"), (.answer, "coupleTag"),
            (.answer, "groupTag"),
        ] as [(RecordKind, String)])
    func otherTags(_ kind: RecordKind, _ column: String) throws {
        let row = try TamperedRow(of: kind, in: vault)
        let tag = try row.bytes(column)
        #expect(tag.count == 16)
        let flipped = (0..<128).map { tag.flipping(bit: $0).blob.databaseValue }
        for value in flipped + [.null, "text".databaseValue] {
            try row.with(column, value) {
                let changes = changes()
                #expect(changes.values.contains("error: damaged"), "\(value)")
                #expect(Set(changes.values).isSubset(of: Self.absent), "\(value)")
            }
        }
    }

    @Test("a tag that a record does not have", arguments: kinds.map(\.kind))
    func addedTags(_ kind: RecordKind) throws {
        let row = try TamperedRow(of: kind, in: vault)
        for column in ["coupleTag", "groupTag"] where try row.value(column).isNull {
            try row.with(column, [UInt8](repeating: 1, count: 16).blob.databaseValue) {
                #expect(Set(changes().values) == ["error: damaged"])
            }
        }
    }
}
