import CloserTink
import CloserWire
import TestSupport
import Testing

/// A stream by Tink, in four segments of 64 bytes.
@Suite("Streams in chunks, and through two buffers")
struct StreamChunkTests {
    private let aead: StreamingAEAD
    private let stream: [UInt8]
    private let plaintext: [UInt8]
    private let data: [UInt8]

    init() throws {
        let vector = try #require(
            StreamVectors.streams.last { $0.int("segment") == 64 && !$0.hex("aad").isEmpty })
        (aead, stream, plaintext) = (try StreamingAEAD(vector.keyset), vector.hex("stream"), vector.plaintext)
        data = vector.hex("aad")
    }

    private func chunks(_ bytes: [UInt8], of count: Int) -> AsyncStream<[UInt8]> {
        AsyncStream { source in
            for start in stride(from: 0, to: bytes.count, by: count) {
                source.yield(Array(bytes[start...].prefix(count)))
            }
            source.finish()
        }
    }

    @Test("Tink's stream opens, whatever its chunks are", arguments: [1, 63, 64, 65, 1000])
    func opened(_ count: Int) async throws {
        let opened = try aead.open(chunks: chunks(stream, of: count), associatedData: data)
        #expect(try await opened.reduce(into: []) { $0 += $1 } == plaintext)
    }

    @Test("what is sealed in chunks opens at once", arguments: [1, 24, 1000])
    func sealed(_ count: Int) async throws {
        let sealed = try aead.seal(chunks: chunks(plaintext, of: count), associatedData: data)
        let whole = try await sealed.reduce(into: []) { $0 += $1 }
        #expect(whole.count == stream.count)
        #expect(try aead.open(whole, associatedData: data).plaintext == plaintext)
    }

    @Test("behind an error nothing comes any more")
    func failed() async throws {
        let changed = chunks(stream.flipping(bit: 8 * 100), of: 10)
        var iterator = try aead.open(chunks: changed, associatedData: data).makeAsyncIterator()
        #expect(try await iterator.next() == Array(plaintext.prefix(8)))
        await #expect(throws: OpenError.authenticationFailed) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("a source that fails leaves no whole stream, however often it is asked")
    func failedSource() async throws {
        struct Lost: Error {}
        let source = AsyncThrowingStream<[UInt8], any Error> { source in
            source.yield(Array(plaintext.prefix(3)))
            source.finish(throwing: Lost())
        }
        var iterator = try aead.seal(chunks: source, associatedData: data).makeAsyncIterator()
        await #expect(throws: Lost.self) { while try await iterator.next() != nil {} }
        #expect(try await iterator.next() == nil)
    }

    @Test("what is moved through the buffers is the same, and every byte that came in is counted")
    func moved() throws {
        var (rest, opened, told) = (stream[...], [UInt8](), [Int]())
        var opener = try aead.opener(associatedData: data)
        let count = try opener.move(
            from: { room in
                for byte in rest.prefix(10) { room.append(byte) }
                rest = rest.dropFirst(10)
                return !rest.isEmpty
            }, to: { opened += [UInt8](copying: $0) }, telling: { told.append($0) })
        #expect(opened == plaintext && count == stream.count)
        #expect(told.last == count && told == told.sorted() && Set(told).count > 3)
    }
}
