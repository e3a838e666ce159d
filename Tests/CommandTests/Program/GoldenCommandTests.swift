import CloserWire
import Foundation
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("The program on golden values")
struct GoldenCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(golden.hex("coupleKeyset.binaryHex")), to: "couple.keyset")
        try program.write(Data(golden.hex("userKey.privateKeysetHex")), to: "user.keyset")
    }

    @Test("the golden field opens")
    func field() throws {
        let token = golden.text("field.token")
        let run = try program(
            "field open --keyset-file couple.keyset --couple couple_1", input: " \(token)\r\n")
        #expect((run.exit, run.text, run.errors) == (0, golden.text("field.plaintext"), ""))
        let json = try program(
            "field open --keyset-file couple.keyset --couple couple_1 --json", input: token)
        #expect(json.text == "{\"plaintext\":\"hello ❤\",\"keyId\":168496141}\n")
    }

    @Test(
        "the golden keyboxes open, as tokens and as bytes",
        arguments: [
            ("keybox.ofKeyset", "sealedAnswer.oneTimeKeyset.binaryHex"),
            ("keybox.ofRawKey", "sealedAnswer.oneTimeKeyset.keyHex"),
        ])
    func keybox(_ box: String, _ content: String) throws {
        let arguments = [
            "keybox", "open", "--keyset-file", "user.keyset", "--context", golden.text("keybox.context"),
        ]
        let token = golden.text(box)
        let run = try program.run(arguments, input: Data("\(token)\n".utf8))
        #expect((run.exit, run.output) == (0, Data(golden.hex(content))))
        let binary = try Base64.url.decode(String(token.dropFirst("keybox:v1:".count)))
        #expect(try program.run(arguments, input: Data(binary)).output == Data(golden.hex(content)))
    }

    @Test("the golden public key comes from its private keyset")
    func publicKey() throws {
        let run = try program("keyset public user.keyset")
        #expect((run.exit, run.text) == (0, golden.text("userKey.publicToken") + "\n"))
    }

    @Test(
        "inspect knows each token",
        arguments: [
            ("field.token", "field"), ("sealedAnswer.encryptedPayload", "sealed answer"),
            ("keybox.ofKeyset", "keybox"),
            ("userKey.publicToken", "public key"), ("sealedAnswer.commitmentHash", "commitment"),
        ])
    func inspect(_ path: String, _ kind: String) throws {
        let run = try program("inspect \(golden.text(path)) --json")
        #expect(run.exit == 0)
        let object = try JSONValue(parsing: run.output.dropLast())
        #expect(object["kind"]?.string == kind)
        let piped = try program("inspect -", input: golden.text(path) + "\n")
        #expect(piped.text.hasPrefix("kind: \(kind)\n"))
    }

    @Test(
        "inspect shows a keyset's ids and nothing of its keys",
        .proves("A secret is written only where it belongs"))
    func inspectKeyset() throws {
        for (file, id) in [("couple.keyset", "168496141"), ("user.keyset", "1432778632")] {
            let run = try program("inspect \(file)")
            #expect(run.exit == 0)
            #expect(run.text.contains("kind: keyset") && run.text.contains(id))
            #expect(
                !run.text.contains("000102") && !run.text.contains("AAECAw") && !run.text.contains("c9afa9"))
        }
    }
}
