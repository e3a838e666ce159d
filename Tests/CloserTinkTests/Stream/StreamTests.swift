import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("Streams: Tink's, byte for byte (closer-keys-formats(7), FILES)")
struct StreamTests {
    @Test(
        "every stream is made again with the salt and nonce prefix that Tink drew",
        .proves("Files have the bytes of Tink's streaming AEAD"),
        arguments: StreamVectors.streams)
    func sealed(_ vector: Vector) throws {
        var sealer = try StreamingAEAD(vector.keyset).sealer(
            associatedData: vector.hex("aad"), from: .testOnlyScript(vector.drawn))
        let stream = try sealer.sealAll(vector.plaintext)
        #expect(vector.isStream(stream))
    }

    @Test("every stream opens; a long one as it was made again", arguments: StreamVectors.streams)
    func opened(_ vector: Vector) throws {
        let aead = try StreamingAEAD(vector.keyset)
        var sealer = try aead.sealer(
            associatedData: vector.hex("aad"), from: .testOnlyScript(vector.drawn))
        let stream =
            vector.value["stream"] == nil ? try sealer.sealAll(vector.plaintext) : vector.hex("stream")
        #expect(vector.isStream(stream))
        #expect(try aead.open(stream, associatedData: vector.hex("aad")).plaintext == vector.plaintext)
    }

    @Test(
        "whatever the pieces in which it comes, a stream is the same and its plaintext too",
        arguments: [1, 2, 7, 63, 64, 65, 1000])
    func pieces(_ count: Int) throws {
        for vector in StreamVectors.streams where vector.int("segment") == 64 {
            let aead = try StreamingAEAD(vector.keyset)
            let sealer = try aead.sealer(
                associatedData: vector.hex("aad"), from: .testOnlyScript(vector.drawn))
            #expect(try Pieces.seal(vector.plaintext, with: sealer, each: count) == vector.hex("stream"))
            let opener = try aead.opener(associatedData: vector.hex("aad"))
            let opened = Pieces.open(vector.hex("stream"), with: opener, each: count)
            #expect(opened.plaintext == vector.plaintext)
            #expect(opened.error == nil)
        }
    }

    @Test(
        "each key of a keyset opens its streams, whatever its prefix and its segments",
        arguments: StreamVectors.keysets)
    func keysets(_ vector: Vector) throws {
        let opened = try StreamingAEAD(vector.keyset).open(
            vector.hex("stream"), associatedData: vector.hex("aad"))
        #expect(opened.plaintext == vector.plaintext)
        #expect(opened.keyID == UInt32(vector.int("keyId")))
        for entry in try vector.keyset.entries {
            let other = try StreamingAEAD(vector.keyset.promoting(entry.id))
            let opened = try other.open(vector.hex("stream"), associatedData: vector.hex("aad"))
            #expect(opened.keyID == UInt32(vector.int("keyId")))
        }
    }

    @Test(
        "Tink's keysets are written as the same bytes, and its JSON is the same keyset",
        arguments: StreamVectors.keysets)
    func forms(_ vector: Vector) throws {
        let json = try InsecureCleartextKeyset.read(
            json: SecretBytes(testOnly: Array(vector.value.text("json").utf8)))
        for keyset in [try vector.keyset, json] {
            let written = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
            #expect(written == vector.hex("keyset"))
            let again = try InsecureCleartextKeyset.read(json: InsecureCleartextKeyset.json(keyset))
            let binary = InsecureCleartextKeyset.binary(again).testOnlyBytes()
            #expect(binary == vector.hex("keyset"))
        }
    }

    @Test("a new key is Tink's template, and RAW") func template() throws {
        let keyset = Keyset(
            .streaming(.oneMiB), from: .testOnlyScript([0, 0, 0, 9] + [UInt8](repeating: 3, count: 32)))
        #expect(keyset.primary.prefix == .raw)
        #expect(keyset.kind == .streaming)
        let value: [UInt8] =
            [0x12, 8, 0x08, 0x80, 0x80, 0x40, 0x10, 0x20, 0x18, 3, 0x1a, 32]
            + [UInt8](repeating: 3, count: 32)
        let written = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(written.firstRange(of: value) != nil)
    }

    @Test("a stream has 40 bytes of header and 16 of tag for each segment") func overhead() throws {
        let aead = try StreamingAEAD(Keyset(.streaming(StreamingParameters(segmentByteCount: 64))))
        for (count, segments) in [(0, 1), (8, 1), (9, 2), (56, 2), (57, 3)] {
            let stream = try aead.seal([UInt8](repeating: 1, count: count), associatedData: [])
            #expect(stream.count == 40 + count + 16 * segments)
        }
        #expect(StreamingAEAD.minimumByteCount == 56)
    }

    @Test("a new key reads at once, seals when promoted, and the old one reads until it is disabled")
    func rotation() throws {
        let first = Keyset(.streaming(.fourKiB))
        let old = try StreamingAEAD(first).seal([1, 2, 3], associatedData: [])
        let added = try first.adding(.streaming(.oneMiB))
        let newID = try #require(added.entries.last?.id)
        #expect(added.entries.map(\.prefix) == [.raw, .raw])
        let promoted = try StreamingAEAD(added.promoting(newID))
        let new = try promoted.seal([4], associatedData: [])
        #expect(try StreamingAEAD(added).open(new, associatedData: []).keyID == newID)
        #expect(try promoted.open(old, associatedData: []).keyID == first.primaryID)
        let disabled = try StreamingAEAD(added.promoting(newID).disabling(first.primaryID))
        #expect(throws: OpenError.authenticationFailed) { try disabled.open(old, associatedData: []) }
    }

    @Test("streaming keys and others are different kinds: none is used in the place of another")
    func kinds() throws {
        let streaming = Keyset(.streaming(.oneMiB))
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) { try KeysetAEAD(streaming) }
        #expect(throws: KeysetError.wrongKind(expected: .streaming)) { try StreamingAEAD(Keyset(.aes256GCM)) }
        #expect(throws: KeysetError.wrongKind(expected: .streaming)) { try streaming.adding(.aes256GCM) }
        #expect(throws: KeysetError.wrongKind(expected: .aesGCM)) {
            try Keyset(.aes256GCM).adding(.streaming(.oneMiB))
        }
        #expect(throws: KeysetError.wrongKind(expected: .eciesPrivate)) { try streaming.publicKeyset() }
        let both =
            InsecureCleartextKeyset.binary(streaming).testOnlyBytes()
            + InsecureCleartextKeyset.binary(Keyset(.aes256GCM)).testOnlyBytes().drop { $0 != 0x12 }
        let mixed = try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: both))
        #expect(mixed.entries.count == 2)
        #expect(throws: KeysetError.wrongKind(expected: .streaming)) { try StreamingAEAD(mixed) }
    }

    @Test("nothing of a key prints") func redacted() {
        let key = StreamingKey(from: .testOnlyScript([UInt8](repeating: 0xA5, count: 32)))
        #expect("\(key)" == "StreamingKey(redacted)")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains("165") && !dumped.contains("secret"))
    }
}

/// Seals and opens a stream in pieces, as through a pipe. Bytes that a call did not take are passed again, in front of the
/// next ones.
enum Pieces {
    static func seal(_ bytes: [UInt8], with sealer: consuming StreamSealer, each count: Int) throws -> [UInt8]
    {
        var (stream, given, taken) = ([UInt8](), 0, 0)
        while !sealer.isFinished {
            given = min(given + count, bytes.count)
            let isEnd = given == bytes.count
            try stream.append(addingCapacity: sealer.segmentByteCount) { output in
                taken += try sealer.seal(bytes.span.extracting(taken..<given), isEnd: isEnd, into: &output)
            }
        }
        return stream
    }

    static func firstSegment(of bytes: [UInt8], with sealer: inout StreamSealer) throws -> [UInt8] {
        try [UInt8](capacity: sealer.segmentByteCount) { output in
            _ = try sealer.seal(bytes.span, isEnd: false, into: &output)
        }
    }

    /// What was given out, and why no more.
    static func open(
        _ bytes: [UInt8], with opener: consuming StreamOpener, each count: Int, roomForSegments room: Int = 1
    ) -> (plaintext: [UInt8], error: OpenError?) {
        var (plaintext, given, taken) = ([UInt8](), 0, 0)
        while !opener.isFinished {
            given = min(given + count, bytes.count)
            let isEnd = given == bytes.count
            // What a call had written before it threw is not passed on, as in the program.
            var piece: [UInt8] = []
            do throws(OpenError) {
                try piece.append(addingCapacity: room * opener.segmentByteCount) {
                    (output) throws(OpenError) in
                    taken += try opener.open(
                        bytes.span.extracting(taken..<given), isEnd: isEnd, into: &output)
                }
            } catch { return (plaintext, error) }
            plaintext += piece
        }
        return (plaintext, nil)
    }
}
