import CloserKeys
import CloserPrimitives
import CloserTink
import Foundation
import Testing

@Suite("The page: CloserTink")
struct TinkTests {
    private let android: AndroidPartner
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        android = try AndroidPartner(in: folder)
    }

    @Test("a keyset by Tink opens what Tink sealed, and seals") func keyset() throws {
        let file = android.coupleKeyset
        let payload = android.field.dropFirst("enc:v1:".count)
        let ciphertext = try #require(Data(base64Encoded: String(payload)))

        // doc: CloserTink
        let keyset = try InsecureCleartextKeyset.read(SecretBytes(copying: file))
        let aead = try KeysetAEAD(keyset)
        let purpose = Data("couple_1".utf8)
        let opened = try aead.open(ciphertext, associatedData: purpose)
        let sealed = aead.seal(Data("good evening".utf8), associatedData: purpose)
        // doc: end

        #expect(String(decoding: opened.plaintext, as: UTF8.self) == "hello ❤")
        #expect(try Data(aead.open(sealed, associatedData: purpose).plaintext) == Data("good evening".utf8))
    }

    @Test("a job opens an export of fields with Android's keyset") func export() throws {
        let (file, row, couple) = (android.coupleKeyset, android.field, android.couple.id)
        // doc: CloserKeys
        let keyset = try InsecureCleartextKeyset.read(SecretBytes(copying: file))
        let key = FieldKey(try CoupleKey(keyset), of: couple, origins: nil)
        let opened = try key.open(FieldToken(parsing: row))
        // doc: end

        #expect(String(decoding: opened.plaintext, as: UTF8.self) == "hello ❤")
    }

    @Test("a text is sealed to a public key in JSON") func hybrid() throws {
        // doc: CloserTink
        let keyset = Keyset(.eciesP256HKDFHMACSHA256AES128GCM)
        let published = try NoSecretKeyset.json(keyset.publicKeyset())
        let theirs = try NoSecretKeyset.read(published)
        let box = try HybridBox.seal(Data("good evening".utf8), to: theirs, context: Data("couple_1".utf8))
        let secret = try HybridBox.open(box, with: keyset, context: Data("couple_1".utf8)).takePlaintext()
        // doc: end

        #expect(InsecureCopy.string(secret) == "good evening")
        #expect(throws: KeysetError.holdsSecret) { try NoSecretKeyset.json(keyset) }
        let compressed = Keyset(.eciesP256CompressedHKDFHMACSHA256AES128GCM)
        let short = try HybridBox.seal(Data(), to: compressed.publicKeyset(), context: Data())
        #expect(short.count == 66)
    }

    @Test("a photo is sealed by segments, under a keyset that is stored sealed") func stream() throws {
        let photo = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })

        // doc: CloserTink
        let keyset = Keyset(.streaming(.oneMiB))
        let stored = InsecureCleartextKeyset.binary(keyset)
        let photos = try StreamingAEAD(keyset)
        let stream = try photos.seal(photo, associatedData: Data("photo 7 of couple_1".utf8))
        // doc: end

        let again = try StreamingAEAD(InsecureCleartextKeyset.read(stored))
        let opened = try again.open(Data(stream), associatedData: Data("photo 7 of couple_1".utf8))
        #expect(Data(opened.plaintext) == photo)
    }

    @Test("an upload is sealed in chunks; one that is cancelled gives no whole stream") func chunks()
        async throws
    {
        let photo = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let upload = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: photo.count, by: 100_000) {
                continuation.yield(photo[start..<start + 100_000])
            }
            continuation.finish()
        }
        // doc: CloserTink
        let photos = try StreamingAEAD(Keyset(.streaming(.oneMiB)))
        let purpose = Data("photo 7 of couple_1".utf8)
        var stored = Data()
        for try await chunk in try photos.seal(chunks: upload, associatedData: purpose) {
            stored.append(contentsOf: chunk)
        }
        // doc: end

        #expect(try Data(photos.open(stored, associatedData: purpose).plaintext) == photo)

        // The source never ends by itself: only the cancellation ends it.
        let (open, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(photo.prefix(10))
        let sealing = Task {
            var count = 0
            for try await chunk in try photos.seal(chunks: open, associatedData: purpose) {
                count += chunk.count
            }
            return count
        }
        try await Task.sleep(for: .milliseconds(50))
        sealing.cancel()
        await #expect(throws: CancellationError.self) { try await sealing.value }
        withExtendedLifetime(continuation) {}
    }
}
