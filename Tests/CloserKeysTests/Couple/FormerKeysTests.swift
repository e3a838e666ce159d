import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

@Suite("Keys that a couple does not take back: closer-keys-formats(7), THE COUPLE KEY, Subkeys")
struct FormerKeysTests {
    private let couple: CoupleID
    private let key: CoupleKey

    init() throws {
        couple = try CoupleID(parsing: TestData.golden.text("ids.coupleId"))
        let binary = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.binaryHex"))
        key = try CoupleKey(InsecureCleartextKeyset.read(binary: binary, .strict))
    }

    /// The same bytes under another id.
    private func renamed(_ id: UInt32) throws -> CoupleKey {
        let bytes = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.keyHex"))
        let randomness = Randomness.testOnlyScript([UInt8](bigEndian: id))
        return try CoupleKey(Keyset(aes256GCM: bytes, from: randomness))
    }

    // Computed with pyca/cryptography, which also gives the golden fingerprint.
    @Test("the mark of the golden key is 16 bytes of its subkey")
    func mark() throws {
        #expect(FormerKeys(key, of: couple).marks == [try Hex.decode("bf7a972cb6e73d6bb5a1b4595d5649f8")])
        #expect(FormerKeys(key, of: couple).ids == [key.keyset.primaryID])
    }

    @Test("a key is found by its id, and by its bytes under any id, and in its own couple only")
    func contains() throws {
        let (former, new) = (FormerKeys(key, of: couple), Keyset(.aes256GCM).primary)
        #expect(former.contains(key.keyset.primary) && !former.contains(new))
        #expect(try former.contains(renamed(500).keyset.primary))
        #expect(try !FormerKeys(of: couple, ids: former.ids).contains(renamed(500).keyset.primary))
        let other = try CoupleID(parsing: "couple_2")
        #expect(try !FormerKeys(of: other, marks: former.marks).contains(renamed(500).keyset.primary))
    }

    @Test("what is there again is not given up")
    func sets() throws {
        let (former, none) = (FormerKeys(key, of: couple), FormerKeys(of: couple))
        #expect(
            none.union(former) == former && former.union(nil) == former && former.subtracting(former) == none)
        let again = FormerKeys(try renamed(500), of: couple)
        #expect(former.subtracting(again) == FormerKeys(of: couple, ids: former.ids))
    }
}
