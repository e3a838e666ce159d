import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

/// Runs alone: it reads the memory of the whole process.
@Suite("Secrets of a chat in memory", .serialized)
struct ChatOwnershipTests {
    @Test("a private key is in memory once while it lives, also as it is read and written, and nowhere after")
    func privateKey() throws {
        let pattern = MaskedPattern.random()
        do {
            let key = try X25519PrivateKey(adopting: pattern.secret())
            let text = key.text
            let again = try text.withBytes { try X25519PrivateKey(parsing: $0) }
            let theirs = X25519PrivateKey().publicKey
            let agreed = try key.agree(with: theirs, info: "x".utf8)
            let chat = try ChatKey(fond: again, theirs: theirs)
            let sealed = try chat.seal(field: "hello".utf8)
            #expect(try chat.open(sealed).count == 5)
            let found = try MemoryScan.count(pattern)
            #expect(found == 2)
            _ = (key.publicKey, again.publicKey, agreed.count)
        }
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test(
        "a chat's key is nowhere once it is gone, with its key schedule",
        .proves("Secrets are in locked memory, and are wiped"))
    func chatKey() throws {
        let (ours, theirs) = (X25519PrivateKey(), X25519PrivateKey().publicKey)
        let pattern = MaskedPattern(masking: try ours.agree(with: theirs, info: ChatKey.fondInfo))
        do {
            let chat = try ChatKey(fond: ours, theirs: theirs)
            let sealed = try chat.seal(field: "hello".utf8)
            #expect(try chat.open(sealed).count == 5)
            // A key schedule begins with the key itself.
            #expect(try MemoryScan.count(pattern) >= 1)
            _ = chat.description
        }
        try KnownDifference.expectNoKeySchedule(of: pattern)
    }
}
