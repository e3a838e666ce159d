import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("Rotation: rotate, add, promote, disable, enable, remove")
struct KeysetHandlingTests {
    private let couple = Array("couple_1".utf8)

    @Test("a new key reads at once, seals when promoted, and the old one reads until it is disabled")
    func rotation() throws {
        let first = Keyset(.aes256GCM)
        let oldText = try KeysetAEAD(first).seal([1, 2, 3], associatedData: couple)
        let added = try first.adding(.aes256GCM)
        #expect(added.primaryID == first.primaryID)
        let newID = try #require(added.entries.last?.id)
        let promoted = try added.promoting(newID)
        let newText = try KeysetAEAD(promoted).seal([4], associatedData: couple)
        #expect(try KeysetAEAD(added).open(newText, associatedData: couple).keyID == newID)
        #expect(try KeysetAEAD(promoted).open(oldText, associatedData: couple).plaintext == [1, 2, 3])
        let disabled = try promoted.disabling(first.primaryID)
        #expect(throws: OpenError.noMatchingKey) {
            try KeysetAEAD(disabled).open(oldText, associatedData: couple)
        }
        #expect(throws: OpenError.noMatchingKey) {
            try KeysetAEAD(first).open(newText, associatedData: couple)
        }
    }

    @Test(
        "rotate: the new key has the primary's parameters and prefix, and is the primary; the old one is kept",
        arguments: [
            KeyTemplate.aes256GCM, .streaming(.fourKiB),
            .ecies(ECIESParameters(pointFormat: .compressed, dem: .aes256GCM, salt: [1])),
        ])
    func rotate(_ template: KeyTemplate) throws {
        let isStream = Keyset(template).kind == .streaming
        let first = Keyset(template, prefix: isStream ? .raw : .crunchy)
        let rotated = try first.rotating()
        #expect(rotated.entries.map(\.id) == [first.primaryID, rotated.primaryID])
        #expect(rotated.primaryID != first.primaryID)
        #expect(rotated.primary.prefix == first.primary.prefix)
        #expect(rotated.entries.map(\.typeName) == [first.primary.typeName, first.primary.typeName])
        #expect(rotated.entries.map(\.status) == [.enabled, .enabled])
    }

    @Test("a rotated keyset opens what was sealed before, and the old keyset nothing that is sealed after")
    func rotatedOpens() throws {
        let first = Keyset(.aes256GCM)
        let rotated = try KeysetAEAD(first.rotating())
        let old = try KeysetAEAD(first).seal([1], associatedData: couple)
        #expect(try rotated.open(old, associatedData: couple).keyID == first.primaryID)
        let new = rotated.seal([2], associatedData: couple)
        #expect(throws: OpenError.noMatchingKey) { try KeysetAEAD(first).open(new, associatedData: couple) }
    }

    @Test("a disabled key opens again once it is enabled, and nothing does once it is removed")
    func enabled() throws {
        let first = Keyset(.aes256GCM)
        let sealed = try KeysetAEAD(first).seal([1], associatedData: couple)
        let disabled = try first.rotating().disabling(first.primaryID)
        let enabled = try disabled.enabling(first.primaryID)
        #expect(try KeysetAEAD(enabled).open(sealed, associatedData: couple).plaintext == [1])
        #expect(try enabled.enabling(enabled.primaryID).entries.map(\.status) == [.enabled, .enabled])
        let removed = try disabled.removing(first.primaryID)
        #expect(removed.entries.map(\.id) == [disabled.primaryID])
        #expect(throws: KeysetError.noSuchKey(first.primaryID)) { try removed.enabling(first.primaryID) }
    }

    @Test("changes that are refused")
    func refused() throws {
        let keyset = Keyset(.aes256GCM)
        let other = try keyset.adding(.aes256GCM)
        let id = try #require(other.entries.last?.id)
        #expect(throws: KeysetError.noSuchKey(0)) { try keyset.promoting(0) }
        #expect(throws: KeysetError.noSuchKey(0)) { try keyset.disabling(0) }
        #expect(throws: KeysetError.isPrimary(keyset.primaryID)) { try keyset.disabling(keyset.primaryID) }
        #expect(throws: KeysetError.notEnabled(id)) { try other.disabling(id).promoting(id) }
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) {
            try keyset.adding(.ecies(ECIESParameters()))
        }
        #expect(throws: KeysetError.wrongKind(expected: .eciesPrivate)) { try keyset.publicKeyset() }
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) {
            try KeysetAEAD(Keyset(.ecies(ECIESParameters())))
        }
        #expect(throws: KeysetError.isPrimary(keyset.primaryID)) { try keyset.removing(keyset.primaryID) }
        #expect(throws: KeysetError.wrongKind(expected: .eciesPrivate)) {
            try Keyset(.ecies(ECIESParameters())).publicKeyset().rotating()
        }
        var full = keyset
        for _ in 1..<32 { full = try full.adding(.aes256GCM) }
        #expect(throws: KeysetError.tooManyKeys(maximum: 32)) { try full.adding(.aes256GCM) }
        #expect(throws: KeysetError.tooManyKeys(maximum: 32)) { try full.rotating() }
    }

    @Test("a key is named by what its template is called, and by what differs from that")
    func names() throws {
        let other = ECIESParameters(pointFormat: .compressed, dem: .aes256GCM, salt: [1])
        let names: [(KeyTemplate, String)] = [
            (.aes256GCM, "aes256-gcm"), (.streaming(.oneMiB), "aes256-gcm-hkdf-1mb"),
            (.streaming(.fourKiB), "aes256-gcm-hkdf-4kb"),
            (.streaming(StreamingParameters(segmentByteCount: 64)), "aes256-gcm-hkdf-64b"),
            (.ecies(ECIESParameters()), "ecies-p256"),
            (.ecies(other), "ecies-p256+compressed+aes256-gcm+salt"),
        ]
        for (template, name) in names { #expect(Keyset(template).primary.typeName == name) }
        #expect(
            try Keyset(.ecies(other)).publicKeyset().primary.typeName
                == "ecies-p256-public+compressed+aes256-gcm+salt")
    }

    @Test("key ids are drawn until one is neither 0 nor taken")
    func ids() throws {
        let key = [UInt8](repeating: 1, count: 32)
        let keyset = Keyset(.aes256GCM, from: .testOnlyScript([0, 0, 0, 0, 0, 0, 0, 9] + key))
        #expect(keyset.primaryID == 9)
        let added = try keyset.adding(.aes256GCM, from: .testOnlyScript([0, 0, 0, 9, 0, 0, 1, 0] + key))
        #expect(added.entries.map(\.id) == [9, 256])
    }

    @Test(
        "prefixes: each opens its own, and a raw key opens what bears none", arguments: OutputPrefix.allCases)
    func prefixes(_ prefix: OutputPrefix) throws {
        let keyset = try Keyset(.aes256GCM, prefix: prefix).adding(.aes256GCM, prefix: .raw).adding(
            .aes256GCM, prefix: .tink)
        let aead = try KeysetAEAD(keyset)
        let sealed = aead.seal([], associatedData: couple)
        #expect(sealed.count == 28 + prefix.byteCount)
        #expect(try aead.open(sealed, associatedData: couple).keyID == keyset.primaryID)
        #expect(throws: OpenError.authenticationFailed) {
            try aead.open(sealed, associatedData: couple + [0])
        }
    }

    @Test("a raw ciphertext that looks like another key's is tried with both")
    func ambiguousPrefix() throws {
        let keyset = try Keyset(.aes256GCM, prefix: .raw).adding(.aes256GCM)
        let other = try #require(keyset.entries.last?.id)
        let iv: [UInt8] =
            [1] + (0..<4).map { UInt8(truncatingIfNeeded: other >> (24 - 8 * $0)) }
            + [UInt8](repeating: 3, count: 7)
        let plaintext = Array("text".utf8)
        let sealed = try KeysetAEAD(keyset).seal(
            plaintext.span, associatedData: couple.span, from: .testOnlyScript(iv))
        #expect(try KeysetAEAD(keyset).open(sealed, associatedData: couple).plaintext == plaintext)
    }

    @Test("nothing secret prints")
    func redaction() {
        let keyset = Keyset(
            .aes256GCM, from: .testOnlyScript([0, 0, 0, 9] + [UInt8](repeating: 0x41, count: 32)))
        var dumped = ""
        dump(keyset, to: &dumped)
        dump(keyset.entries, to: &dumped)
        dump(keyset.primary.material, to: &dumped)
        dump(ECIESPrivateKey(), to: &dumped)
        dumped += "\(keyset) \(keyset.entries) \(ECIESPrivateKey())"
        #expect(!dumped.contains("AAAA") && !dumped.contains("65, 65") && !dumped.contains("41"))
        #expect(dumped.contains("redacted"))
    }

    @Test("public keysets hold no secret, and secret ones are not taken for public")
    func publicKeysets() throws {
        let keyset = try Keyset(.ecies(ECIESParameters())).adding(.ecies(ECIESParameters()))
        let bytes = try NoSecretKeyset.binary(keyset.publicKeyset())
        #expect(try NoSecretKeyset.read(binary: bytes).entries.map(\.id) == keyset.entries.map(\.id))
        // As tink.proto calls it.
        let json = String(
            decoding: try InsecureCleartextKeyset.json(keyset.publicKeyset()).testOnlyBytes(), as: UTF8.self)
        #expect(json.contains(#""keyMaterialType":"ASYMMETRIC_PUBLIC""#))
        #expect(throws: KeysetError.holdsSecret) { try NoSecretKeyset.binary(keyset) }
        let secret = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(throws: KeysetError.holdsSecret) { try NoSecretKeyset.read(binary: secret) }
        #expect(throws: KeysetError.wrongKind(expected: .eciesPrivate)) {
            try Keyset(.aes256GCM).publicKeyset()
        }
    }

    @Test("keyboxes of the wrong keyset: sealed to a private one, opened with an AEAD one, shorter than any")
    func wrongKeysets() throws {
        let keyset = Keyset(.ecies(ECIESParameters()))
        let plaintext = SecretBytes(testOnly: [1])
        var refused: HybridSealError?
        do { _ = try HybridBox.seal(plaintext, to: keyset, context: []) } catch { refused = error }
        #expect(refused == .notAPublicKeyset)
        do {
            _ = try HybridBox.seal(
                plaintext, to: keyset.publicKeyset(), context: [UInt8](repeating: 1, count: 32_769))
        } catch {
            refused = error as? HybridSealError
        }
        #expect(refused == .contextTooLong)
        let box = try HybridBox.seal(plaintext, to: keyset.publicKeyset(), context: [])
        let other = opening { _ = try HybridBox.open(box, with: Keyset(.aes256GCM), context: []) }
        #expect(other == .noMatchingKey)
        let short = opening { _ = try HybridBox.open(box.prefix(60), with: keyset, context: []) }
        #expect(short == .tooShort)
    }

    @Test("a key made elsewhere becomes a keyset")
    func importing() throws {
        let key = try AESGCMKey(adopting: SecretBytes(testOnly: [UInt8](repeating: 3, count: 32)))
        let keyset = Keyset(importing: .aesGCM(key), prefix: .raw)
        let sealed = try KeysetAEAD(keyset).seal([9], associatedData: couple)
        #expect(try KeysetAEAD(keyset).open(sealed, associatedData: couple).plaintext == [9])
        #expect(sealed.count == 29)
        #expect(throws: KeysetError.wrongKeySize(byteCount: 16)) {
            try AESGCMKey(adopting: SecretBytes(testOnly: [UInt8](repeating: 3, count: 16)))
        }
    }

    @Test("a context above HKDF's 32 KiB is refused by both sides")
    func longContext() throws {
        let keyset = Keyset(.ecies(ECIESParameters()))
        let context = [UInt8](repeating: 0x61, count: 32_768)
        let plaintext = SecretBytes(testOnly: [1])
        let box = try HybridBox.seal(plaintext, to: keyset.publicKeyset(), context: context)
        let opened = try HybridBox.open(box, with: keyset, context: context).plaintext.testOnlyBytes()
        #expect(opened == [1])
        let error = opening { _ = try HybridBox.open(box, with: keyset, context: context + [0]) }
        #expect(error == .contextTooLong)
    }
}
