import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

/// Faults of one stream by Tink: segments of 64 bytes, and four of them.
@Suite("What opens no stream, and what a stream gives out before it fails")
struct StreamRefusalTests {
    private let aead: StreamingAEAD
    private let stream: [UInt8]
    private let plaintext: [UInt8]
    private let data: [UInt8]
    /// Where its segments begin; the header belongs to the first.
    private let borders = [0, 64, 128, 192]

    init() throws {
        let vector = try #require(
            StreamVectors.streams.last { $0.int("segment") == 64 && !$0.hex("aad").isEmpty })
        (aead, stream, plaintext) = (try StreamingAEAD(vector.keyset), vector.hex("stream"), vector.plaintext)
        data = vector.hex("aad")
        #expect(stream.count == 209 && plaintext.count == 105)
    }

    private func segment(_ index: Int) -> [UInt8] {
        Array(stream[borders[index]..<(index == 3 ? stream.count : borders[index + 1])])
    }

    /// Opens the stream at once, and checks that in pieces it gives out whole proven segments before the same error.
    private func error(_ stream: [UInt8], proven: Int? = nil) throws -> OpenError? {
        let opened = Pieces.open(stream, with: try aead.opener(associatedData: data), each: 10)
        #expect(plaintext.starts(with: opened.plaintext))
        #expect([0, 8, 56, 104, 105].contains(opened.plaintext.count))
        if let proven { #expect(opened.plaintext.count == proven) }
        let atOnce = Pieces.open(
            stream, with: try aead.opener(associatedData: data), each: 1000, roomForSegments: 4)
        #expect(atOnce.plaintext == opened.plaintext && atOnce.error == opened.error)
        let whole = opening { _ = try aead.open(stream, associatedData: data) }
        #expect(whole == opened.error)
        return whole
    }

    @Test("the faultless one opens") func faultless() throws {
        #expect(try error(stream, proven: 105) == nil)
    }

    @Test("every changed bit: in the first byte as no stream, elsewhere as not authentic") func bitFlips()
        throws
    {
        for bit in 0..<stream.count * 8 {
            let expected = bit < 8 ? OpenError.notAStream : .authenticationFailed
            // The segments before the changed one are proven, and nothing of that one is.
            let proven = [0, 0, 8, 56, 104][bit / 8 == 0 ? 0 : bit / 8 / 64 + 1]
            #expect(try error(stream.flipping(bit: bit), proven: proven) == expected, "bit \(bit)")
        }
    }

    @Test(
        "every truncation: too short for any stream, or not authentic",
        .proves("A file that was cut or changed is refused")) func truncations() throws
    {
        for count in 0..<stream.count {
            let expected = count < 56 ? OpenError.tooShort : .authenticationFailed
            #expect(try error(Array(stream.prefix(count))) == expected, "\(count) bytes")
        }
    }

    @Test("every extension by one byte, and by a segment of its own") func extensions() throws {
        for byte in UInt8.min...UInt8.max {
            #expect(try error(stream + [byte], proven: 104) == .authenticationFailed)
        }
        for index in 0..<4 { #expect(try error(stream + segment(index)) == .authenticationFailed) }
    }

    @Test("segments in every other order, dropped and repeated")
    func rearranged() throws {
        var refused = 0
        for a in 0..<4 {
            for b in 0..<4 {
                for c in 0..<4 where [a, b, c] != [0, 1, 2] {
                    let other = segment(a) + segment(b) + segment(c) + segment(3)
                    // A segment that takes the place of the header is hardly ever one.
                    let expected: OpenError = other[0] == 40 ? .authenticationFailed : .notAStream
                    #expect(try error(other) == expected, "\(a) \(b) \(c)")
                    refused += 1
                }
            }
        }
        #expect(refused == 63)
        #expect(try error(segment(0) + segment(3), proven: 8) == .authenticationFailed)
        #expect(try error(segment(0) + segment(1) + segment(3), proven: 56) == .authenticationFailed)
        #expect(
            try error(segment(0) + segment(1) + segment(1) + segment(2) + segment(3)) == .authenticationFailed
        )
    }

    @Test("a segment of another stream under the same key") func spliced() throws {
        let other = try aead.seal(plaintext, associatedData: data)
        for border in borders.dropFirst() {
            #expect(try error(Array(stream[..<border] + other[border...])) == .authenticationFailed)
        }
        #expect(try error(Array(other[..<40] + stream[40...]), proven: 0) == .authenticationFailed)
    }

    @Test("other associated data, another key") func otherContext() throws {
        for other in [[], data + [0], data.dropLast(), data.flipping(bit: 0)] {
            #expect(throws: OpenError.authenticationFailed) { try aead.open(stream, associatedData: other) }
        }
        let stranger = try StreamingAEAD(Keyset(.streaming(StreamingParameters(segmentByteCount: 64))))
        #expect(throws: OpenError.authenticationFailed) { try stranger.open(stream, associatedData: data) }
    }

    @Test(
        "segments of another size are a mistake of the caller, and stop the process",
        arguments: [56, 16 << 20 | 1])
    func sizes(_ count: Int) async {
        await #expect(processExitsWith: .failure) { [count = count as Int] in
            _ = StreamingParameters(segmentByteCount: count)
        }
    }

    @Test("associated data has at most 32 KiB") func longAssociatedData() throws {
        let long = [UInt8](repeating: 1, count: 32_769)
        #expect(throws: StreamingAEAD.SealError.associatedDataTooLong) {
            try aead.seal([1], associatedData: long)
        }
        #expect(throws: OpenError.contextTooLong) { try aead.open(stream, associatedData: long) }
        let longest = long.dropLast()
        #expect(
            try aead.open(aead.seal([1], associatedData: longest), associatedData: longest).plaintext == [1])
    }

    @Test("2^32 segments are sealed and opened, and there the counter ends") func counterEnds() throws {
        let last = UInt32.max - 1
        var sealer = try aead.sealer(associatedData: data, from: .system, startingAt: last)
        let sealed = try sealer.sealAll(Array(plaintext.prefix(56)))
        var opener = try aead.opener(associatedData: data, startingAt: last)
        #expect(try opener.openAll(sealed).plaintext == Array(plaintext.prefix(56)))
        #expect(throws: StreamingAEAD.SealError.tooManySegments) {
            var oneMore = try aead.sealer(associatedData: data, from: .system, startingAt: last)
            _ = try oneMore.sealAll(Array(plaintext.prefix(57)))
        }
    }

    @Test("a stream that wraps the counter does not open, though every tag is right") func wrapped() throws {
        let key = SecretBytes(testOnly: [UInt8](repeating: 5, count: 32))
        let keyset = try StreamKeysetParts(key: [UInt8](repeating: 5, count: 32)).keyset()
        let (salt, prefix) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 7))
        let cipher = AESGCM(key: HKDF.derive(from: key, salt: salt.span, info: Span(), count: 32))
        let stream = [UInt8](capacity: 200) { output in
            output.append([40] + salt + prefix)
            for (index, count, flag) in [(UInt32.max, 8, 0), (0, 8, 1)] as [(UInt32, Int, UInt8)] {
                let nonce = [UInt8](capacity: 12) {
                    $0.append(prefix)
                    $0.append(bigEndian: index)
                    $0.append(flag)
                }
                let text = [UInt8](repeating: 9, count: count)
                cipher.seal(text.span, nonce: nonce.span, authenticating: Span(), into: &output)
            }
        }
        var opener = try StreamingAEAD(keyset).opener(associatedData: [], startingAt: .max)
        let error = opening { _ = try opener.openAll(stream) }
        #expect(error == .authenticationFailed)
    }
}
