internal import CloserPrimitives
internal import CloserTink

/// Ciphertexts under keys that nobody who sends them has: none may open, and none may stop the reader.
enum Boxes {
    private static let symmetric = Keyset(.aes256GCM)
    private static let raw = Keyset(.aes256GCM, prefix: .raw)
    private static let boxes = [
        Keyset(.ecies(ECIESParameters()), prefix: .raw),
        Keyset(.ecies(ECIESParameters(pointFormat: .compressed, dem: .aes256GCM)), prefix: .raw),
        Keyset(.ecies(ECIESParameters())),
    ]
    private static let streams = [
        Keyset(.streaming(.fourKiB)), Keyset(.streaming(StreamingParameters(segmentByteCount: 57))),
    ]

    static func aead(_ bytes: [UInt8]) {
        for keyset in [symmetric, raw] {
            guard let aead = try? KeysetAEAD(keyset) else { preconditionFailure("no AEAD") }
            precondition((try? aead.open(bytes, associatedData: bytes)) == nil)
            let sealed = aead.seal(bytes, associatedData: bytes)
            precondition((try? aead.open(sealed, associatedData: bytes))?.plaintext == bytes)
        }
    }

    static func ecies(_ bytes: [UInt8]) {
        for keyset in boxes { precondition(!opens(bytes, keyset)) }
    }

    private static func opens(_ bytes: [UInt8], _ keyset: Keyset) -> Bool {
        do {
            _ = try HybridBox.open(bytes, with: keyset, context: [])
            return true
        } catch { return false }
    }

    static func stream(_ bytes: [UInt8]) {
        for keyset in streams {
            guard let aead = try? StreamingAEAD(keyset) else { preconditionFailure("no stream") }
            precondition((try? aead.open(bytes, associatedData: [])) == nil)
            guard let sealed = try? aead.seal(bytes, associatedData: []) else {
                preconditionFailure("not sealed")
            }
            precondition((try? aead.open(sealed, associatedData: []))?.plaintext == bytes)
        }
    }
}
