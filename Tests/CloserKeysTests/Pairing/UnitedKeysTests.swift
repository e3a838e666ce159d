import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

@Suite("The keys of two who pair: closer-keys-pairing(7), WHAT A PAIRING DOES")
struct UnitedKeysTests {
    /// A couple key of new keys with these ids, the first the primary.
    private func hold(_ ids: UInt32..., epoch: UInt32 = 0) throws -> CoupleHold {
        let script = ids.flatMap { [UInt8](bigEndian: $0) + Randomness.system.bytes(32) }
        let randomness = Randomness.testOnlyScript(script)
        var keyset = Keyset(.aes256GCM, from: randomness)
        for _ in ids.dropFirst() { keyset = try keyset.adding(.aes256GCM, from: randomness) }
        return CoupleHold(epoch: epoch, key: try CoupleKey(keyset))
    }

    private func ids(_ hold: CoupleHold) -> [UInt32] { hold.key.keyset.entries.map(\.id) }

    private func granted(_ hold: CoupleHold) -> CoupleGrant { CoupleGrant(hold, phrase: .random()) }

    private func script(_ ids: UInt32...) -> Randomness {
        .testOnlyScript(ids.flatMap { [UInt8](bigEndian: $0) + [UInt8](repeating: UInt8($0), count: 32) })
    }

    @Test("the inviter's keys come first, then the acceptor's, then a new primary; the epoch is the next")
    func order() throws {
        let united = try hold(1, 2, epoch: 4).united(
            with: hold(3, 4, epoch: 7), isAlone: false, from: script(5))
        #expect(ids(united) == [1, 2, 3, 4, 5])
        #expect(united.key.keyset.primaryID == 5 && united.epoch == 8)
        let alone = try hold(1, epoch: 4).united(with: hold(3), isAlone: true, from: script(5))
        #expect(ids(alone) == [1, 3, 5] && alone.epoch == 5)
        let shared = try hold(1, epoch: 4).united(with: nil, isAlone: false, from: script(5))
        #expect(ids(shared) == [1, 5] && shared.epoch == 5)
        let kept = try hold(1, 2, epoch: 4).united(with: nil, isAlone: true)
        #expect(ids(kept) == [1, 2] && kept.key.keyset.primaryID == 1 && kept.epoch == 4)
    }

    @Test("a key that both have is there once")
    func shared() throws {
        let ours = try hold(1, 2)
        let theirs = CoupleHold(epoch: 0, key: try ours.key.rotated(from: script(3)))
        let united = try ours.united(with: theirs, isAlone: false, from: script(4))
        #expect(ids(united) == [1, 2, 3, 4])
        let taken = try granted(united).united(with: theirs)
        #expect(ids(taken) == [1, 2, 3, 4] && taken.key.keyset.primaryID == 4 && taken.epoch == 1)
    }

    @Test("keys that were retired stay away, on either side")
    func retired() throws {
        let (ours, theirs) = (try hold(1, 2), try hold(3, 4))
        // The first id that is drawn for the new primary is a retired one.
        let united = try ours.united(
            with: theirs, isAlone: false, retired: former([4, 9]), from: script(9, 5))
        #expect(ids(united) == [1, 2, 3, 5])
        let taken = try granted(united).united(with: theirs, retired: former([2]))
        #expect(ids(taken) == [1, 3, 5, 4])
        #expect(throws: PairingError.keyMismatch(5)) {
            _ = try granted(united).united(with: theirs, retired: former([5]))
        }
        #expect(throws: PairingError.keyMismatch(5)) {
            _ = try granted(united).united(with: nil, retired: former([5]))
        }
    }

    private let couple = try? CoupleID(parsing: "couple_1")

    private func former(_ ids: Set<UInt32>) throws -> FormerKeys {
        FormerKeys(of: try #require(couple), ids: ids)
    }

    /// The primary of a hold under another id, as a program has it that numbers keys on its own.
    private func renamed(_ hold: CoupleHold, _ id: UInt32) throws -> CoupleHold {
        let key = try hold.key.primaryKey.withBytes { bytes in
            let copy = SecretBytes(testOnly: bytes.testOnlyBytes())
            return try CoupleKey(Keyset(aes256GCM: copy, from: script(id)))
        }
        return CoupleHold(epoch: hold.epoch, key: key)
    }

    @Test("nor do they come back under other ids, on either side")
    func retiredBytes() throws {
        let (ours, gone) = (try hold(1), try hold(4))
        let retired = FormerKeys(gone.key, of: try #require(couple))
        let again = try renamed(gone, 6)
        let united = try ours.united(with: again, isAlone: false, retired: retired, from: script(5))
        #expect(ids(united) == [1, 5])
        let both = CoupleHold(epoch: 1, key: try again.key.rotated(from: script(7)))
        let taken = try granted(both).united(with: ours, retired: retired)
        #expect(ids(taken) == [7, 1])
        for ours in [ours, nil] {
            #expect(throws: PairingError.keyMismatch(6)) {
                _ = try granted(again).united(with: ours, retired: retired)
            }
        }
    }

    @Test("the acceptor takes no primary that it has, by id or by bytes")
    func oldPrimary() throws {
        let ours = try hold(1, 2)
        #expect(throws: PairingError.keyMismatch(1)) { _ = try granted(ours).united(with: ours) }
        #expect(throws: PairingError.keyMismatch(6)) {
            _ = try granted(renamed(ours, 6)).united(with: ours)
        }
    }

    @Test("nor one whose id a destroyed key of its own has")
    func destroyedPrimary() throws {
        // status 3, id 6, prefix TINK.
        let bytes =
            InsecureCleartextKeyset.binary(try hold(1).key.keyset).testOnlyBytes()
            + [0x12, 6, 0x10, 3, 0x18, 6, 0x20, 1]
        let ours = try CoupleKey(InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), .strict))
        #expect(try !hold(6).key.hasNewPrimary(comparedTo: ours))
        #expect(try hold(7).key.hasNewPrimary(comparedTo: ours))
    }

    @Test("two keys of one id are a disagreement, on either side, and leave nothing united")
    func conflicts() throws {
        let (ours, theirs) = (try hold(1, 2), try hold(3, 2))
        #expect(throws: PairingError.keyMismatch(2)) {
            _ = try ours.united(with: theirs, isAlone: false)
        }
        #expect(throws: PairingError.keyMismatch(2)) { _ = try granted(theirs).united(with: ours) }
    }

    @Test("epochs are bounded: a thousand above ours, and never the last number")
    func epochs() throws {
        for (epoch, theirs, next) in [
            (0, 1000, 1001), (0, 1001, nil), (5, 1005, 1006), (5, 1006, nil), (7, 0, 8),
            (.max - 2, .max - 2, .max - 1), (.max - 1, 0, nil), (.max - 1, .max - 1, nil),
            (.max - 1, .max, nil),
        ] as [(UInt32, UInt32, UInt32?)] {
            let ours = try hold(1, epoch: epoch)
            let other = try hold(2, epoch: theirs)
            let united = try? ours.united(with: other, isAlone: false)
            #expect(united?.epoch == next, "\(epoch) \(theirs)")
        }
        for (epoch, granted, isTaken) in [
            (3, 3, true), (3, 2, false), (3, 1003, true), (3, 1004, false), (.max - 1, .max, false),
        ] as [(UInt32, UInt32, Bool)] {
            let ours = try hold(1, epoch: epoch)
            let taken = try? self.granted(try hold(2, epoch: granted)).united(with: ours)
            #expect((taken?.epoch == granted) == isTaken, "\(epoch) \(granted)")
        }
        #expect(throws: PairingError.epochMismatch(2, ours: 3)) {
            _ = try granted(try hold(2, epoch: 2)).united(with: hold(1, epoch: 3))
        }
        #expect(throws: PairingError.epochTooHigh(.max)) {
            _ = try granted(try hold(2, epoch: .max)).united(with: nil)
        }
    }

    @Test("together with the new primary there are at most 32 keys")
    func counts() throws {
        func many(_ ids: ClosedRange<UInt32>) throws -> CoupleHold {
            var keyset = Keyset(.aes256GCM, from: script(ids.lowerBound))
            for id in ids.dropFirst() { keyset = try keyset.adding(.aes256GCM, from: script(id)) }
            return CoupleHold(epoch: 0, key: try CoupleKey(keyset))
        }
        let united = try many(1...15).united(with: many(16...31), isAlone: false, from: script(32))
        #expect(ids(united) == Array(1...32))
        for (ours, theirs) in [(1...16, 17...32), (1...20, 21...40)]
            as [(ClosedRange<UInt32>, ClosedRange<UInt32>)]
        {
            #expect(throws: PairingError.tooManyKeys(maximum: 32)) {
                _ = try many(ours).united(with: many(theirs), isAlone: false)
            }
        }
        let primary = try hold(100)
        #expect(throws: PairingError.tooManyKeys(maximum: 32)) {
            _ = try granted(primary).united(with: many(1...32))
        }
    }

    @Test("a key that is disabled does not travel, and stays with whoever disabled it")
    func disabled() throws {
        let ours = try hold(1, 2, 3)
        let disabled = CoupleHold(epoch: 0, key: try CoupleKey(try ours.key.keyset.disabling(2)))
        let (alice, bob) = (try GoldenPairing.party("alice"), try GoldenPairing.party("bob"))
        let code = PairingCode.random()
        let invite = OpenOffer(to: try CoupleID(parsing: "c"), from: alice, code: code)
        let answer = try AnsweredOffer(answering: invite.offer, with: code, as: bob, holding: disabled)
        let admitted = try invite.judge(answer.reply)
        guard let received = admitted.hold else { throw PairingTestFailure() }
        #expect(ids(received) == [1, 3])
        // Alice has disabled a key of her own, too.
        let hers = CoupleHold(epoch: 0, key: try CoupleKey(try hold(7, 8).key.keyset.disabling(8)))
        let united = try hers.united(with: received, isAlone: false, from: script(5))
        #expect(ids(united) == [7, 8, 1, 3, 5])
        let opened = try answer.open(admitted.grant(granted(united)))
        #expect(ids(opened.hold) == [7, 1, 3, 5])
        #expect(ids(try opened.united(with: disabled)) == [7, 1, 3, 5, 2])
    }
}
