// Streams from and to an asynchronous sequence of chunks, of whatever sizes they come: a download, an upload, a pipe.

extension StreamingAEAD {
    /// Seals what comes in chunks, and gives the stream in chunks, each as soon as whole segments are there.
    ///
    /// It keeps one segment and one chunk in memory. Each iteration is a stream of its own. It waits for `chunks` and for nothing
    /// else: the cipher runs where the iteration does, some milliseconds for each MiB.
    ///
    /// - Throws: `.associatedDataTooLong`. The sequence throws what `chunks` throws, and `.tooManySegments`.
    public func seal<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks, associatedData: some Collection<UInt8>
    ) throws(StreamSealError) -> some AsyncSequence<[UInt8], any Error> & Sendable
    where Chunks.Element: Collection<UInt8> {
        let data = Array(associatedData)
        _ = try sealer(associatedData: data)
        return StreamChunks(base: chunks) { StreamWork(try sealer(associatedData: data)) }
    }

    /// Opens a stream that comes in chunks, and gives the plaintext in chunks, each after its segments were proven.
    ///
    /// It keeps one segment and one chunk in memory. It waits for `chunks` and for nothing else: the cipher runs where the iteration
    /// does, some milliseconds for each MiB.
    ///
    /// - Important: Only when the sequence ends without an error is the stream whole. Throw away what came before an error.
    /// - Throws: `.contextTooLong`. The sequence throws what `chunks` throws, and ``OpenError``.
    public func open<Chunks: AsyncSequence & Sendable>(
        chunks: Chunks, associatedData: some Collection<UInt8>
    ) throws(OpenError) -> some AsyncSequence<[UInt8], any Error> & Sendable
    where Chunks.Element: Collection<UInt8> {
        let data = Array(associatedData)
        _ = try opener(associatedData: data)
        return StreamChunks(base: chunks) { StreamWork(try opener(associatedData: data)) }
    }
}

/// The chunks of a stream that is made of the chunks of another.
private struct StreamChunks<Base: AsyncSequence & Sendable, Stage: StreamStage & ~Copyable>: AsyncSequence,
    Sendable
where Base.Element: Collection<UInt8> {
    let base: Base
    let begin: @Sendable () throws -> StreamWork<Stage>

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), work: Result(catching: begin))
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let work: Result<StreamWork<Stage>, any Error>

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            let work = try work.get()
            while true {
                if let ready = try work.next() { return ready }
                guard !work.isEnd else { return nil }
                work.take(try await base.next(isolation: actor))
            }
        }
    }
}

/// One owner of a stage and of what it was not given yet: an iterator is copied, a stage is not.
private final class StreamWork<Stage: StreamStage & ~Copyable> {
    private var stage: Stage
    private var buffer: StreamBuffer
    /// Whether nothing more comes in.
    private(set) var isEnd = false
    private var hasFailed = false

    init(_ stage: consuming Stage) {
        buffer = StreamBuffer(segmentByteCount: stage.segmentByteCount)
        self.stage = stage
    }

    /// Takes a chunk, or the end.
    func take(_ chunk: (some Collection<UInt8>)?) {
        guard let chunk else { return isEnd = true }
        buffer.append(chunk)
    }

    /// What is ready by now; nil if there is nothing. After an error nothing is ready any more.
    func next() throws(Stage.Failure) -> [UInt8]? {
        guard !hasFailed else { return nil }
        var ready: [UInt8] = []
        do { return try stage.process(&buffer, isEnd: isEnd, into: &ready) ? ready : nil } catch {
            (hasFailed, isEnd) = (true, true)
            throw error
        }
    }
}
