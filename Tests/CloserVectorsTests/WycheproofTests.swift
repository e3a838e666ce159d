import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVectors

/// Wycheproof's own schemas, with values of RFCs and of NIST.
@Suite("Wycheproof's own files")
struct WycheproofTests {
    private static let folder = TestData.root.appending(path: "Tests/Wycheproof")

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
    }

    private static func report(_ name: String, changing old: String = "", to new: String = "") throws
        -> Report
    {
        let text = try text(name)
        try #require(old.isEmpty || text.contains(old))
        let file = try VectorFile(
            name: name, parsing: Array((old.isEmpty ? text : text.replacing(old, with: new)).utf8))
        var ours = OwnImplementation()
        return Report(files: [Runner.run(file, with: &ours)])
    }

    @Test(
        "each is passed, and what is of another size is passed over by name",
        arguments: [
            ("aes_gcm", 7, ["keySize 192", "ivSize 64", "tagSize 96"]), ("x25519", 6, ["curve curve448"]),
            ("ecdh_secp256r1_ecpoint", 7, ["curve secp384r1"]), ("hkdf_sha256", 4, []),
            ("hmac_sha256", 3, ["tagSize 128"]),
        ])
    func passed(_ name: String, _ passed: Int, _ obstacles: [String]) throws {
        let report = try Self.report(name)
        #expect(report.counts == Counts(passed: passed, skipped: obstacles.count), "\(report.text(.text))")
        #expect(report.files[0].obstacles.map(\.reason) == obstacles)
    }

    @Test(
        "a changed value is a failure",
        arguments: [
            // A ciphertext, a secret, a key, a tag: of a valid case.
            ("aes_gcm", "cea7403d", "cea7403e"), ("x25519", "c3da5537", "c3da5538"),
            ("ecdh_secp256r1_ecpoint", #""shared": "d6840f6b"#, #""shared": "d6840f6c"#),
            ("hkdf_sha256", "3cb25f25", "3cb25f26"),
            ("hmac_sha256", "5bdcc146bf60754e6a042426", "5bdcc146bf60754e6a042427"),
            // A case that is valid is called invalid, and one that is invalid valid.
            ("hkdf_sha256", #""size": 8161"#, #""size": 816"#), ("hmac_sha256", "b1344c61", "b0344c61"),
            ("ecdh_secp256r1_ecpoint", "9872ac\"", "9872ab\""),
            ("aes_gcm", #""tag": "77fc"#, #""tag": "76fc"#),
        ])
    func changed(_ name: String, _ old: String, _ new: String) throws {
        #expect(try Self.report(name, changing: old, to: new).counts.failed >= 1)
    }

    @Test("a zero shared secret must be refused, though Wycheproof lets it pass")
    func zeroSecret() throws {
        let file = try VectorFile(name: "x25519", parsing: Array(try Self.text("x25519").utf8))
        let zero = file.cases.filter { $0.flags == ["ZeroSharedSecret"] }
        #expect(zero.count == 2)
        for test in zero {
            #expect(
                !test.expectation.isMet(by: .output(["shared": .string(String(repeating: "00", count: 32))])))
            #expect(test.expectation.isMet(by: .error("malformed")))
        }
    }

    @Test("what is acceptable may be refused, and may not be another value")
    func acceptable() {
        let expectation = Expectation.outputOrRefusal(["shared": "01"])
        #expect(expectation.isMet(by: .error("malformed")))
        #expect(expectation.isMet(by: .output(["shared": "01"])))
        #expect(!expectation.isMet(by: .output(["shared": "02"])))
        #expect(!expectation.isMet(by: .fault("it ended")))
    }

    @Test(
        "another algorithm under the same schema is not taken for ours",
        arguments: [
            ("aes_gcm", "AES-GCM", "CHACHA20-POLY1305"), ("hmac_sha256", "HMACSHA256", "HMACSHA1"),
            ("hkdf_sha256", "HKDF-SHA-256", "HKDF-SHA-512"),
        ])
    func otherAlgorithm(_ name: String, _ ours: String, _ other: String) {
        #expect(throws: VectorFileError.wrong("algorithm", .file)) {
            try Self.report(name, changing: "\"\(ours)\"", to: "\"\(other)\"")
        }
    }

    @Test("an unknown member of a test, and an unknown schema, are errors")
    func unknown() throws {
        #expect(throws: VectorFileError.unknown("salt", .test(1))) {
            try Self.report("hmac_sha256", changing: #""key": "0b"#, to: #""salt": "", "key": "0b"#)
        }
        #expect(throws: VectorFileError.unknownSchema("dsa_verify_schema.json")) {
            try Self.report("hkdf_sha256", changing: "hkdf_test_schema.json", to: "dsa_verify_schema.json")
        }
    }

    @Test(
        "a test of other sizes than its group says is a failure, and ends nothing",
        arguments: [
            ("aes_gcm", #""iv": "000000000000000000000000""#, #""iv": "00""#),
            ("aes_gcm", #""key": "feffe992"#, #""key": "feffe99201"#),
            ("hkdf_sha256", #""ikm": "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b""#, #""ikm": """#),
            ("hmac_sha256", #""key": "4a656665""#, #""key": """#),
            ("x25519", #""private": "a546"#, #""private": "a5"#),
        ])
    func otherSizes(_ name: String, _ old: String, _ new: String) throws {
        #expect(try Self.report(name, changing: old, to: new).counts.failed >= 1)
    }
}
