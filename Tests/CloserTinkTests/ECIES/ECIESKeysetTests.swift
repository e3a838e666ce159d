import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("ECIES keys: integers, points, parameters")
struct ECIESKeysetTests {
    /// The golden private key with other integers or parameters.
    private struct Parts {
        var x = [0] + golden.hex("userKey.xHex")
        var y = [0] + golden.hex("userKey.yHex")
        var scalar = [0] + golden.hex("userKey.privateScalarHex")
        var (curve, hash, format) = (2 as UInt32, 3 as UInt32, 1 as UInt32)
        var (demURL, demSize) = ("type.googleapis.com/google.crypto.tink.AesGcmKey", 16 as UInt32)
        var demPrefix: UInt32 = 1
        var (privateVersion, publicVersion, demVersion) = (0 as UInt32, 0 as UInt32, 0 as UInt32)
        var salt: [UInt8] = []

        var bytes: [UInt8] {
            [UInt8](capacity: 4096) { output in
                output.appendField(1, uint32: 5)
                output.appendMessage(2) { key in
                    key.appendMessage(1) { data in
                        data.appendField(
                            1,
                            bytes: Array(
                                "type.googleapis.com/google.crypto.tink.EciesAeadHkdfPrivateKey".utf8))
                        data.appendMessage(2) { privateKey(&$0) }
                        data.appendField(3, uint32: 2)
                    }
                    for (field, value) in [(2, 1), (3, 5), (4, 1)] as [(Int, UInt32)] {
                        key.appendField(field, uint32: value)
                    }
                }
            }
        }

        private func privateKey(_ output: inout OutputSpan<UInt8>) {
            output.appendField(1, uint32: privateVersion)
            output.appendMessage(2) { publicKey in
                publicKey.appendField(1, uint32: publicVersion)
                publicKey.appendMessage(2) { parameters(&$0) }
                publicKey.appendField(3, bytes: x)
                publicKey.appendField(4, bytes: y)
            }
            output.appendField(3, bytes: scalar)
        }

        private func parameters(_ output: inout OutputSpan<UInt8>) {
            output.appendMessage(1) { kem in
                kem.appendField(1, uint32: curve)
                kem.appendField(2, uint32: hash)
                kem.appendField(11, bytes: salt)
            }
            output.appendMessage(2) { dem in
                dem.appendMessage(2) { template in
                    template.appendField(1, bytes: Array(demURL.utf8))
                    template.appendMessage(2) { format in
                        format.appendField(2, uint32: demSize)
                        format.appendField(3, uint32: demVersion)
                    }
                    template.appendField(3, uint32: demPrefix)
                }
            }
            output.appendField(3, uint32: format)
        }
    }

    private func error(_ reading: Keyset.Reading = .lenient, _ change: (inout Parts) -> Void) -> KeysetError?
    {
        var parts = Parts()
        change(&parts)
        do {
            _ = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: parts.bytes), reading)
            return nil
        } catch { return error }
    }

    private static func resized(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        count >= 32 ? [UInt8](repeating: 0, count: count - 32) + bytes.suffix(32) : Array(bytes.suffix(count))
    }

    @Test(
        "integers of 32 bytes, of 33, and longer ones with leading zeros, are the same key",
        arguments: [32, 33, 34, 66])
    func widths(_ count: Int) {
        #expect(
            error { parts in
                parts.x = Self.resized(parts.x, count)
                parts.y = Self.resized(parts.y, count)
                parts.scalar = Self.resized(parts.scalar, count)
            } == nil)
    }

    @Test("whatever the width, what is written is the golden key's one form")
    func widthsWriteTheSame() throws {
        var parts = Parts()
        let expected = try written(parts)
        parts.x = Self.resized(parts.x, 32)
        parts.y = Self.resized(parts.y, 66)
        parts.scalar = Self.resized(parts.scalar, 40)
        let other = try written(parts)
        #expect(other == expected)
    }

    private func written(_ parts: Parts) throws -> [UInt8] {
        let keyset = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: parts.bytes))
        return InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
    }

    @Test("versions other than 0, of each message that has one")
    func versions() {
        #expect(error { $0.privateVersion = 1 } == .unsupportedVersion(1))
        #expect(error { $0.publicVersion = 2 } == .unsupportedVersion(2))
        #expect(error { $0.demVersion = 3 } == .unsupportedVersion(3))
    }

    @Test("a salt of 1024 bytes is read, one more is too large")
    func salts() {
        #expect(error { $0.salt = [UInt8](repeating: 1, count: 1024) } == nil)
        #expect(error { $0.salt = [UInt8](repeating: 1, count: 1025) } == .tooLarge(maximumByteCount: 1024))
    }

    @Test("strict: all of 33 bytes or all of 32, nothing else")
    func strictWidths() {
        #expect(error(.strict) { _ in } == nil)
        #expect(
            error(.strict) {
                ($0.x, $0.y, $0.scalar) = ($0.x.suffix(32), $0.y.suffix(32), $0.scalar.suffix(32))
            } == nil)
        #expect(error(.strict) { $0.x = $0.x.suffix(32) } == .notCanonical)
        #expect(error(.strict) { $0.scalar = [0] + $0.scalar } == .notCanonical)
    }

    @Test("a scalar of one byte is read, with its point")
    func smallScalar() throws {
        let point = try P256.PrivateKey(
            adopting: SecretBytes(testOnly: [UInt8](repeating: 0, count: 31) + [2])
        ).publicKey
        #expect(error { ($0.scalar, $0.x, $0.y) = ([2], point.x, point.y) } == nil)
    }

    @Test("numbers that are out of range, off the curve, or of another key")
    func refused() {
        #expect(error { $0.scalar = [] } == .integerOutOfRange)
        #expect(error { $0.scalar = [0] } == .integerOutOfRange)
        #expect(error { $0.scalar = [UInt8](repeating: 0xFF, count: 32) } == .integerOutOfRange)
        #expect(error { $0.scalar = [1] + $0.scalar.dropFirst() } == .integerOutOfRange)
        #expect(error { $0.x = [UInt8](repeating: 0, count: 67) } == .integerOutOfRange)
        #expect(error { $0.x = [] } == .notAPoint)
        #expect(error { ($0.x, $0.y) = ($0.y, $0.x) } == .notAPoint)
        #expect(error { $0.y = $0.y.flipping(bit: 100) } == .notAPoint)
        #expect(error { $0.scalar = [2] } == .publicKeyMismatch)
    }

    @Test("curves, hashes, formats and inner ciphers that we do not have")
    func unsupported() {
        for curve in [0, 1, 3, 4, 5] as [UInt32] {
            #expect(error { $0.curve = curve } == .unsupportedParameters)
        }
        for hash in [0, 1, 2, 4, 5] as [UInt32] {
            #expect(error { $0.hash = hash } == .unsupportedParameters)
        }
        for format in [0, 3, 4] as [UInt32] {
            #expect(error { $0.format = format } == .unsupportedParameters)
        }
        for size in [0, 24, 33] as [UInt32] { #expect(error { $0.demSize = size } == .unsupportedParameters) }
        #expect(
            error { $0.demURL = "type.googleapis.com/google.crypto.tink.AesCtrHmacAeadKey" }
                == .unsupportedParameters)
        #expect(error { $0.demPrefix = 9 } == .unknownPrefix(9))
    }

    @Test("the inner cipher's prefix is ignored and written back", arguments: [1, 2, 3, 4] as [UInt32])
    func demPrefix(_ prefix: UInt32) { #expect(error(.strict) { $0.demPrefix = prefix } == nil) }

    @Test("every parameter seals, opens and survives both forms")
    func parameters() throws {
        for format in [ECIESParameters.PointFormat.uncompressed, .compressed] {
            for dem in [ECIESParameters.DEM.aes128GCM, .aes256GCM] {
                for salt in [[], Array("salt".utf8), [UInt8](repeating: 5, count: 1024)] {
                    let parameters = ECIESParameters(pointFormat: format, dem: dem, salt: salt)
                    try roundTrip(Keyset(.ecies(parameters)))
                }
            }
        }
    }

    private func roundTrip(_ keyset: Keyset) throws {
        let binary = try InsecureCleartextKeyset.read(binary: InsecureCleartextKeyset.binary(keyset), .strict)
        let json = try InsecureCleartextKeyset.read(json: InsecureCleartextKeyset.json(binary))
        let shared = try NoSecretKeyset.read(binary: NoSecretKeyset.binary(json.publicKeyset()))
        let plaintext = SecretBytes(testOnly: Array("one-time key".utf8))
        let box = try HybridBox.seal(plaintext, to: shared, context: "context".utf8)
        let opened = try HybridBox.open(box, with: keyset, context: "context".utf8).plaintext.testOnlyBytes()
        #expect(opened == Array("one-time key".utf8))
        let error = opening { _ = try HybridBox.open(box, with: keyset, context: "other".utf8) }
        #expect(error == .authenticationFailed)
    }
}
