import CloserPrimitives
import CloserTink
import Foundation
import TestSupport
import Testing

@Suite(
    "Where streaming keys are in memory",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem")))
struct StreamOwnershipTests {
    private func keyset(of pattern: MaskedPattern) throws -> Keyset {
        let bytes = SecretBytes(capacity: 400) { output in
            StreamKeysetParts().append(to: &output) { pattern.write(to: &$0) }
        }
        return try InsecureCleartextKeyset.read(binary: bytes, .strict)
    }

    /// How often the key is in memory after streams were sealed and opened and keysets written, while one stream has begun.
    private func countWhileUsed(_ pattern: MaskedPattern) throws -> Int {
        let keyset = try keyset(of: pattern)
        let aead = try StreamingAEAD(keyset)
        let stream = try aead.seal([UInt8](repeating: 1, count: 500), associatedData: [2])
        #expect(try aead.open(stream, associatedData: [2]).plaintext.count == 500)
        #expect(throws: OpenError.authenticationFailed) { try aead.open(stream, associatedData: [3]) }
        #expect(InsecureCleartextKeyset.json(keyset).count > 100)
        var sealer = try aead.sealer(associatedData: [])
        let begun = try Pieces.firstSegment(of: [UInt8](repeating: 1, count: 65), with: &sealer)
        #expect(begun.count == 64)
        defer { #expect(sealer.keyID == 7) }
        // A stream that has begun keeps its segment key alone.
        return try withExtendedLifetime(aead) { try MemoryScan.count(pattern) }
    }

    @Test("a key is there once while it is used, and nowhere after")
    func once() throws {
        let pattern = MaskedPattern.random()
        let during = try countWhileUsed(pattern)
        let after = try MemoryScan.count(pattern)
        #expect((during, after) == (1, 0))
    }
}
