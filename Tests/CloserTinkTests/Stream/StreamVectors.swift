import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport

/// Streams and keysets that Tink made, and how they are compared.
enum StreamVectors {
    static let streams = Vector.all(TestData.streams["streams"], named: "stream", atLeast: 53)
    static let keysets = Vector.all(TestData.streams["keysets"], named: "keyset", atLeast: 12)
    static let foreign = Vector.all(TestData.streams["foreign"], named: "foreign", atLeast: 6)

    /// The plaintexts of the vectors: byte i is `i ^ i >> 8 ^ i >> 16`.
    static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
    }
}

extension Vector {
    var keyset: Keyset {
        get throws { try InsecureCleartextKeyset.read(binary: secret("keyset"), .strict) }
    }
    var plaintext: [UInt8] { StreamVectors.pattern(int("size")) }

    /// The salt and nonce prefix that Tink drew.
    var drawn: [UInt8] { Array((value["stream"] == nil ? hex("header") : hex("stream"))[1..<40]) }

    /// Whether this is the stream: a long one is known by its hash.
    func isStream(_ bytes: [UInt8]) -> Bool {
        guard value["stream"] == nil else { return bytes == hex("stream") }
        return bytes.count == int("count") && SHA256.hash(bytes.span) == hex("sha256")
    }
}
