import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

/// Keysets with one fault each, spelled out byte by byte (closer-keys-formats(7), TINK, Keysets).
@Suite("What a keyset reader refuses: closer-keys-formats(7), TINK, Reading a keyset")
struct KeysetRefusalTests {
    private static let tink = "type.googleapis.com/google.crypto.tink."
    private static let aesURL = "\(tink)AesGcmKey"

    /// A keyset with one AES key, of which any part can be replaced.
    private struct Parts {
        var primary: UInt32 = 7
        var id: UInt32 = 7
        var status: UInt32 = 1
        var prefix: UInt32 = 1
        var material: UInt32 = 1
        var url = KeysetRefusalTests.aesURL
        var value = [0x1a, 0x20] + [UInt8](repeating: 9, count: 32)
        var copies = 1
        var hasKeyData = true

        var bytes: [UInt8] {
            [UInt8](capacity: 40_000) { output in
                output.appendField(1, uint32: primary)
                for _ in 0..<copies { output.appendMessage(2) { key(&$0) } }
            }
        }

        private func key(_ output: inout OutputSpan<UInt8>) {
            if hasKeyData {
                output.appendMessage(1) { data in
                    data.appendField(1, bytes: Array(url.utf8))
                    data.appendField(2, bytes: value)
                    data.appendField(3, uint32: material)
                }
            }
            output.appendField(2, uint32: status)
            output.appendField(3, uint32: id)
            output.appendField(4, uint32: prefix)
        }
    }

    private func error(_ change: (inout Parts) -> Void) -> KeysetError? {
        var parts = Parts()
        change(&parts)
        return reading(parts.bytes)
    }

    private func reading(_ bytes: [UInt8], _ reading: Keyset.Reading = .lenient) -> KeysetError? {
        do {
            _ = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), reading)
            return nil
        } catch { return error }
    }

    @Test("the faultless one is read") func faultless() { #expect(error { _ in } == nil) }

    @Test("each fault has its own error")
    func faults() {
        #expect(error { $0.copies = 0 } == .empty)
        #expect(error { $0.copies = 2 } == .duplicateKeyID(7))
        #expect(error { $0.copies = 33 } == .tooManyKeys(maximum: 32))
        #expect(error { $0.primary = 8 } == .primaryMissing(8))
        #expect(error { $0.status = 2 } == .primaryNotEnabled(7))
        #expect(error { $0.status = 3 } == .primaryNotEnabled(7))
        #expect(error { $0.status = 0 } == .unknownStatus(0))
        #expect(error { $0.status = 4 } == .unknownStatus(4))
        #expect(error { $0.prefix = 0 } == .unknownPrefix(0))
        #expect(error { $0.prefix = 5 } == .unknownPrefix(5))
        #expect(error { $0.material = 2 } == .wrongMaterialType(2))
        #expect(error { $0.material = 0 } == .wrongMaterialType(0))
        let siv = "\(Self.tink)AesSivKey"
        #expect(error { $0.url = siv } == .unsupportedKeyType(siv, id: 7))
        #expect(error { $0.url = "" } == .unsupportedKeyType("", id: 7))
        #expect(error { $0.hasKeyData = false } == .unsupportedKeyType("", id: 7))
        #expect(error { $0.value = [0x08, 0x01] + $0.value } == .unsupportedVersion(1))
        #expect(error { $0.value = [] } == .wrongKeySize(byteCount: 0))
        #expect(error { $0.value = [0x1a] } == .malformed)
    }

    @Test(
        "the words name a type of Tink's, and quote nothing else",
        arguments: ["x.\n\nCALL 0900 123456 \u{202E}", "\(tink)Call0900123456", "AesSivKey", ""])
    func types(_ hostile: String) {
        let known = error { $0.url = "\(Self.tink)AesSivKey" }
        #expect(known?.summary == "Key 7 has the type AesSivKey, which is not supported.")
        let words = error { $0.url = hostile }
        #expect(words?.summary == "Key 7 has another type, which is not supported.")
        #expect(words?.description == "key 7 has another type, which is not supported")
    }

    @Test("an AES key of any size but 32", arguments: [0, 15, 16, 24, 31, 33, 64])
    func keySizes(_ count: Int) {
        let value = [0x1a, UInt8(count)] + [UInt8](repeating: 9, count: count)
        #expect(error { $0.value = value } == .wrongKeySize(byteCount: count))
    }

    @Test("exactly 16 KiB is read, with what it holds beside the keys")
    func atTheLimit() {
        let bytes = Parts().bytes
        let unknown = 16_384 - bytes.count - 4
        let padding = [
            0x7a, UInt8(unknown & 0x7F | 0x80), UInt8(unknown >> 7 & 0x7F | 0x80), UInt8(unknown >> 14),
        ]
        #expect(reading(bytes + padding + [UInt8](repeating: 0, count: unknown)) == nil)
    }

    @Test("more than 16 KiB") func tooLarge() {
        #expect(reading([UInt8](repeating: 0, count: 16_385)) == .tooLarge(maximumByteCount: 16_384))
    }

    @Test("key id 0 is read") func idZero() {
        #expect(error { ($0.id, $0.primary) = (0, 0) } == nil)
    }

    @Test("a destroyed key may be without its key, beside an enabled one")
    func destroyed() throws {
        let enabled = Parts().bytes
        var gone = Parts(id: 8, status: 3)
        gone.hasKeyData = false
        gone.primary = 0
        let keyset = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: enabled + gone.bytes))
        #expect(keyset.entries.map(\.status) == [.enabled, .destroyed])
        let written = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(written == enabled + gone.bytes)
    }

    @Test(
        "no truncation of a golden keyset is a keyset, and no change of its bits traps",
        arguments: [
            "coupleKeyset.binaryHex", "userKey.privateKeysetHex",
        ])
    func hostile(_ path: String) {
        let bytes = TestData.golden.hex(path)
        for count in 0..<bytes.count { #expect(reading(Array(bytes.prefix(count))) != nil) }
        for bit in 0..<bytes.count * 8 { _ = reading(bytes.flipping(bit: bit)) }
    }

    @Test(
        "strict: the same content in another spelling",
        .proves("W13: the commitment is always checked, and keysets from others are read strictly"))
    func strict() {
        let bytes = Parts().bytes
        #expect(reading(bytes, .strict) == nil)
        let unknownField: [UInt8] = bytes + [0x7a, 0x00]
        let otherOrder: [UInt8] = Array(bytes[2...]) + bytes[..<2]
        let longVarint: [UInt8] = [0x08, 0x87, 0x00] + bytes[2...]
        for other in [unknownField, otherOrder, longVarint] {
            #expect(reading(other, .lenient) == nil)
            #expect(reading(other, .strict) == .notCanonical)
        }
    }

    @Test("a group, a fixed-width field, a field twice")
    func structure() {
        let bytes = Parts().bytes
        for tail in [[0x7b, 0x7c], [0x7d, 0, 0, 0, 0], [0x08, 0x07]] as [[UInt8]] {
            #expect(reading(bytes + tail) == .malformed)
        }
    }
}
