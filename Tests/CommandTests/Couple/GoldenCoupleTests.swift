import CloserWire
import Foundation
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("The program on golden couples and answers")
struct GoldenCoupleTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try write("couple.keyset", golden.hex("coupleKeyset.binaryHex"))
        try write("user.keyset", golden.hex("userKey.privateKeysetHex"))
        try write("one-time.keyset", golden.hex("sealedAnswer.oneTimeKeyset.binaryHex"))
        try write("one-time.key", golden.hex("sealedAnswer.oneTimeKeyset.keyHex"))
        try write("phrase", golden.text("wrap.phrase") + "\n")
        try write("payload.json", golden.text("sealedAnswer.payload"))
        try write("answer.json", answer(golden.text("sealedAnswer.encryptedPayload")))
        try write("release.json", release("keybox.ofKeyset"))
    }

    private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try program.write(Data(bytes), to: name)
    }

    private func write(_ name: String, _ text: String) throws { try write(name, text.utf8) }

    private func answer(_ token: String) -> [UInt8] {
        let document: JSONValue = [
            "userId": .string(golden.text("sealedAnswer.author")),
            "questionId": .string(golden.text("ids.questionId")), "schemaVersion": .number(3),
            "encryptedPayload": .string(token),
            "commitmentHash": .string(golden.text("sealedAnswer.commitmentHash")),
            "answerKeyReleased": true, "isRevealed": false,
        ]
        return document.bytes
    }

    private func release(_ box: String) -> [UInt8] {
        let document: JSONValue = [
            "encryptedAnswerKey": .string(golden.text(box)), "senderId": .string(golden.text("ids.alice")),
            "recipientId": .string(golden.text("ids.bob")),
        ]
        return document.bytes
    }

    /// The same ciphertext without Tink's prefix: what a raw key seals.
    private func rawToken() throws -> String {
        let token = golden.text("sealedAnswer.encryptedPayload").dropFirst("sealed:v1:".count)
        return "sealed:v1:" + Base64.url.encode(Array(try Base64.url.decode(String(token)).dropFirst(5)))
    }

    private func wrap(_ more: [JSONValue.Member]) -> [UInt8] {
        let members = golden.at("wrap.document").members ?? []
        return JSONValue.object(more + members).bytes
    }

    private func newDevice() throws {
        try #require(try program("device init --vault v.db --user bob --key-file v.key").exit == 0)
    }

    private func expectGoldenKey() throws {
        let shown = try program("couple show --vault v.db --couple couple_1 --json")
        let object = try JSONValue(parsing: shown.output.dropLast())
        let digits = object["fingerprint"]?.string?.replacing(" ", with: "")
        #expect(digits == String(golden.text("subkeysHex.fingerprint").prefix(20)))
        #expect(object["keys"]?.array?.first?["keyId"] == golden.at("coupleKeyset.keyId"))
        let field = try program(
            "field open --vault v.db --couple couple_1", input: golden.text("field.token"))
        #expect((field.exit, field.text) == (0, golden.text("field.plaintext")))
    }

    @Test("the golden phrase brings the golden couple key back, in a rehearsal and in a vault")
    func recover() throws {
        try write("couple.json", wrap([.init("encryptionVersion", .number(2))]))
        let rehearsal = try program(
            "couple recover --rehearse --couple couple_1 --phrase-file phrase couple.json --json")
        #expect(rehearsal.exit == 0)
        try newDevice()
        let run = try program(
            "couple recover --vault v.db --couple couple_1 --phrase-file phrase couple.json")
        #expect(run.exit == 0, "\(run.errors)")
        try expectGoldenKey()
    }

    @Test("a vault that has the couple already keeps what it knows of it, and is not told that it is lost")
    func recoverAgain() throws {
        try write("couple.json", wrap([.init("encryptionVersion", .number(2))]))
        try newDevice()
        let recover =
            "closer-keys couple recover --vault v.db --couple couple_1 --phrase-file phrase couple.json"
        let run = try program.script(
            """
            \(recover) > first.txt 2> told.txt
            closer-keys keyset new --type ecies-p256 -o alice.keyset
            closer-keys keyset public alice.keyset -o alice.pub
            verify() {
                closer-keys couple verify --vault v.db --couple couple_1 --partner alice --partner-key "$(cat alice.pub)" "$@"
            }
            verify --digits "$(verify)"
            \(recover) 2> again.txt | grep -e state: -e partner:
            """)
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            try program.content("told.txt").starts(
                with: Data("closer-keys: only the couple key is back".utf8)))
        #expect(
            run.text.hasPrefix("verified\nstate: verified ")
                && run.text.hasSuffix("\npartner: alice, verified\n"))
        let again = String(decoding: try program.content("again.txt"), as: UTF8.self)
        #expect(again.contains("same fingerprint") && !again.contains("only the couple key is back"))
    }

    @Test(
        "the golden code opens the golden invite, however it is typed; another one does not",
        arguments: [false, true])
    func join(_ isLowerCase: Bool) throws {
        let phrase = JSONValue.Member("recoveryPhrase", .string(golden.text("phraseUnderCode.blob")))
        try write("invite.json", wrap([phrase]))
        let code = golden.text("phraseUnderCode.code")
        try write("code", "\(isLowerCase ? code.lowercased() : code)\r\n")
        try write("other", "0\(code.dropFirst())")
        try newDevice()
        let join = "couple join --vault v.db --couple couple_1 invite.json --code-file"
        #expect(try program("\(join) other").exit == 3)
        let run = try program("\(join) code")
        #expect(run.exit == 0, "\(run.errors)")
        try expectGoldenKey()
    }

    @Test(
        "the golden answer opens with its keyset, with its raw key, and with each golden release",
        arguments: [
            ("answer.json", "--keyset-file one-time.keyset"), ("raw.json", "--keyset-file one-time.key"),
            ("answer.json", "--keyset-file user.keyset --release release.json"),
            ("raw.json", "--keyset-file user.keyset --release raw-release.json"),
        ])
    func open(_ document: String, _ key: String) throws {
        try write("raw.json", answer(rawToken()))
        try write("raw-release.json", release("keybox.ofRawKey"))
        let open = "answer open --couple couple_1 \(key) \(document)"
        let run = try program(open)
        #expect((run.exit, run.text) == (0, golden.text("sealedAnswer.payload")), "\(run.errors)")
        let proven = try program(
            "\(open) --couple-keyset-file couple.keyset --place daily:\(golden.text("ids.date")) --json")
        let object = try JSONValue(parsing: proven.output.dropLast())
        #expect(object["authenticity"] == "serverForgeable" && object["place"] == "daily:2026-11-20")
        #expect(object["commitmentHash"] == golden.at("sealedAnswer.commitmentHash"))
        #expect(try object["payload"] == JSONValue(parsing: golden.text("sealedAnswer.payload").utf8))
    }

    @Test(
        "the golden answer in another place",
        arguments: [
            ("--couple couple_2", "answer.json", 3, "authFailed"),
            ("--couple couple_1 --place daily:2026-11-21", "answer.json", 1, "placeMismatch"),
            ("--couple couple_1", "raw.json", 3, "authFailed"),
            ("--couple couple_1", "bob.json", 3, "authFailed"),
            ("--couple couple_1", "other.json", 1, "commitmentMismatch"),
        ] as [(String, String, Int32, String)])
    func misplaced(_ options: String, _ document: String, _ exit: Int32, _ code: String) throws {
        try write("raw.json", answer(rawToken()))
        let text = String(decoding: answer(golden.text("sealedAnswer.encryptedPayload")), as: UTF8.self)
        try write("bob.json", text.replacing("\"alice\"", with: "\"bob\""))
        try write("other.json", text.replacing("sha256:GV", with: "sha256:GW"))
        let run = try program(
            "answer open \(options) --keyset-file one-time.keyset --couple-keyset-file couple.keyset --json \(document)"
        )
        #expect(run.exit == exit)
        #expect(try JSONValue(parsing: run.output.dropLast())["error"]?["code"]?.string == code)
        #expect(!run.text.contains("yes") && !run.errors.contains("yes"))
    }

    @Test("a stranger's couple key proves nothing about the golden answer")
    func stranger() throws {
        try #require(try program("keyset new --type aes256-gcm -o other.keyset").exit == 0)
        let run = try program(
            "answer open --couple couple_1 --keyset-file one-time.keyset --couple-keyset-file other.keyset --json answer.json"
        )
        #expect(run.exit == 3)
        #expect(try JSONValue(parsing: run.output.dropLast())["error"]?["code"] == "macInvalid")
    }

    @Test("the golden commitment is to the payload, also in Android's order, spacing and escapes")
    func verify() throws {
        let payload = golden.text("sealedAnswer.payload")
        let members = try #require(try JSONValue(parsing: payload.utf8).members)
        let reversed = String(decoding: JSONValue.object(members.reversed()).bytes, as: UTF8.self)
        for text in [payload, reversed, reversed.replacing("daily:", with: "\\u0064aily:") + "\n"] {
            let run = try program("answer verify --answer answer.json", input: text)
            #expect((run.exit, run.text) == (0, "verified\n"), "\(run.errors)")
        }
        let other = try program(
            "answer verify --answer answer.json", input: payload.replacing("yes", with: "no"))
        #expect((other.exit, other.text) == (1, ""))
    }
}
