import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

/// A keyset with one streaming key, of which any part can be replaced.
struct StreamKeysetParts {
    var key = [UInt8](repeating: 9, count: 32)
    var segment: UInt32 = 64
    var derived: UInt32 = 32
    var hash: UInt32 = 3
    var version: UInt32 = 0
    var material: UInt32 = 1
    var prefix: UInt32 = 3

    var bytes: [UInt8] { [UInt8](capacity: 1000) { append(to: &$0) { $0.append(key) } } }

    /// Appends the keyset, with a key that `writeKey` writes.
    func append(to output: inout OutputSpan<UInt8>, _ writeKey: (inout OutputSpan<UInt8>) -> Void) {
        output.appendField(1, uint32: 7)
        output.appendMessage(2) { entry in
            entry.appendMessage(1) { data in
                data.appendField(1, bytes: Array(Self.url.utf8))
                data.appendMessage(2) { appendValue(to: &$0, writeKey) }
                data.appendField(3, uint32: material)
            }
            entry.appendField(2, uint32: 1)
            entry.appendField(3, uint32: 7)
            entry.appendField(4, uint32: prefix)
        }
    }

    private static let url = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey"

    private func appendValue(
        to output: inout OutputSpan<UInt8>, _ writeKey: (inout OutputSpan<UInt8>) -> Void
    ) {
        output.appendField(1, uint32: version)
        output.appendMessage(2) { params in
            params.appendField(1, uint32: segment)
            params.appendField(2, uint32: derived)
            params.appendField(3, uint32: hash)
        }
        output.appendMessage(3, writeKey)
    }

    func keyset(_ reading: Keyset.Reading = .strict) throws(KeysetError) -> Keyset {
        try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), reading)
    }
}

@Suite("Streaming keysets: what a reader refuses")
struct StreamKeysetTests {
    private func error(_ change: (inout StreamKeysetParts) -> Void) -> KeysetError? {
        var parts = StreamKeysetParts()
        change(&parts)
        do {
            _ = try parts.keyset()
            return nil
        } catch { return error }
    }

    @Test("the faultless one is read") func faultless() { #expect(error { _ in } == nil) }

    @Test("each fault has its own error")
    func faults() {
        #expect(error { $0.version = 1 } == .unsupportedVersion(1))
        for hash in [0, 1, 2, 4, 5] as [UInt32] {
            #expect(error { $0.hash = hash } == .unsupportedParameters)
        }
        for size in [0, 16, 24, 31, 33, .max] as [UInt32] {
            #expect(error { $0.derived = size } == .wrongKeySize(byteCount: Int(size)))
        }
        for count in [0, 16, 31, 33, 64] {
            let key = [UInt8](repeating: 9, count: count)
            #expect(error { $0.key = key } == .wrongKeySize(byteCount: count))
        }
        #expect(error { $0.material = 2 } == .wrongMaterialType(2))
        #expect(error { $0.prefix = 0 } == .unknownPrefix(0))
    }

    @Test("segments from 57 bytes to 16 MiB, and no others")
    func segments() {
        for count in [57, 64, 4096, 1 << 20, 16 << 20] as [UInt32] {
            #expect(error { $0.segment = count } == nil)
        }
        for count in [0, 1, 56, 16 << 20 | 1, 1 << 31, .max] as [UInt32] {
            #expect(error { $0.segment = count } == .wrongSegmentSize(byteCount: Int(count)))
        }
    }

    @Test("any prefix is read, kept, and written again: a stream has none", arguments: OutputPrefix.allCases)
    func prefixes(_ prefix: OutputPrefix) throws {
        let parts = StreamKeysetParts(prefix: prefix.rawValue)
        let keyset = try parts.keyset()
        let written = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(written == parts.bytes)
        #expect(try StreamingAEAD(keyset).seal([], associatedData: []).count == 56)
    }

    private static let ctr = "type.googleapis.com/google.crypto.tink.AesCtrHmacStreamingKey"
    private static let refusals: [String: KeysetError] = [
        "AES128_GCM_HKDF_4KB": .wrongKeySize(byteCount: 16),
        "AES128_GCM_HKDF_1MB": .wrongKeySize(byteCount: 16),
        "AES256_CTR_HMAC_SHA256_4KB": .unsupportedKeyType(ctr, id: 1_427_520_653),
        "AES256_CTR_HMAC_SHA256_1MB": .unsupportedKeyType(ctr, id: 1_801_375_937),
    ]

    @Test("Tink's streaming keys under AES-128, AES-CTR or another hash", arguments: StreamVectors.foreign)
    func foreign(_ vector: Vector) {
        #expect(throws: Self.refusals[vector.value.text("name")] ?? .unsupportedParameters) {
            try InsecureCleartextKeyset.read(binary: vector.secret("keyset"))
        }
    }

    @Test("no truncation is a keyset, and no change of a bit traps") func hostile() {
        let bytes = StreamKeysetParts().bytes
        for count in 0..<bytes.count {
            #expect(throws: KeysetError.self) {
                try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: Array(bytes.prefix(count))))
            }
        }
        for bit in 0..<bytes.count * 8 {
            _ = try? InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes.flipping(bit: bit)))
        }
    }

    @Test("strict: the same content in another spelling") func strict() throws {
        let bytes = StreamKeysetParts().bytes + [0x7a, 0x00]
        #expect(throws: KeysetError.notCanonical) {
            try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes), .strict)
        }
        #expect(try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: bytes)).kind == .streaming)
    }
}
