import CloserKeys
import CloserTink
import Testing

@testable import CloserVault

@Suite("What another machine's file says of a couple")
struct CoupleSuccessionTests {
    /// Rekeyed, with the key of before.
    private let couple: Couple
    private let former: UInt32

    init() throws {
        let keyset = try Golden.keyset()
        former = keyset.primaryID
        let added = try keyset.adding(.aes256GCM)
        let new = try #require(added.entries.last).id
        var couple = Couple(
            try CoupleID(parsing: "couple_1"), try CoupleKey(try added.promoting(new)), Golden.wrap)
        couple.rekeys(at: 2)
        self.couple = couple
    }

    private func changed(_ change: (inout Couple) throws -> Void) rethrows -> Couple {
        var changed = couple
        try change(&changed)
        return changed
    }

    @Test("follows from what an honest machine does")
    func honest() throws {
        #expect(couple.follows(couple))
        #expect(changed { $0.give() }.follows(couple))
        #expect(changed { $0.expose() }.follows(couple))
        #expect(changed { $0.rekeys(at: 3) }.follows(couple))
        #expect(
            try changed {
                $0.key = try CoupleKey(try $0.key.keyset.removing(former))
                $0.retiredIDs = [former]
            }.follows(couple))
        #expect(
            try changed {
                let added = try $0.key.keyset.adding(.aes256GCM)
                $0.key = try CoupleKey(try added.promoting(try #require(added.entries.last).id))
                $0.rekeys(at: 3)
            }.follows(couple))
    }

    @Test(
        "does not follow if a replaced key seals again, or the one that sealed is gone and nobody retired it")
    func back() throws {
        #expect(try !changed { $0.key = try CoupleKey(try $0.key.keyset.promoting(former)) }.follows(couple))
        let gone = try changed {
            let replaced = try $0.key.keyset.promoting(former).removing($0.key.keyset.primaryID)
            $0.key = try CoupleKey(replaced)
        }
        #expect(!gone.follows(couple))
    }

    @Test("does not follow if fewer rekeys are known, or fewer retired keys")
    func fewer() {
        #expect(!changed { $0.epoch = 1 }.follows(couple))
        let retired = changed { $0.retiredIDs = [7, 8] }
        #expect(!changed { $0.retiredIDs = [7] }.follows(retired) && !couple.follows(retired))
        #expect(retired.follows(couple))
    }

    @Test("does not follow if a key that was given away, or that the server may hold, is private again")
    func given() {
        let given = changed { $0.give() }
        #expect(!couple.follows(given) && given.follows(couple))
        #expect(!given.follows(changed { $0.expose() }))
        #expect(!changed { $0.origins[former] = .pairing }.follows(couple))
    }
}
