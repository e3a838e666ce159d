internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

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
            guard let aead = told({ try KeysetAEAD(keyset) }) else { preconditionFailure("no AEAD") }
            precondition(told { try aead.open(bytes, associatedData: bytes) } == nil)
            let sealed = aead.seal(bytes, associatedData: bytes)
            precondition(told { try aead.open(sealed, associatedData: bytes) }?.plaintext == bytes)
        }
        precondition(told { try KeysetAEAD(streams[0]) } == nil)
    }

    /// Nor does a box of ours open once a byte of it is changed.
    static func ecies(_ bytes: [UInt8]) {
        let text = SecretBytes(copying: bytes.span)
        for keyset in boxes {
            precondition(opened(bytes, keyset) == nil)
            guard var sealed = told({ try HybridBox.seal(text, to: keyset.publicPrimary(), context: []) })
            else {
                preconditionFailure("not sealed")
            }
            precondition(opened(sealed, keyset) == bytes)
            sealed[Int(bytes.first ?? 0) % sealed.count] ^= bytes.last.map { max(1, $0) } ?? 1
            precondition(opened(sealed, keyset) == nil)
        }
        precondition(opened(bytes, symmetric) == nil)
        precondition(told { try HybridBox.seal(text, to: symmetric, context: []) } == nil)
        precondition(told { try HybridBox.seal(text, to: boxes[0].publicPrimary(), context: tooLong) } == nil)
    }

    private static let tooLong = [UInt8](
        repeating: 0, count: StreamingAEAD.maximumAssociatedDataByteCount + 1)

    private static func opened(_ bytes: [UInt8], _ keyset: Keyset) -> [UInt8]? {
        told {
            try HybridBox.open(bytes, with: keyset, context: []).plaintext.withBytes { Array(copying: $0) }
        }
    }

    static func stream(_ bytes: [UInt8]) {
        for keyset in streams {
            guard let aead = told({ try StreamingAEAD(keyset) }) else { preconditionFailure("no stream") }
            precondition(told { try aead.open(bytes, associatedData: []) } == nil)
            guard let sealed = told({ try aead.seal(bytes, associatedData: []) }) else {
                preconditionFailure("not sealed")
            }
            precondition(told { try aead.open(sealed, associatedData: []) }?.plaintext == bytes)
            precondition(told { try aead.seal(bytes, associatedData: tooLong) } == nil)
            precondition(told { try aead.open(bytes, associatedData: tooLong) } == nil)
        }
        precondition(told { try StreamingAEAD(symmetric) } == nil)
    }
}
