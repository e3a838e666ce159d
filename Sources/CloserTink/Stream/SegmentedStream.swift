internal import CloserPrimitives
package import CloserWire

/// A stream that is being sealed, in constant memory.
///
/// ``seal(_:isEnd:into:)`` takes whole segments from the front of what it is given, and the caller
/// passes the rest again, in front of what follows. ``StreamingAEAD/sealer(associatedData:)`` makes one.
public struct StreamSealer: ~Copyable, Sendable {
    /// The id of the key that seals.
    public let keyID: UInt32
    /// Whether the last segment is sealed.
    public private(set) var isFinished = false

    /// What is still to be written before the first segment.
    private var header: [UInt8]
    private var segments: StreamSegments

    init(
        _ key: StreamingKey, keyID: UInt32, associatedData: Span<UInt8>, from randomness: Randomness,
        startingAt index: UInt32
    ) {
        let header = StreamHeader(from: randomness)
        segments = StreamSegments(header, key: key, associatedData: associatedData, startingAt: index)
        (self.header, self.keyID) = (header.bytes, keyID)
    }

    /// The most that one segment takes. A call with one byte more as input, and this much room in the output, always
    /// makes progress.
    public var segmentByteCount: Int { segments.parameters.segmentByteCount }

    /// Seals whole segments while the output has room, and the last one if this is the end. Returns how many bytes of
    /// `plaintext` it sealed.
    ///
    /// A segment is only sealed when the byte behind it is known, since until then it may be the last, which is sealed
    /// in another way.
    ///
    /// - Throws: `.tooManySegments`.
    public mutating func seal(
        _ plaintext: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(StreamingAEAD.SealError) -> Int {
        var sealed = 0
        while !isFinished, output.freeCapacity >= segmentByteCount {
            let rest = plaintext.extracting(droppingFirst: sealed)
            let isLast = rest.count <= segments.plaintextByteCount
            guard !isLast || isEnd else { break }
            guard isLast || segments.hasSuccessor else { throw .tooManySegments }
            let segment = rest.extracting(first: min(segments.plaintextByteCount, rest.count))
            output.append(header)
            header = []
            segments.seal(segment, isLast: isLast, into: &output)
            (sealed, isFinished) = (sealed + segment.count, isLast)
        }
        return sealed
    }
}

/// A stream that is being opened, in constant memory.
///
/// A segment is given out after its tag was checked. ``isFinished`` becomes true only when the last segment is
/// opened, so a stream that was cut off counts as unfinished. ``StreamingAEAD/opener(associatedData:)`` makes one.
public struct StreamOpener: ~Copyable, Sendable {
    /// The id of the key that opened the first segment; nil before that.
    public private(set) var keyID: UInt32?
    /// Whether the last segment is opened, so that what was given out is the whole stream.
    public private(set) var isFinished = false

    private let keys: [StreamKeyChoice]
    private let associatedData: [UInt8]
    private var segments: StreamSegments?
    private let firstIndex: UInt32

    init(_ keys: [StreamKeyChoice], associatedData: [UInt8], startingAt index: UInt32) {
        (self.keys, self.associatedData, firstIndex) = (keys, associatedData, index)
    }

    /// The most that one segment takes under any of the keys. A call with one byte more as input, and this much room in
    /// the output, always makes progress.
    public var segmentByteCount: Int {
        segments?.parameters.segmentByteCount ?? keys.map(\.key.parameters.segmentByteCount).max() ?? 0
    }

    /// Opens whole segments while the output has room, and the last one if this is the end. Returns how many bytes of
    /// `ciphertext` it opened.
    ///
    /// If a segment fails to open, those before it are given out, and the next call throws.
    ///
    /// - Throws: `.tooShort`, `.notAStream`, `.authenticationFailed` or `.keyRefused`.
    public mutating func open(
        _ ciphertext: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int {
        var opened = 0
        if segments == nil {
            // The keys may have different segment sizes, and each must find a whole first segment.
            guard isEnd || ciphertext.count > segmentByteCount, output.freeCapacity >= segmentByteCount else {
                return 0
            }
            opened = try begin(ciphertext, into: &output)
        }
        while !isFinished, output.freeCapacity >= segmentByteCount {
            let rest = ciphertext.extracting(droppingFirst: opened)
            do {
                guard let count = try openNext(rest, isEnd: isEnd, into: &output) else { break }
                opened += count
            } catch {
                guard opened > 0 else { throw error }
                break
            }
        }
        return opened
    }

    /// Opens the header and the first segment with the first key that fits. A stream leaves its key unnamed, so each is tried.
    private mutating func begin(
        _ stream: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int {
        let header = try StreamHeader(parsing: stream)
        let rest = stream.extracting(droppingFirst: StreamHeader.byteCount)
        for choice in keys {
            segments = StreamSegments(
                header, key: choice.key, associatedData: associatedData.span, startingAt: firstIndex)
            // `isEnd` may be true here: the input is longer than any first segment, or it is the end.
            guard let count = try? openNext(rest, isEnd: true, into: &output) else { continue }
            guard !choice.isRefused else {
                output.removeLast(count - AESGCM.tagByteCount)
                (segments, isFinished) = (nil, false)
                throw .keyRefused
            }
            keyID = choice.id
            return StreamHeader.byteCount + count
        }
        segments = nil
        throw .authenticationFailed
    }

    /// Opens the segment at the front of `rest` and returns how many bytes it had; nil if more input is needed to know
    /// whether it is the last.
    private mutating func openNext(
        _ rest: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int? {
        guard let most = segments?.ciphertextByteCount else { return nil }
        let isLast = rest.count <= most
        guard !isLast || isEnd else { return nil }
        let segment = rest.extracting(first: min(most, rest.count))
        try segments?.open(segment, isLast: isLast, into: &output)
        isFinished = isLast
        return segment.count
    }
}

extension StreamingAEAD {
    /// Why sealing a stream failed.
    public enum SealError: Error, Equatable, Sendable {
        /// The associated data is longer than HKDF's 32 KiB.
        case associatedDataTooLong
        /// More than 2^32 segments: 4 PiB under the default template.
        case tooManySegments
        /// The owner of the keys asked that nothing is sealed with the primary: the server may hold it.
        case keyRefused
    }
}

extension StreamingAEAD.SealError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .associatedDataTooLong: ErrorWords(.limit, "associated data has at most 32768 bytes")
        case .tooManySegments: ErrorWords(.limit, "a file has at most 4294967296 segments")
        case .keyRefused: .keyRefused
        }
    }
}
