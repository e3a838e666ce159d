import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// Records of every kind, and the doors through which they are seen.
private let kinds: [(kind: RecordKind, doors: Set<String>)] = [
    (.device, ["device", "x25519"]),
    (.couple, ["couple", "couples", "state", "invite", "answer", "answer anywhere"]),
    (.invite, ["invite"]), (.partner, ["partner", "partners", "state"]),
    (.answer, ["answer", "answer anywhere"]), (.versionPin, ["version"]), (.pairing, ["pairings"]),
    (.phrase, ["phrase"]), (.forgotten, ["forgotten"]), (.policy, ["policy"]),
]

@Suite("A record's box that was changed in the file")
struct RecordTests {
    private let observed: ObservedVault
    private let whole: [String: String]
    private let bytes: [UInt8]

    init() throws {
        observed = try ObservedVault()
        whole = try observed.see()
        bytes = try observed.folder.bytes(observed.file)
    }

    /// Where the one record of a kind lies in the file.
    private func box(of kind: RecordKind) throws -> Range<Int> {
        let vault = try observed.folder.open(observed.file)
        let entries = try vault.read { (transaction) throws(VaultError) in
            transaction.directory.entries(of: kind, under: nil)
        }
        #expect(entries.count == 1)
        return try #require(entries.first).box.indices
    }

    /// What is seen in a changed file besides what was there.
    private func changes(_ changed: [UInt8], _ doors: Set<String>? = nil) throws -> [String: String] {
        try observed.folder.write(changed, to: observed.file)
        return try observed.see(doors).filter { whole[$0.key] != $0.value }
    }

    @Test("all of it is seen before anything is changed, and each record lies in the file once")
    func seen() throws {
        #expect(whole.count == 16)
        #expect(whole.values.allSatisfy { !$0.isEmpty && !$0.contains("error") && $0 != "nil" })
        #expect(try observed.vault.rows().count == kinds.count + 2)
        let all = kinds.map(\.kind) + [.form]
        let end = try all.map { try box(of: $0).upperBound }.max()
        #expect(end == bytes.count)
    }

    /// Of the small ones every bit; of those over 100 bytes one bit of each byte, every bit in turn.
    @Test("a bit of the box: its own doors are shut, and no other", arguments: kinds)
    func bits(_ kind: RecordKind, _ doors: Set<String>) throws {
        let box = try box(of: kind)
        let bits =
            box.count <= 100
            ? Array(8 * box.lowerBound..<8 * box.upperBound) : box.map { 8 * $0 + ($0 + $0 / 8) % 8 }
        for bit in bits {
            // All doors are tried at every sixteenth.
            let changes = try changes(bytes.flipping(bit: bit), bit % 16 == 0 ? nil : doors)
            #expect(Set(changes.keys) == doors, "bit \(bit)")
            #expect(Set(changes.values) == ["error: \(VaultError.damaged)"], "bit \(bit)")
        }
        #expect(try changes(bytes).isEmpty)
    }

    @Test(
        "a change takes no damaged box over and leaves the file as it was, unless it deletes that record",
        arguments: kinds)
    func carried(_ kind: RecordKind, _ doors: Set<String>) throws {
        let damaged = bytes.flipping(bit: 8 * (try box(of: kind).upperBound) - 1)
        try observed.folder.write(damaged, to: observed.file)
        let vault = try observed.folder.open(observed.file)
        let other = try CoupleID(parsing: "another")
        #expect(throws: VaultError.damaged) { try vault.plant(other) }
        #expect(try observed.folder.bytes(observed.file) == damaged)
        try vault.change { (transaction) throws(VaultError) in
            for entry in transaction.directory.entries(of: kind, under: nil) {
                transaction.delete(kind, under: entry.name.id)
            }
        }
        try vault.plant(other)
        #expect(try vault.couple(other).id == other)
    }

    @Test("two boxes of one length in each other's place")
    func swapped() throws {
        let vault = try observed.folder.open(observed.file)
        let couples = try ["one", "two"].map { try CoupleID(parsing: $0) }
        for couple in couples { try vault.plant(couple) }
        let names = couples.map { RecordName(.couple, Couple.id($0)) }
        let boxes = try vault.read { (transaction) throws(VaultError) in
            names.compactMap { transaction.directory.entry($0)?.box }
        }
        try #require(boxes.count == 2 && boxes[0].count == boxes[1].count)
        var changed = try observed.folder.bytes(observed.file)
        let places = try boxes.map { box in try #require(changed.firstRange(of: box)) }
        changed.replaceSubrange(places[0], with: boxes[1])
        changed.replaceSubrange(places[1], with: boxes[0])
        try observed.folder.write(changed, to: observed.file)
        let opened = try observed.folder.open(observed.file)
        for couple in couples { #expect(throws: VaultError.damaged) { try opened.couple(couple) } }
    }

    @Test("content with something left over, cut, or of another name, though it was sealed with the key")
    func malformed() throws {
        let vault = try observed.folder.open(observed.file)
        let couple = try CoupleID(parsing: "couple_1")
        let name = RecordName(.couple, Couple.id(couple))
        let content = try content(of: vault.couple(couple))
        let others = [content + [0]] + stride(from: 1, to: content.count, by: 7).map { Array(content[..<$0]) }
        for other in others {
            #expect(throws: VaultError.damaged, "\(other.count) bytes") {
                try sealed(other, as: name, in: vault).couple(couple)
            }
        }
        #expect(try sealed(content, as: name, in: vault).couple(couple).id == couple)
        let stranger = RecordName(.couple, Couple.id(try CoupleID(parsing: "couple_2")))
        #expect(throws: VaultError.damaged) {
            try sealed(content, as: stranger, in: vault).couple(CoupleID(parsing: "couple_2"))
        }
    }

    @Test("a field of another length, or none, that only somebody with the key could have written")
    func fields() throws {
        let vault = try observed.folder.open(observed.file)
        let couple = try CoupleID(parsing: "couple_1")
        let (known, device) = (try vault.couple(couple), try vault.device)
        // Where its keys came from.
        try expectDamaged(known, changing: 5, in: vault) {
            $0 + [0]
        } see: {
            _ = try $0.couple(couple)
        }
        let aead = InsecureCleartextKeyset.binary(Keyset(.aes256GCM)).testOnlyBytes()
        try expectDamaged(device, changing: 1, in: vault) { _ in
            aead
        } see: {
            _ = try $0.device.publicKey
        }
        let live = try #require(try vault.pairings(of: couple).first { $0.status.isLive })
        for secret in [6, 7] {
            try expectDamaged(live, changing: secret, in: vault) { _ in
                []
            } see: {
                _ = try $0.pairings(of: couple)
            }
        }
    }

    private func fields(of record: some Record) throws -> [[UInt8]] {
        let content = content(of: record)
        var (fields, all) = (RecordFields(count: content.count), [[UInt8]]())
        while !fields.isAtEnd { all.append(try fields.bytes(in: content.span)) }
        return all
    }

    private func expectDamaged<R: Record>(
        _ record: R, changing field: Int, in vault: Vault, _ change: ([UInt8]) -> [UInt8],
        see: (Vault) throws -> Void, at location: SourceLocation = #_sourceLocation
    ) throws {
        let name = RecordName(R.kind, record.recordID)
        var fields = try fields(of: record)
        try see(sealed([UInt8](lengthPrefixed: fields), as: name, in: vault))
        fields[field] = change(fields[field])
        let forged = try sealed([UInt8](lengthPrefixed: fields), as: name, in: vault)
        #expect(throws: VaultError.damaged, sourceLocation: location) { try see(forged) }
    }

    private func content(of record: some Record) -> [UInt8] {
        SecretBytes(capacity: record.maximumByteCount) { record.write(to: &$0) }.testOnlyBytes()
    }

    /// The vault as somebody with its key could have written it.
    private func sealed(_ content: [UInt8], as name: RecordName, in vault: Vault) throws -> Vault {
        var directory = try vault.read { (transaction) throws(VaultError) in transaction.directory }
        directory.put(vault.key.seal(SecretBytes(testOnly: content), as: name), as: name)
        let lock = try LockedVault(at: vault.path).content.lock
        try observed.folder.write(VaultFile.bytes(lock, directory, vault.key), to: "forged")
        return try observed.folder.open("forged")
    }

    @Test("an import takes no record that is not what its kind says, though it is sealed")
    func imported() throws {
        let vault = try observed.folder.open(observed.file)
        let couple = try CoupleID(parsing: "couple_1")
        for name in [
            RecordName(.couple, Couple.id(couple)), RecordName(.versionPin, VersionPin.id(couple)),
        ] {
            let forged = try sealed([], as: name, in: vault)
            #expect(throws: VaultError.damaged) { try forged.export(locking: .testOnlyKeyFile(2)) }
        }
    }

    @Test(
        "a directory with a name twice, an id that is no list, a count that is not true, or too many changes is damaged, though it is sealed"
    )
    func directories() throws {
        let vault = try observed.folder.open(observed.file)
        let bytes = try vault.read { (transaction) throws(VaultError) in transaction.directory }.bytes
        let boxes = try observed.folder.bytes(observed.file)[
            try VaultFile(observed.folder.bytes(observed.file), path: "a").head.endIndex...]
        #expect(try Directory(bytes, boxes: boxes).bytes == bytes)
        var many = bytes
        many.replaceSubrange(0..<8, with: [UInt8](bigEndian: Directory.maximumChangeCount + 1))
        let device = bytes[12..<12 + 4 + 6 + 4 + 4 + 32]
        var twice = bytes
        twice.replaceSubrange(8..<12, with: [UInt8](bigEndian: UInt32(kinds.count + 2)))
        twice.insert(contentsOf: device, at: 12)
        var promising = bytes
        promising.replaceSubrange(8..<12, with: [UInt8](repeating: 0xFF, count: 4))
        for changed in [
            many, twice, promising, [UInt8](repeating: 0, count: 8) + bytes.dropFirst(8), bytes + [0],
        ] {
            #expect(throws: VaultError.damaged) {
                try Directory(
                    changed, boxes: changed == twice ? boxes.prefix(boxCount(device)) + boxes : boxes)
            }
        }
        #expect(throws: VaultError.damaged) { try RecordID([0xFF, 0xFF, 0xFF, 0xFF][...]) }
        #expect(throws: VaultError.damaged) { try RecordID([0, 0, 0, 1][...]) }
    }

    /// The length of the box, of an entry of the directory.
    private func boxCount(_ entry: ArraySlice<UInt8>) -> Int {
        Int(UInt32(bigEndian: entry.suffix(36).prefix(4)))
    }

    @Test("the same content is never sealed twice to the same bytes")
    func fresh() throws {
        let couple = try CoupleID(parsing: "couple_1")
        var seen: Set<[UInt8]> = []
        for _ in 0..<20 {
            try observed.vault.change { (transaction) throws(VaultError) in
                transaction.put(try transaction.couple(couple))
            }
            let row = try observed.vault.rows().first { $0.starts(with: "couple".utf8) }
            #expect(seen.insert(try #require(row)).inserted)
        }
    }
}
