internal import CloserTink
internal import CloserWire
internal import Synchronization

/// Streams that come in pieces of any size: from a sequence of chunks, and by reads of a file. They hold what is held when all of it
/// comes at once.
enum Chunks {
    private static let keyset = Keyset(.streaming(StreamingParameters(segmentByteCount: 57)))

    /// The first byte says how large the pieces are, the two behind it which byte of our own stream is changed, and how. There are some
    /// four pieces at most, since each asks for a MiB of memory.
    static func read(_ bytes: [UInt8]) {
        // Elsewhere there is no task that begins at once.
        guard #available(macOS 26, iOS 26, *), bytes.count >= 3, let aead = try? StreamingAEAD(keyset) else {
            return
        }
        let text = Array(bytes.dropFirst(3))
        let count = max(1 + Int(bytes[0]), text.count / 4)
        precondition(opened(text, count, aead) == nil)
        guard var stream = sealed(text, count, aead) else { preconditionFailure("not sealed") }
        precondition(opened(stream, count, aead) == text)
        stream[Int(bytes[1]) % stream.count] ^= max(1, bytes[2])
        precondition(opened(stream, count, aead) == nil)
    }

    @available(macOS 26, iOS 26, *)
    private static func sealed(_ text: [UInt8], _ count: Int, _ aead: StreamingAEAD) -> [UInt8]? {
        var moved: [UInt8] = []
        let taken = told {
            var sealer = try aead.sealer(associatedData: [])
            return try move(&sealer, text, count, to: &moved)
        }
        precondition(taken == text.count && (try? aead.open(moved, associatedData: []))?.plaintext == text)
        return told { try collected(aead.seal(chunks: Pieces(of: text, count), associatedData: [])) }
    }

    @available(macOS 26, iOS 26, *)
    private static func opened(_ stream: [UInt8], _ count: Int, _ aead: StreamingAEAD) -> [UInt8]? {
        var moved: [UInt8] = []
        let whole = told { try aead.open(stream, associatedData: []) }?.plaintext
        let taken = told {
            var opener = try aead.opener(associatedData: [])
            return try move(&opener, stream, count, to: &moved)
        }
        precondition((taken == nil ? nil : moved) == whole)
        let inChunks = told {
            try collected(aead.open(chunks: Pieces(of: stream, count), associatedData: []))
        }
        precondition(inChunks == whole)
        return whole
    }

    /// As a file is read and written.
    private static func move(
        _ stage: inout some StreamStage & ~Copyable, _ bytes: [UInt8], _ count: Int, to moved: inout [UInt8]
    ) throws -> Int {
        var rest = bytes[...]
        return try stage.move(
            from: { output in
                let piece = rest.prefix(min(count, output.freeCapacity))
                output.append(Array(piece))
                rest = rest.dropFirst(piece.count)
                return !piece.isEmpty
            },
            to: { moved += Array(copying: $0) })
    }

    /// Runs a sequence to its end, on this thread: it waits for nothing.
    @available(macOS 26, iOS 26, *)
    private static func collected(
        _ chunks: some AsyncSequence<[UInt8], any Error> & Sendable
    ) throws -> [UInt8] {
        let outcome = Outcome()
        Task.immediate {
            do {
                var all: [UInt8] = []
                for try await chunk in chunks { all += chunk }
                outcome.set(.success(all))
            } catch { outcome.set(.failure(error)) }
        }
        guard let result = outcome.result else { preconditionFailure("a stream waits") }
        return try result.get()
    }
}

/// What a task has made.
private final class Outcome: Sendable {
    private let value = Mutex<Result<[UInt8], any Error>?>(nil)

    var result: Result<[UInt8], any Error>? { value.withLock { $0 } }

    func set(_ result: Result<[UInt8], any Error>) { value.withLock { $0 = result } }
}

/// Pieces of so many bytes, as a sequence that is always ready.
private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private var rest: ArraySlice<UInt8>
    private let count: Int

    init(of bytes: [UInt8], _ count: Int) { (rest, self.count) = (bytes[...], count) }

    func makeAsyncIterator() -> Pieces { self }

    mutating func next() async -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
