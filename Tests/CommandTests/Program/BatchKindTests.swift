import CloserWire
import Foundation
import TestSupport
import Testing

private let golden = TestData.golden

/// What each command takes out of a line, and what it puts in its place.
@Suite("Many records: keyboxes, messages, and a couple's vault")
struct BatchKindTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(golden.hex("userKey.privateKeysetHex")), to: "user.keyset")
        for name in ["alice", "bob"] {
            let key = Base64.standard.encode(golden.hex("chat.\(name)PrivateHex"))
            try program.write(Data("\(key)\n".utf8), to: "\(name).x25519")
        }
    }

    private static let alice =
        "--private-key-file alice.x25519 --peer-key \(golden.text("chat.bobPublic")) --jsonl"
    private static let bob =
        "--private-key-file bob.x25519 --peer-key \(golden.text("chat.alicePublic")) --jsonl"
    private static let fitLink = "--profile fitlink --chat alice_bob"

    @Test("the golden keyboxes open, as members and alone")
    func keyboxOpen() throws {
        let (keyset, raw) = (golden.text("keybox.ofKeyset"), golden.text("keybox.ofRawKey"))
        let run = try program.run(
            [
                "keybox", "open", "--keyset-file", "user.keyset", "--context", golden.text("keybox.context"),
                "--jsonl",
            ], input: Data("{\"keybox\":\"\(keyset)\",\"id\":1}\n\(raw)\n{\"keybox\":\"\(raw)x\"}\n".utf8))
        #expect(run.exit == 9)
        let lines = try run.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        try #require(lines.count == 3)
        #expect(lines[0].members?.last?.name == "id")
        #expect(try content(of: lines[0]) == golden.hex("sealedAnswer.oneTimeKeyset.binaryHex"))
        #expect(try content(of: lines[1]) == golden.hex("sealedAnswer.oneTimeKeyset.keyHex"))
        #expect(lines[2]["error"]?["code"]?.string == "malformed")
    }

    private func content(of line: JSONValue) throws -> [UInt8] {
        if let text = line["plaintext"]?.string { return Array(text.utf8) }
        return try Base64.standard.decode(try #require(line["plaintextBase64"]?.string))
    }

    @Test("what is sealed to a public key opens with the private one; binary boxes make no lines")
    func keyboxSeal() throws {
        let seal = "keybox seal --to \(golden.text("userKey.publicToken")) --context c --jsonl"
        let open = "keybox open --keyset-file user.keyset --context c --jsonl"
        let sealed = try program(
            seal, input: "{\"plaintext\":\"a key\",\"id\":1}\n{\"plaintextBase64\":\"/w==\"}")
        #expect((sealed.exit, sealed.errors) == (0, ""))
        #expect(sealed.text.hasPrefix("{\"keybox\":\"keybox:v1:"))
        let opened = try program(open, input: sealed.text)
        #expect(opened.text == "{\"plaintext\":\"a key\",\"id\":1}\n{\"plaintextBase64\":\"/w==\"}\n")
        let other = open.replacing("context c", with: "context d")
        #expect(try program(other, input: sealed.text).text.contains("\"code\":\"authFailed\",\"exit\":3,"))
        #expect(try program("\(seal) --format binary").exit == 64)
        let large = "{\"plaintext\":\"\(String(repeating: "a", count: 1 << 20 | 1))\"}"
        #expect(
            try program(seal, input: large).text.hasPrefix(
                "{\"line\":1,\"error\":{\"code\":\"limit\",\"exit\":6,"))
    }

    @Test("FitLink's messages have two members, wherever they stand, and no bare line")
    func fitLink() throws {
        let (text, iv) = (golden.text("chat.fitlink.encrypted_content"), golden.text("chat.fitlink.iv"))
        let run = try program(
            "chat open \(Self.fitLink) \(Self.bob)",
            input: """
                {"from":1,"encrypted_content":"\(text)","iv":"\(iv)","at":2}
                {"from":1,"iv":"\(iv)","at":2,"encrypted_content":"\(text)"}
                {"encrypted_content":"\(text)"}
                \(text)
                """)
        #expect((run.exit, run.errors) == (9, "closer-keys: error: 2 of 4 lines failed\n"))
        let lines = run.text.split(separator: "\n")
        let plaintext = JSONValue.string(golden.text("chat.fitlink.plaintext"))
        let result = "\"plaintext\":\(String(decoding: plaintext.bytes, as: UTF8.self))"
        #expect(lines.prefix(2) == ["{\"from\":1,\(result),\"at\":2}", "{\"from\":1,\(result),\"at\":2}"])
        #expect(lines.dropFirst(2).allSatisfy { $0.contains("\"code\":\"malformed\",\"exit\":5") })
        let sealed = try program(
            "chat seal \(Self.fitLink) \(Self.alice)",
            input: "{\"from\":1,\"plaintext\":\"run\",\"at\":2}\n{\"plaintext\":\"x\",\"iv\":null}")
        #expect(sealed.exit == 9)
        let message = try JSONValue(parsing: Array(sealed.text.prefix { $0 != "\n" }.utf8))
        #expect(message.members?.map(\.name) == ["from", "encrypted_content", "iv", "at"])
        let opened = try program("chat open \(Self.fitLink) \(Self.bob)", input: sealed.text)
        #expect(opened.text.hasPrefix("{\"from\":1,\"plaintext\":\"run\",\"at\":2}\n"))
    }

    @Test("Fond's fields are one member, or a line alone, and keep to their type")
    func fond() throws {
        let field = golden.text("chat.fond.combined")
        let place = JSONValue.string(golden.text("chat.fond.plaintext"))
        let result = "\"plaintext\":\(String(decoding: place.bytes, as: UTF8.self))"
        let opened = try program(
            "chat open --profile fond --type location \(Self.bob)",
            input: "{\"id\":1,\"field\":\"\(field)\"}\n\(field)\n")
        #expect((opened.exit, opened.text) == (0, "{\"id\":1,\(result)}\n{\(result)}\n"))
        let sealed = try program(
            "chat seal --profile fond --type heartbeat \(Self.alice)",
            input: #"{"plaintext":"{\"bpm\":7.2e1}","id":2}"# + "\n" + #"{"plaintext":"fast","id":3}"#)
        let lines = sealed.text.split(separator: "\n")
        #expect(sealed.exit == 9 && lines.count == 2)
        #expect(lines.last?.hasPrefix("{\"line\":2,\"error\":{\"code\":\"malformed\",\"exit\":5,") == true)
        let back = try program("chat open --profile fond \(Self.bob)", input: String(lines[0]))
        #expect(back.text == #"{"plaintext":"{\"bpm\":72}","id":2}"# + "\n")
    }

    @Test("with --require-rekeyed each line under a key that the server may hold fails")
    func serverKnown() throws {
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys couple create --vault a.db --couple c --phrase-file p -o invite.json
            field() { closer-keys field "$1" --vault a.db --couple c --jsonl "${@:2}"; }
            echo '{"plaintext":"x","id":1}' | field seal > sealed
            field open sealed > opened
            set +e
            field open --require-rekeyed sealed > refused; echo $? > exits
            field seal --require-rekeyed opened >> refused; echo $? >> exits
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            try program.content("opened")
                == Data("{\"plaintext\":\"x\",\"origin\":\"invite\",\"id\":1}\n".utf8))
        #expect(try program.content("exits") == Data("9\n9\n".utf8))
        let refused = String(decoding: try program.content("refused"), as: UTF8.self).split(separator: "\n")
        #expect(refused.count == 2)
        for line in refused {
            #expect(line.hasPrefix("{\"line\":1,\"error\":{\"code\":\"serverKnown\",\"exit\":8,"))
            #expect(line.hasSuffix("},\"id\":1}"))
        }
    }
}
