package import CloserPrimitives

/// Tink's streaming AEAD over a keyset of AES-256-GCM-HKDF keys (formats §6): for files and attachments of any length.
///
/// A stream is `header(40) ‖ segments`, each with a tag of 16 bytes. It names no key and has no prefix, whatever the
/// keyset says: Tink's has none either.
///
/// - Important: What is opened piece by piece is proven piece by piece. Until the last segment is opened nobody knows
///   that the stream is whole.
public struct StreamingAEAD: Sendable {
    /// HKDF takes no more of it: 32 KiB.
    public static let maximumAssociatedDataByteCount = HKDF.maximumInfoByteCount
    /// 56: a header and one empty segment.
    public static let minimumByteCount = StreamHeader.byteCount + AESGCM.tagByteCount

    private let keyset: Keyset
    private let primaryKey: StreamingKey

    /// Takes a keyset whose keys are all streaming keys; any other is `.wrongKind`.
    public init(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.kind == .streaming, case .streaming(let key)? = keyset.primary.material else {
            throw .wrongKind(expected: .streaming)
        }
        (self.keyset, primaryKey) = (keyset, key)
    }

    /// Begins a stream under the primary, which opens with the same associated data only.
    public func sealer(
        associatedData: some Collection<UInt8>
    ) throws(StreamSealError) -> StreamSealer {
        try sealer(associatedData: Array(associatedData), from: .system)
    }

    /// Begins to open a stream with whichever enabled key fits.
    public func opener(associatedData: some Collection<UInt8>) throws(OpenError) -> StreamOpener {
        try opener(associatedData: Array(associatedData), startingAt: 0)
    }

    /// Seals all of `plaintext` at once.
    public func seal(
        _ plaintext: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(StreamSealError) -> [UInt8] {
        var sealer = try sealer(associatedData: associatedData)
        return try sealer.sealAll(Array(plaintext))
    }

    /// Opens all of `stream` at once, or nothing of it.
    public func open(
        _ stream: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(OpenError) -> Opened {
        var opener = try opener(associatedData: associatedData)
        return try opener.openAll(Array(stream))
    }

    /// The index of the first segment is a seam for tests: no test seals 2^32 segments.
    package func sealer(
        associatedData: [UInt8], from randomness: Randomness, startingAt index: UInt32 = 0
    ) throws(StreamSealError) -> StreamSealer {
        guard associatedData.count <= HKDF.maximumInfoByteCount else { throw .associatedDataTooLong }
        return StreamSealer(
            primaryKey, keyID: keyset.primaryID, associatedData: associatedData.span, from: randomness,
            startingAt: index)
    }

    package func opener(
        associatedData: [UInt8], startingAt index: UInt32
    ) throws(OpenError) -> StreamOpener {
        guard associatedData.count <= HKDF.maximumInfoByteCount else { throw .contextTooLong }
        return StreamOpener(enabledKeys, associatedData: associatedData, startingAt: index)
    }

    /// The primary first: it is the likeliest.
    private var enabledKeys: [(id: UInt32, key: StreamingKey)] {
        let others = keyset.entries.filter { $0.status == .enabled && $0.id != keyset.primaryID }
        return ([keyset.primary] + others).compactMap { entry in
            guard case .streaming(let key)? = entry.material else { return nil }
            return (entry.id, key)
        }
    }
}

extension StreamSealer {
    package mutating func sealAll(_ plaintext: [UInt8]) throws(StreamSealError) -> [UInt8] {
        var (stream, sealed) = ([UInt8](), 0)
        while !isFinished {
            try stream.append(addingCapacity: segmentByteCount) { (output) throws(StreamSealError) in
                sealed += try seal(
                    plaintext.span.extracting(droppingFirst: sealed), isEnd: true, into: &output)
            }
        }
        return stream
    }
}

extension StreamOpener {
    package mutating func openAll(_ stream: [UInt8]) throws(OpenError) -> Opened {
        var (plaintext, opened) = ([UInt8](), 0)
        while !isFinished {
            try plaintext.append(addingCapacity: segmentByteCount) { (output) throws(OpenError) in
                opened += try open(stream.span.extracting(droppingFirst: opened), isEnd: true, into: &output)
            }
        }
        return Opened(plaintext: plaintext, keyID: keyID ?? 0)
    }
}
