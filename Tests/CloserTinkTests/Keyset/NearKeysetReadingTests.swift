import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("What is almost a keyset is told by its own error")
struct NearKeysetReadingTests {
    /// Made by Tink for Python of the golden keyset, under an AES-GCM key.
    private static let ciphertext = """
        010a0b0c0d6cf79467c5bee5cfd11602f0f39e6ce7945250319cf8be1ddef49fc680222a6229fc8d8f11e9f3964f3088fb3d682446189fa5\
        79b0413ed4b4ace5ab891e5b16ccfe2a6a429bd7584f459288532b62c314da0ce97f81f95ec7121775a14dbdb6f5f4751c0b2c790546efc6\
        2325557c26a902eabe6a18bac8fa301b86baa1239017032f2ced83
        """
    /// What Tink tells of the keys of an encrypted keyset.
    private static let info = """
        1a42088d98ac50123b0a30747970652e676f6f676c65617069732e636f6d2f676f6f676c652e63727970746f2e74696e6b2e41657347636d\
        4b65791001188d98ac502001
        """
    private static let golden = TestData.golden.hex("coupleKeyset.binaryHex")

    private func error(of bytes: [UInt8], _ reading: Keyset.Reading = .lenient) -> KeysetError? {
        do {
            _ = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), reading)
            return nil
        } catch { return error }
    }

    @Test("Tink's encrypted keyset, with and without what it tells of the keys")
    func encrypted() throws {
        let bytes = try Hex.decode("128b01" + Self.ciphertext)
        #expect(error(of: bytes) == .encrypted)
        #expect(error(of: try bytes + Hex.decode(Self.info)) == .encrypted)
        // Whoever sends a keyset to be read strictly learns nothing of what else it may be.
        #expect(error(of: bytes, .strict) == .malformed)
    }

    @Test("in JSON, too, under either name")
    func encryptedJSON() throws {
        for name in ["encryptedKeyset", "encrypted_keyset"] {
            let text = "{\"\(name)\":\"AQoL\",\"keysetInfo\":{\"primaryKeyId\":1,\"keyInfo\":[]}}"
            #expect(throws: KeysetError.encrypted) {
                try InsecureCleartextKeyset.read(SecretBytes(testOnly: Array(text.utf8)))
            }
        }
    }

    @Test("a keyset whose key is faulty is not an encrypted one, nor is a short or a longer message")
    func notEncrypted() throws {
        let withoutPrimary = Array(Self.golden.dropFirst(5))
        #expect(error(of: withoutPrimary) == .primaryMissing(0))
        #expect(error(of: [0x12, 0x10] + [UInt8](repeating: 1, count: 16)) != .encrypted)
        let bytes = try Hex.decode("128b01" + Self.ciphertext)
        #expect(error(of: [0x08, 0x01] + bytes) == .malformed)
        #expect(error(of: bytes + bytes) == .malformed)
    }

    @Test("a line break behind a keyset", arguments: [([10], 1), ([13, 10], 2)] as [([UInt8], Int)])
    func lineBreak(_ end: [UInt8], _ count: Int) throws {
        #expect(error(of: Self.golden + end) == .lineBreak(byteCount: count))
        #expect(error(of: Self.golden + end, .strict) == .malformed)
        #expect(error(of: Self.golden + end + end) == .malformed)
        #expect(error(of: Self.golden.dropLast() + end) != .lineBreak(byteCount: count))
        let encrypted = try Hex.decode("128b01" + Self.ciphertext)
        #expect(error(of: encrypted + end) == .lineBreak(byteCount: count))
    }
}
