import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// The observed vault has one record of each.
private let kinds = RecordKind.allCases.filter { $0 != .rekey }

@Suite("A vault's records and their boxes")
struct RecordTests {
    private let observed: ObservedVault

    init() throws { observed = try ObservedVault() }

    /// Where the one record of a kind is in the vault's bytes. A vault that was opened has its boxes there.
    private func box(of kind: RecordKind) throws -> Range<Int> {
        let entries = try observed.open().read { (transaction) throws(VaultError) in
            transaction.index.entries(of: kind, under: nil)
        }
        #expect(entries.count == 1)
        return try #require(entries.first).box.indices
    }

    @Test("a vault with a record of every kind shows all of it, and each record is in its bytes once")
    func seen() throws {
        let whole = try observed.see()
        #expect(whole.count == 20)
        #expect(whole.values.allSatisfy { !$0.isEmpty && !$0.contains("error") && $0 != "nil" })
        #expect(try observed.vault.rows().count == kinds.count + 1)
        let end = try kinds.map { try box(of: $0).upperBound }.max()
        #expect(try end == observed.bytes.count)
    }

    @Test("a vault with two boxes of one length in each other's place is damaged")
    func swapped() throws {
        let vault = try observed.open()
        let couples = try ["one", "two"].map { try CoupleID(parsing: $0) }
        for couple in couples { try vault.plant(couple) }
        let names = couples.map { RecordName(.couple, Couple.id($0)) }
        let boxes = try vault.read { (transaction) throws(VaultError) in
            names.compactMap { transaction.index.entry($0)?.box }
        }
        try #require(boxes.count == 2 && boxes[0].count == boxes[1].count)
        var changed = try observed.bytes
        let places = try boxes.map { box in try #require(changed.firstRange(of: box)) }
        changed.replaceSubrange(places[0], with: boxes[1])
        changed.replaceSubrange(places[1], with: boxes[0])
        observed.write(changed)
        #expect(throws: VaultError.damaged) { try observed.open() }
        #expect(throws: VaultError.damaged) { try vault.couple(couples[0]) }
    }

    @Test(
        "a record that is cut, too long, or under another name is damaged, though it was sealed with the key")
    func malformed() throws {
        let vault = try observed.open()
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

    @Test(
        "a record with a field of another length, or without it, is damaged, though it was sealed with the key",
        .proves("W22: a token has one spelling, a public key two")
    )
    func fields() throws {
        let vault = try observed.open()
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
        // A second spelling of the partner's X25519 key: the highest bit.
        var partner = try #require(try vault.partners(of: couple).first)
        partner.x25519Key = X25519PrivateKey().publicKey
        try expectDamaged(partner, changing: 5, in: vault) { text in
            var key = (try? Base64.standard.decode(text.span)) ?? []
            key[31] |= 0x80
            return Array(Base64.standard.encode(key).utf8)
        } see: {
            _ = try $0.partners(of: couple)
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

    /// The vault as a program with its key could write it.
    private func sealed(_ content: [UInt8], as name: RecordName, in vault: Vault) throws -> Vault {
        var index = try vault.read { (transaction) throws(VaultError) in transaction.index }
        index.put(try vault.current().key.seal(SecretBytes(testOnly: content), as: name), as: name)
        let slot = try observed.vaults.locked(vault.name).content.slot
        observed.vaults.write(try VaultFile.bytes(slot, index, vault.current().key), to: "forged")
        return try observed.vaults.open("forged")
    }

    @Test("an export of a record that is not what its kind says is refused, though it is sealed")
    func imported() throws {
        let vault = try observed.open()
        let couple = try CoupleID(parsing: "couple_1")
        for name in [
            RecordName(.couple, Couple.id(couple)), RecordName(.versionPin, VersionPin.id(couple)),
        ] {
            let forged = try sealed([], as: name, in: vault)
            #expect(throws: VaultError.damaged) { try forged.export(locking: .testOnlyKeyFile(2)) }
        }
    }

    @Test(
        "an index with a name twice, an id that is no list, a count that is not true, or too many changes is damaged, though it is sealed"
    )
    func indices() throws {
        let vault = try observed.open()
        let bytes = try vault.read { (transaction) throws(VaultError) in transaction.index }.bytes
        let boxes = try observed.bytes[VaultFile(observed.bytes, path: "a").head.endIndex...]
        #expect(try Index(bytes, boxes: boxes).bytes == bytes)
        var many = bytes
        many.replaceSubrange(0..<8, with: [UInt8](bigEndian: Index.changeCounts.upperBound + 1))
        let device = bytes[12..<12 + 4 + 6 + 4 + 4 + 32]
        var twice = bytes
        twice.replaceSubrange(8..<12, with: [UInt8](bigEndian: UInt32(kinds.count + 1)))
        twice.insert(contentsOf: device, at: 12)
        var promising = bytes
        promising.replaceSubrange(8..<12, with: [UInt8](repeating: 0xFF, count: 4))
        for changed in [
            many, twice, promising, [UInt8](repeating: 0, count: 8) + bytes.dropFirst(8), bytes + [0],
        ] {
            #expect(throws: VaultError.damaged) {
                try Index(changed, boxes: changed == twice ? boxes.prefix(boxCount(device)) + boxes : boxes)
            }
        }
        #expect(throws: VaultError.damaged) { try RecordID([0xFF, 0xFF, 0xFF, 0xFF][...]) }
        #expect(throws: VaultError.damaged) { try RecordID([0, 0, 0, 1][...]) }
    }

    /// The length of the box that an entry of the index names.
    private func boxCount(_ entry: ArraySlice<UInt8>) -> Int {
        Int(UInt32(bigEndian: entry.suffix(36).prefix(4)))
    }

    @Test("content that is sealed twice gives other bytes each time")
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
