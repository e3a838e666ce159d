internal import CloserPrimitives
internal import CloserWire

/// A stream that is being sealed, in constant memory.
///
/// It keeps no plaintext: ``seal(_:isEnd:into:)`` takes the whole segments at the front of what it is given, and the
/// caller gives the rest again with what follows. ``StreamingAEAD/sealer(associatedData:)`` makes one.
public struct StreamSealer: ~Copyable, Sendable {
    /// The key that seals.
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

    /// The most that one segment takes: with one byte more as input, and with this much room in the output, every
    /// call goes forward.
    public var segmentByteCount: Int { segments.parameters.segmentByteCount }

    /// Seals whole segments while the output has room, and the last one if this is the end; says how many bytes of
    /// `plaintext` that were.
    ///
    /// A segment is sealed when a byte behind it is known, for only then is it not the last.
    public mutating func seal(
        _ plaintext: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(StreamSealError) -> Int {
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
/// No byte of a segment is given out before its tag is checked. A stream without its end does not open to its end:
/// ``isFinished`` is true only when the last segment was seen. ``StreamingAEAD/opener(associatedData:)`` makes one.
public struct StreamOpener: ~Copyable, Sendable {
    /// The key that opened the first segment, once it has.
    public private(set) var keyID: UInt32?
    /// Whether the last segment is opened: what was given out is all there is.
    public private(set) var isFinished = false

    private let keys: [(id: UInt32, key: StreamingKey)]
    private let associatedData: [UInt8]
    private var segments: StreamSegments?
    private let firstIndex: UInt32

    init(_ keys: [(id: UInt32, key: StreamingKey)], associatedData: [UInt8], startingAt index: UInt32) {
        (self.keys, self.associatedData, firstIndex) = (keys, associatedData, index)
    }

    /// The most that one segment takes, under any of the keys: with one byte more as input, and with this much room
    /// in the output, every call goes forward.
    public var segmentByteCount: Int {
        segments?.parameters.segmentByteCount ?? keys.map(\.key.parameters.segmentByteCount).max() ?? 0
    }

    /// Opens whole segments while the output has room, and the last one if this is the end; says how many bytes of
    /// `ciphertext` that were.
    ///
    /// If a segment does not open, those before it are given out, and the next call throws.
    public mutating func open(
        _ ciphertext: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int {
        var opened = 0
        if segments == nil {
            // Keys of several segment sizes must each find a whole one.
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

    /// Opens the header and the first segment with the first key that fits. A stream names no key, so each is tried.
    private mutating func begin(
        _ stream: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(OpenError) -> Int {
        let header = try StreamHeader(parsing: stream)
        let rest = stream.extracting(droppingFirst: StreamHeader.byteCount)
        for (id, key) in keys {
            segments = StreamSegments(
                header, key: key, associatedData: associatedData.span, startingAt: firstIndex)
            // The caller has given more than any first segment takes, or the end.
            guard let count = try? openNext(rest, isEnd: true, into: &output) else { continue }
            keyID = id
            return StreamHeader.byteCount + count
        }
        segments = nil
        throw .authenticationFailed
    }

    /// Opens the segment at the front of `rest` and says how many bytes it had; nil if more must be known.
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

/// Why a stream was not sealed.
public enum StreamSealError: Error, Equatable, Sendable {
    /// The associated data is longer than HKDF's 32 KiB.
    case associatedDataTooLong
    /// More than 2^32 segments: 4 PiB under the default template.
    case tooManySegments
}
