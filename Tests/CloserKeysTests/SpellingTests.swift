import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("What may be spelled in two ways, and what may not")
struct SpellingTests {
    @Test("a public key is the same key in either width of its integers")
    func publicKey() throws {
        let tests = TestData.publicKeys.at("testGroups").array?.first?.at("tests").array ?? []
        func token(_ comment: String) throws -> PublicKeyToken {
            let test = try #require(tests.first { $0.text("comment") == comment })
            return try PublicKeyToken(parsing: test.text("publicKey").utf8)
        }
        for zero in ["none", "x", "y"] {
            let narrow = try token("leading zero: \(zero), 32 bytes")
            let wide = try token("leading zero: \(zero), 33 bytes")
            #expect(narrow.text != wide.text)
            #expect(narrow == wide && narrow.isSameKey(as: wide))
        }
    }

    @Test("the same point under another key id is another token of the same key")
    func otherID() throws {
        let ours = try PublicKeyToken(parsing: golden.text("userKey.publicToken").utf8)
        guard case .eciesPublic(let key)? = ours.keyset.primary.material else { throw KeysetError.malformed }
        let other = try PublicKeyToken(primaryOf: Keyset(importing: .eciesPublic(key)))
        #expect(other != ours && other.isSameKey(as: ours))
        let stranger = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        #expect(!stranger.isSameKey(as: ours))
    }

    @Test(
        "a place is ASCII: a mark behind the colon is no part of it",
        arguments: [
            "thread:\u{301}abc", "thread:abc\u{301}", "daily:\u{301}2026-11-20", "thread\u{301}:abc",
        ])
    func place(_ text: String) {
        #expect(throws: AnswerPlace.FormatError.self) { try AnswerPlace(parsing: text) }
    }

    @Test("a wrapped key has letters of one alphabet")
    func wrap() throws {
        let document = golden.at("wrap.document")
        let key = document.text("wrappedCoupleKey")
        let phrase = try RecoveryPhrase(
            entered: SecretBytes(testOnly: Array(golden.text("wrap.phrase").utf8)))
        func unwrap(_ key: String) throws -> CoupleKey {
            try KeyWrap(
                wrappedCoupleKey: key, kdfSalt: document.text("kdfSalt"),
                kdfParams: document.text("kdfParams")
            ).unwrap(with: phrase)
        }
        let url = key.replacing("+", with: "-").replacing("/", with: "_")
        #expect(url != key && key.contains("+") && key.contains("/"))
        _ = try unwrap(key)
        _ = try unwrap(url)
        #expect(throws: UnwrapError.malformed) { try unwrap(key.replacing("+", with: "-")) }
    }
}
