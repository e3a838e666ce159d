package import CloserPrimitives
internal import CloserWire

/// Tink's streaming AEAD over a keyset of AES-256-GCM-HKDF keys: for files and attachments of any length
/// (closer-keys-formats(7), FILES).
///
/// A stream is `header(40) ‖ segments`, each with a tag of 16 bytes. As in Tink it lacks a prefix under every
/// keyset, and so names no key: a reader tries them all.
///
/// - Important: Each segment is proven when it is opened. That the stream is whole is only known when the last one is.
public struct StreamingAEAD: Sendable {
    /// 32 KiB: the most that HKDF takes.
    public static let maximumAssociatedDataByteCount = HKDF.maximumInfoByteCount
    /// 56: a header and one empty segment.
    public static let minimumByteCount = StreamHeader.byteCount + AESGCM.tagByteCount

    /// The keys that may open, the primary first: it is the likeliest.
    private let keys: [StreamKeyChoice]

    /// Takes a keyset whose keys are all streaming keys.
    ///
    /// - Throws: `.wrongKind` for any other.
    public init(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.kind == .streaming else { throw .wrongKind(expected: .streaming) }
        let others = keyset.entries.filter { $0.status == .enabled && $0.id != keyset.primaryID }
        keys = ([keyset.primary] + others).compactMap { entry in
            guard case .streaming(let key)? = entry.material else { return nil }
            return StreamKeyChoice(id: entry.id, key: key)
        }
    }

    /// Takes keys that were derived from others, the primary first.
    package init(_ keys: [StreamKeyChoice]) {
        precondition(!keys.isEmpty, "a stream needs a key")
        self.keys = keys
    }

    /// Begins a stream under the primary. It opens with the same associated data only.
    ///
    /// - Throws: `.associatedDataTooLong` above 32 KiB, or `.keyRefused`.
    public func sealer(associatedData: some Collection<UInt8>) throws(StreamingAEAD.SealError) -> StreamSealer
    {
        try sealer(associatedData: Array(associatedData), from: .system)
    }

    /// Begins to open a stream with the enabled key that fits.
    ///
    /// - Throws: `.contextTooLong` if the associated data has more than 32 KiB.
    public func opener(associatedData: some Collection<UInt8>) throws(OpenError) -> StreamOpener {
        try opener(associatedData: Array(associatedData), startingAt: 0)
    }

    /// Seals all of `plaintext` at once, in memory.
    ///
    /// - Throws: ``StreamingAEAD/SealError``.
    public func seal(
        _ plaintext: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(StreamingAEAD.SealError) -> [UInt8] {
        var sealer = try sealer(associatedData: associatedData)
        return try sealer.sealAll(Array(plaintext))
    }

    /// Opens all of `stream` at once, in memory.
    ///
    /// - Throws: ``OpenError``.
    public func open(
        _ stream: some Collection<UInt8>, associatedData: some Collection<UInt8>
    ) throws(OpenError) -> Opened {
        var opener = try opener(associatedData: associatedData)
        return try opener.openAll(Array(stream))
    }

    /// Begins a stream at any index, so that a test reaches the last one without sealing 2^32 segments.
    package func sealer(
        associatedData: [UInt8], from randomness: Randomness, startingAt index: UInt32 = 0
    ) throws(StreamingAEAD.SealError) -> StreamSealer {
        guard associatedData.count <= HKDF.maximumInfoByteCount else { throw .associatedDataTooLong }
        guard let primary = keys.first, !primary.isRefused else { throw .keyRefused }
        return StreamSealer(
            primary.key, keyID: primary.id, associatedData: associatedData.span, from: randomness,
            startingAt: index)
    }

    /// Begins to open a stream at any index, for the same tests.
    package func opener(associatedData: [UInt8], startingAt index: UInt32) throws(OpenError) -> StreamOpener {
        guard associatedData.count <= HKDF.maximumInfoByteCount else { throw .contextTooLong }
        return StreamOpener(keys, associatedData: associatedData, startingAt: index)
    }
}

/// A key that a stream may be under.
package struct StreamKeyChoice: Sendable {
    let id: UInt32
    let key: StreamingKey
    /// Whether its owner asked that nothing is sealed or opened with it. It is tried all the same, so that a stream under it is told
    /// from one that does not open.
    let isRefused: Bool

    package init(id: UInt32, key: StreamingKey, isRefused: Bool = false) {
        (self.id, self.key, self.isRefused) = (id, key, isRefused)
    }
}

extension StreamSealer {
    package mutating func sealAll(_ plaintext: [UInt8]) throws(StreamingAEAD.SealError) -> [UInt8] {
        var (stream, sealed) = ([UInt8](), 0)
        // Room for all at once: to grow an array copies it. A segment more, because each needs so much free room.
        let tagCount = plaintext.count / (segmentByteCount - AESGCM.tagByteCount) + 1
        stream.reserveCapacity(
            StreamHeader.byteCount + plaintext.count + tagCount * AESGCM.tagByteCount + segmentByteCount)
        while !isFinished {
            try stream.append(addingCapacity: segmentByteCount) { (output) throws(StreamingAEAD.SealError) in
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
        plaintext.reserveCapacity(stream.count + segmentByteCount)
        while !isFinished {
            try plaintext.append(addingCapacity: segmentByteCount) { (output) throws(OpenError) in
                opened += try open(stream.span.extracting(droppingFirst: opened), isEnd: true, into: &output)
            }
        }
        return Opened(plaintext: plaintext, keyID: keyID ?? 0)
    }
}
