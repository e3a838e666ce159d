import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import TestSupport
import Testing

// Testing has an Attachment, too.
private typealias Attachment = CloserKeys.Attachment

@Suite("A file that is sent beside a message")
struct AttachmentTests {
    private let folder: VaultFolder
    private let attachment: Attachment

    init() throws {
        folder = try VaultFolder()
        try folder.write((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 * $0) }, to: "beach.jpg")
        attachment = try Attachment(
            sealingFileAt: folder.path("beach.jpg"), to: folder.path("sealed"), mimeType: "image/jpeg")
    }

    /// Opens a file with what came of an attachment's JSON.
    private func open(_ name: String, _ attachment: Attachment) throws {
        let arrived = try Attachment(parsing: attachment.bytes)
        try arrived.open(fileAt: folder.path(name), to: folder.path("opened"))
    }

    @Test("opens with what the message brought, and is told by name, type and size") func roundTrip() throws {
        try open("sealed", attachment)
        #expect(try folder.bytes("opened") == folder.bytes("beach.jpg"))
        #expect(try attachment.byteCount == folder.bytes("sealed").count)
        #expect(attachment.name == "beach.jpg" && attachment.mimeType == "image/jpeg")
    }

    @Test("an app adds members, and the five stay in canonical form", arguments: ["Ü \"/\\\u{1}", ""])
    func members(name: String) throws {
        var object = try members()
        object["name"] = name
        object["url"] = "https://example.org/1"
        object["waveform"] = [1, 2]
        let parsed = try parse(object)
        #expect(parsed.name == name)
        object["url"] = nil
        object["waveform"] = nil
        let text = parsed.bytes.testOnlyBytes()
        let written = try JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(text == Array(written))
    }

    @Test("another file is refused before anything is written: exchanged, cut, longer, changed") func others()
        throws
    {
        let bytes = try folder.bytes("sealed")
        let second = try Attachment(
            sealingFileAt: folder.path("beach.jpg"), to: folder.path("second"), mimeType: "")
        try folder.write(bytes.dropLast(), to: "cut")
        try folder.write(bytes + [0], to: "longer")
        try folder.write(bytes.flipping(bit: 8_000_000), to: "changed")
        for (name, attachment) in [
            ("second", attachment), ("sealed", second), ("cut", attachment), ("longer", attachment),
            ("changed", attachment), ("beach.jpg", attachment),
        ] {
            #expect(throws: FileStreamError.otherFile, "\(name)") { try open(name, attachment) }
        }
        #expect(try !folder.names().contains("opened"))
    }

    @Test("the digest of another file under the right key, and the key of another under the right digest")
    func mixed() throws {
        let second = try Attachment(
            sealingFileAt: folder.path("beach.jpg"), to: folder.path("second"), mimeType: "")
        var (object, other) = (try members(), try members(of: second))
        (object["digest"], other["digest"]) = (other["digest"], object["digest"])
        #expect(throws: FileStreamError.otherFile) { try open("sealed", parse(object)) }
        #expect(throws: FileStreamError.opening(.authenticationFailed)) { try open("sealed", parse(other)) }
        #expect(try !folder.names().contains("opened"))
    }

    @Test("what is not a regular file, or there already, is refused") func places() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("d"), withIntermediateDirectories: false)
        let path = folder.path("d")
        #expect(throws: FileStreamError.cannotRead(path: path, reason: "is not a regular file")) {
            try open("d", attachment)
        }
        let sealed = folder.path("sealed")
        #expect(throws: FileStreamError.exists(path: sealed)) {
            try Attachment(sealingFileAt: folder.path("beach.jpg"), to: sealed, mimeType: "")
        }
        try open("sealed", attachment)
    }

    @Test(
        "a member that is missing or of another form is refused, and a keyset that is not one streaming key")
    func malformed() throws {
        let object = try members()
        let digest = try #require(object["digest"] as? String)
        func keyset(_ keyset: Keyset) -> String {
            Data(InsecureCleartextKeyset.binary(keyset).testOnlyBytes()).base64EncodedString()
        }
        let streaming = Keyset(.streaming(.oneMiB))
        let wrong: [(String, [Any?])] = [
            (
                "digest",
                [nil, 1, "", String(digest.dropLast()), digest + "=", "sha512:" + digest.dropFirst(7)]
            ),
            ("mime", [nil, 1, ["x"]]), ("name", [nil, 1]), ("size", [nil, "56", 55, -1, 56.5, 1e300]),
            (
                "key",
                [
                    nil, 1, "", "x", keyset(Keyset(.aes256GCM)),
                    keyset(try streaming.adding(.streaming(.oneMiB))), keyset(streaming) + "\n",
                ]
            ),
        ]
        for (name, values) in wrong {
            for value in values {
                var changed = object
                changed[name] = value
                #expect(throws: Attachment.FormatError.self, "\(name)") { try parse(changed) }
            }
        }
        for text in ["", "[]", "{", "{\"size\":56,\"size\":56}"] {
            #expect(throws: Attachment.FormatError.self) { try Attachment(parsing: SecretBytes(utf8: text)) }
        }
        _ = try parse(object.merging(["key": keyset(streaming)]) { $1 })
    }

    @Test("neither its description nor a dump has the key") func redacted() throws {
        let key = try #require(try members()["key"] as? String)
        var text = "\(attachment)"
        dump(attachment, to: &text)
        #expect(text.contains("redacted") && !text.contains("keyset") && !text.contains(key.prefix(8)))
    }

    private func members(of other: Attachment? = nil) throws -> [String: Any] {
        let bytes = (other ?? attachment).bytes.testOnlyBytes()
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func parse(_ object: [String: Any]) throws -> Attachment {
        try Attachment(parsing: SecretBytes(copying: try JSONSerialization.data(withJSONObject: object)))
    }
}
