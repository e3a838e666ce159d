import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("A couple's files: closer-keys-formats(7), FILES")
struct CoupleFileTests {
    private let old: CoupleKey
    private let new: CoupleKey
    private let couple: CoupleID
    private let photo = Array("a photo".utf8)

    init() throws {
        old = try CoupleKey(Keyset(.aes256GCM))
        new = try old.rotated()
        couple = try CoupleID(parsing: "couple_1")
    }

    private func rekeyed(_ requirement: FieldKey.Requirement) -> FieldKey {
        FieldKey(new, of: couple, origins: [new.keyset.primaryID: .rekey], requirement: requirement)
    }

    @Test("are streams under a key whose value is the golden subkey")
    func golden() throws {
        let secret = SecretBytes(testOnly: TestData.golden.hex("coupleKeyset.binaryHex"))
        let key = try CoupleKey(InsecureCleartextKeyset.read(binary: secret, .strict))
        let subkey = SecretBytes(testOnly: TestData.golden.hex("subkeysHex.file"))
        let stream = try StreamingAEAD([StreamKeyChoice(id: 1, key: StreamingKey(derived: subkey))]).seal(
            photo, associatedData: "beach".utf8)
        let opened = try FieldKey(key, of: couple, origins: nil).files.open(
            stream, associatedData: "beach".utf8)
        #expect(opened.plaintext == photo && opened.keyID == 168_496_141)
    }

    @Test("open with the key that sealed them, by its id, whichever of the couple's it is")
    func keys() throws {
        for (sealing, id) in [(old, old.keyset.primaryID), (new, new.keyset.primaryID)] {
            let sealed = try FieldKey(sealing, of: couple, origins: [:]).files.seal(photo, associatedData: [])
            let opened = try rekeyed(.none).files.open(sealed, associatedData: [])
            #expect(opened.plaintext == photo && opened.keyID == id)
        }
        let disabled = try CoupleKey(new.keyset.disabling(old.keyset.primaryID))
        let sealed = try FieldKey(old, of: couple, origins: [:]).files.seal(photo, associatedData: [])
        #expect(throws: OpenError.authenticationFailed) {
            try FieldKey(disabled, of: couple, origins: [:]).files.open(sealed, associatedData: [])
        }
        let other = try FieldKey(new, of: CoupleID(parsing: "couple_2"), origins: [:])
        #expect(throws: OpenError.authenticationFailed) { try other.files.open(sealed, associatedData: []) }
    }

    @Test("are refused where a rekeyed key is required and theirs is none, before a byte comes out")
    func required() throws {
        let strict = rekeyed(.rekeyed)
        let sealed = try strict.files.seal(photo, associatedData: [])
        #expect(try strict.files.open(sealed, associatedData: []).plaintext == photo)
        for origins in [[:], nil] as [[UInt32: KeyOrigin]?] {
            let known = FieldKey(old, of: couple, origins: origins, requirement: .rekeyed).files
            #expect(throws: StreamingAEAD.SealError.keyRefused) { try known.seal(photo, associatedData: []) }
        }
        let before = try FieldKey(old, of: couple, origins: [:]).files.seal(photo, associatedData: [])
        var opener = try strict.files.opener(associatedData: [])
        var refusal: OpenError?
        let given = [UInt8](capacity: opener.segmentByteCount) { output in
            do throws(OpenError) { _ = try opener.open(before.span, isEnd: true, into: &output) } catch {
                refusal = error
            }
        }
        let (isFinished, keyID) = (opener.isFinished, opener.keyID)
        #expect(refusal == .keyRefused && given.isEmpty && !isFinished && keyID == nil)
        let changed = before.flipping(bit: 8 * 45)
        #expect(throws: OpenError.authenticationFailed) { try strict.files.open(changed, associatedData: []) }
    }
}
