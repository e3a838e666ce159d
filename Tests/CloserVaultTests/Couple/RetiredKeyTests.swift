import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// Bob has retired a key. Alice's program numbers keys anew, as one that imports them, or it is hostile.
@Suite("A retired key under another id")
struct RetiredKeyTests {
    private let scene: PairingScene
    private let retired: KeyEntry
    /// Its 32 bytes under another id.
    private let renumbered: KeyEntry
    private let (alice, bob): (UserID, UserID)

    init() throws {
        scene = try PairingScene()
        (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        try scene.pair(scene.alice, with: scene.bob)
        retired = try scene.bob.couple(scene.couple).key.keyset.primary
        guard case .aesGCM(let key)? = retired.material else { throw VaultError.damaged }
        let bytes = key.withBytes { SecretBytes(testOnly: $0.testOnlyBytes()) }
        renumbered = try Keyset(aes256GCM: bytes).primary
        try scene.pair(scene.alice, with: scene.bob)
        try scene.bob.retire(retired.id, of: scene.couple)
    }

    /// Bob's keys, and the renumbered one in front of them.
    private func offered(asPrimary isPrimary: Bool) throws -> CoupleKey {
        let ours = try scene.bob.couple(scene.couple).key.keyset
        let keyset = try ours.appending([renumbered])
        return try CoupleKey(
            isPrimary ? keyset.promoting(renumbered.id) : keyset.adding(.aes256GCM).promotingLast())
    }

    /// What Bob makes of a grant of Alice's program.
    private func granted(_ key: CoupleKey) throws -> ReceivedGrant {
        let code = PairingCode.random()
        let invite = OpenOffer(to: scene.couple, from: try scene.alice.device.party(), code: code)
        let reply = try scene.bob.accept(
            invite.offer, code: code, of: scene.couple, consents: .sendingKeys)
        let hold = CoupleHold(epoch: try scene.bob.couple(scene.couple).epoch + 1, key: key)
        let grant = try invite.judge(reply).grant(CoupleGrant(hold, phrase: .random()))
        return try scene.bob.openGrant(grant, of: scene.couple)
    }

    private func rekey(_ key: CoupleKey) throws -> RekeyDocument {
        let epoch = try scene.bob.couple(scene.couple).epoch + 1
        let route = RekeyRoute(couple: scene.couple, from: alice, to: bob)
        let rekey = Rekey(CoupleGrant(CoupleHold(epoch: epoch, key: key), phrase: .random()))
        let box = try rekey.sealed(
            on: route, with: scene.alice.device.identity, to: scene.bob.device.publicKey)
        return RekeyDocument(box, on: route, epoch: epoch)
    }

    private func isGone(from couple: Couple) -> Bool {
        !couple.key.keyset.entries.contains { $0.id == renumbered.id || $0.id == retired.id }
    }

    @Test(
        "does not come back by a grant: as the primary it is refused, and else left out",
        .proves("W10: a retired key opens nothing, and does not come back"))
    func grant() throws {
        #expect(throws: VaultError.refused(.keyMismatch(renumbered.id))) {
            _ = try granted(offered(asPrimary: true))
        }
        #expect(try scene.bob.cancelAnswer(of: scene.couple))
        try scene.bob.store(granted(offered(asPrimary: false)))
        #expect(try isGone(from: scene.bob.couple(scene.couple)))
        #expect(try scene.bob.pairingState(of: scene.couple) == .paired)
    }

    @Test(
        "nor by a rekey of the device that was verified",
        .proves("W10: a retired key opens nothing, and does not come back"))
    func rekeyed() throws {
        let first = try rekey(offered(asPrimary: true))
        try refuses(.rekey(.oldPrimary), scene.bob) {
            try scene.bob.accept(first, of: scene.couple, from: alice)
        }
        let taken = try scene.bob.accept(rekey(offered(asPrimary: false)), of: scene.couple, from: alice)
        #expect(isGone(from: taken) && taken.primaryOrigin == .rekey)
    }

    @Test("nor by a recovery", .proves("W10: a retired key opens nothing, and does not come back"))
    func recovered() throws {
        let phrase = RecoveryPhrase.random()
        let older = CoupleDocument(try KeyWrap(try offered(asPrimary: true), under: phrase))
        try refuses(.couple(.olderKey), scene.bob) {
            try scene.bob.recover(scene.couple, from: older, phrase: phrase, beginningAt: .strict)
        }
        let document = CoupleDocument(try KeyWrap(try offered(asPrimary: false), under: phrase))
        try scene.bob.recover(scene.couple, from: document, phrase: phrase, beginningAt: .strict)
        #expect(try isGone(from: scene.bob.couple(scene.couple)))
    }

    @Test(
        "nor once the couple was forgotten, and neither does a key that it had then",
        .proves("W10: a retired key opens nothing, and does not come back"))
    func forgotten() throws {
        let (all, other) = (
            try offered(asPrimary: true), try scene.bob.couple(scene.couple).key.keyset.primary
        )
        try scene.bob.forget(scene.couple)
        let former = try scene.bob.read { (transaction) throws(VaultError) in
            try transaction.record(ForgottenCouple.self, ForgottenCouple.id(scene.couple))
        }
        #expect(former?.retired.marks.count == 1 && former?.keys.marks.count == 1)
        let epoch = try #require(former).epoch
        let code = PairingCode.random()
        let invite = OpenOffer(to: scene.couple, from: try scene.alice.device.party(), code: code)
        let reply = try scene.bob.accept(
            invite.offer, code: code, of: scene.couple, consents: .sendingKeys)
        let grant = try invite.judge(reply).grant(
            CoupleGrant(CoupleHold(epoch: epoch, key: all), phrase: .random()))
        #expect(throws: VaultError.refused(.keyMismatch(renumbered.id))) {
            _ = try scene.bob.openGrant(grant, of: scene.couple)
        }
        #expect(former?.keys.contains(other) == true && former?.keys.contains(renumbered) == false)
    }

    @Test("nor by a rekey, once the couple was forgotten and recovered")
    func forgottenAndRecovered() throws {
        var couple = try scene.bob.couple(scene.couple)
        try scene.bob.forget(scene.couple)
        couple.retired = FormerKeys(of: scene.couple)
        try scene.bob.change { [couple] (transaction) throws(VaultError) in transaction.put(couple) }
        let members = try scene.bob.read { (transaction) throws(VaultError) in
            try transaction.members(of: scene.couple, with: alice)
        }
        #expect(members.couple.retired.contains(retired) && members.couple.retired.contains(renumbered))
        #expect(!members.couple.retired.contains(couple.key.keyset.primary))
    }

    @Test("bytes that the couple has twice are not given up with one of the ids")
    func twice() throws {
        var couple = try scene.alice.couple(scene.couple)
        couple.key = try CoupleKey(couple.key.keyset.appending([renumbered]).promoting(renumbered.id))
        try scene.alice.change { [couple] (transaction) throws(VaultError) in transaction.put(couple) }
        let after = try scene.alice.retire(retired.id, of: scene.couple)
        #expect(after.retired.ids == [retired.id] && after.retired.marks.isEmpty)
    }

    @Test("a record has the marks of what was given up, and a mark of another length is damage")
    func marks() throws {
        let couple = try scene.bob.couple(scene.couple)
        var fields = fields(of: couple)
        #expect(try Self.read(Couple.self, fields).retired == couple.retired)
        let place = try #require(fields.firstIndex(of: couple.retired.markBytes))
        for cut in [15, 17] {
            fields[place] = [UInt8](repeating: 1, count: cut)
            #expect(throws: VaultError.damaged) { try Self.read(Couple.self, fields) }
        }
    }

    private func fields(of record: some Record) -> [[UInt8]] {
        let content = SecretBytes(capacity: record.maximumByteCount) { record.write(to: &$0) }.testOnlyBytes()
        var (fields, all) = (RecordFields(count: content.count), [[UInt8]]())
        while !fields.isAtEnd, let next = try? fields.bytes(in: content.span) { all.append(next) }
        return all
    }

    private static func read<R: Record>(_: R.Type, _ fields: [[UInt8]]) throws -> R {
        let content = [UInt8](lengthPrefixed: fields)
        var reader = RecordFields(count: content.count)
        let record = try R(&reader, in: content.span)
        try reader.finish()
        return record
    }
}

extension Keyset {
    /// With the key that was added last as the primary.
    fileprivate func promotingLast() throws -> Keyset { try promoting(entries[entries.count - 1].id) }
}
