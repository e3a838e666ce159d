// Streams from and to an asynchronous sequence of chunks of any size: a download, an upload, a pipe.

extension StreamingAEAD {
    /// Seals what comes in chunks, and gives the stream in chunks, each as soon as whole segments are there.
    ///
    /// It keeps one segment and one chunk in memory. Each iteration is a stream of its own. It waits for `chunks` and for nothing
    /// else: the cipher runs between two chunks, some milliseconds for each MiB, and not on the actor that iterates.
    ///
    /// - Important: What `chunks` gives is all of the stream. If it can be iterated only once, such as a body of a request, iterate the
    ///   result only once: the second time it would be an empty stream.
    /// - Throws: `.associatedDataTooLong`. The sequence throws what `chunks` throws, `.tooManySegments`, and `CancellationError` if the task
    ///   was cancelled when `chunks` ended.
    public func seal<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks, associatedData: some Collection<UInt8>
    ) throws(StreamingAEAD.SealError) -> StreamChunks<Chunks> where Chunks.Element: Collection<UInt8> {
        let data = Array(associatedData)
        _ = try sealer(associatedData: data)
        return StreamChunks(base: chunks) { StreamWorker(try sealer(associatedData: data)) }
    }

    /// Opens a stream that comes in chunks, and gives the plaintext in chunks, each after its segments were proven.
    ///
    /// It keeps one segment and one chunk in memory. It waits for `chunks` and for nothing else: the cipher runs between two chunks,
    /// some milliseconds for each MiB, and not on the actor that iterates.
    ///
    /// - Important: The stream is whole when the sequence has ended, rather than thrown. Throw away what came before an error.
    /// - Throws: `.contextTooLong`. The sequence throws what `chunks` throws, ``OpenError``, and `CancellationError` if the task was
    ///   cancelled when `chunks` ended.
    public func open<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks, associatedData: some Collection<UInt8>
    ) throws(OpenError) -> StreamChunks<Chunks> where Chunks.Element: Collection<UInt8> {
        let data = Array(associatedData)
        _ = try opener(associatedData: data)
        return StreamChunks(base: chunks) { StreamWorker(try opener(associatedData: data)) }
    }
}

/// The chunks of a stream that is made of the chunks of another. ``StreamingAEAD`` makes it, to seal or to open.
public struct StreamChunks<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Collection<UInt8> {
    let base: Base
    let begin: @Sendable () throws -> StreamWorker

    /// Iterates `chunks` anew, for a stream of its own.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), worker: Result(catching: begin))
    }

    /// One way through the stream.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let worker: Result<StreamWorker, any Error>

        /// The next chunk, of at least a byte; nil at the end of the stream.
        public mutating func next() async throws -> [UInt8]? {
            let worker = try worker.get()
            while true {
                if let ready = try worker.next() { return ready }
                guard !worker.isEnd else { return nil }
                do {
                    let chunk = try await base.next()
                    // A sequence may end early, without an error, because the task was cancelled: then the stream is unfinished.
                    if chunk == nil { try Task.checkCancellation() }
                    worker.take(chunk)
                } catch {
                    worker.fail()
                    throw error
                }
            }
        }
    }
}

/// Seals or opens chunk by chunk. One owner of a stage and of what it was not given yet: an iterator is copied, a stage is unique.
final class StreamWorker {
    private let process: (inout StreamBuffer, Bool, inout [UInt8]) throws -> Bool
    private var buffer: StreamBuffer
    private(set) var isEnd = false
    private var hasFailed = false

    init<Stage: StreamStage & ~Copyable>(_ stage: consuming Stage) {
        buffer = StreamBuffer(segmentByteCount: stage.segmentByteCount)
        let owner = StageOwner(stage)
        process = { try owner.stage.process(&$0, isEnd: $1, into: &$2) }
    }

    /// Takes a chunk, or the end.
    func take(_ chunk: (some Collection<UInt8>)?) {
        guard let chunk else { return isEnd = true }
        buffer.append(chunk)
    }

    /// From now on it is empty: a part of a stream must look unfinished.
    func fail() { (hasFailed, isEnd) = (true, true) }

    /// What is ready by now; nil if that is empty, as it is after an error.
    func next() throws -> [UInt8]? {
        guard !hasFailed else { return nil }
        var ready: [UInt8] = []
        do { return try process(&buffer, isEnd, &ready) ? ready : nil } catch {
            fail()
            throw error
        }
    }
}

/// A closure cannot own a stage.
private final class StageOwner<Stage: StreamStage & ~Copyable> {
    var stage: Stage

    init(_ stage: consuming Stage) { self.stage = stage }
}
