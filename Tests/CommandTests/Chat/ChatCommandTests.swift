import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("chat: FitLink's and Fond's messages")
struct ChatCommandTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        for name in ["alice", "bob"] {
            let key = Base64.standard.encode(TestData.golden.hex("chat.\(name)PrivateHex"))
            try program.write(Data("\(key)\n".utf8), to: "\(name).x25519")
        }
        let message: JSONValue = [
            "encrypted_content": .string(TestData.golden.text("chat.fitlink.encrypted_content")),
            "iv": .string(TestData.golden.text("chat.fitlink.iv")),
        ]
        try program.write(Data(message.bytes), to: "message.json")
        try program.write(Data(TestData.golden.text("chat.fond.combined").utf8), to: "field.txt")
    }

    private static let alice =
        "--private-key-file alice.x25519 --peer-key \(TestData.golden.text("chat.bobPublic"))"
    private static let bob =
        "--private-key-file bob.x25519 --peer-key \(TestData.golden.text("chat.alicePublic"))"
    private static let fitLink = "--profile fitlink --chat alice_bob"

    @Test("the golden messages open on both sides", arguments: [alice, bob])
    func golden(_ side: String) throws {
        let message = try program("chat open \(Self.fitLink) \(side) message.json")
        #expect((message.exit, message.text) == (0, TestData.golden.text("chat.fitlink.plaintext")))
        #expect(message.errors == "")
        let field = try program("chat open --profile fond \(side) --type location field.txt --json")
        let plaintext = try JSONValue(parsing: field.output.dropLast())["plaintext"]?.string
        #expect((field.exit, plaintext) == (0, TestData.golden.text("chat.fond.plaintext")))
    }

    @Test("what one side seals the other opens, verbatim, and the author too")
    func roundTrip() throws {
        let plaintext = Data("run at 7? \u{1F3C3}\n".utf8)
        try program.write(plaintext, to: "plaintext")
        for options in [Self.fitLink, "--profile fond", "--profile fond --salt-hex 00ff --info Couple"] {
            #expect(try program("chat seal \(options) \(Self.alice) plaintext -o sealed --force").exit == 0)
            for side in [Self.alice, Self.bob] {
                #expect(try program("chat open \(options) \(side) sealed").output == plaintext)
            }
        }
        let sealed = try program("chat seal \(Self.fitLink) \(Self.alice) --json plaintext")
        let members = try JSONValue(parsing: sealed.output.dropLast())["message"]?.members
        #expect(members?.map(\.name) == ["encrypted_content", "iv"])
        let field = try program("chat seal --profile fond \(Self.alice) --json plaintext")
        let text = try JSONValue(parsing: field.output.dropLast())["field"]?.string
        #expect(text?.utf8.count == (plaintext.count + 28 + 2) / 3 * 4)
    }

    @Test("the chat's own key takes the place of the two keys, and has 32 bytes") func chatKey() throws {
        // By pyca: vectors/v1/chat_fitlink.json, the first case.
        let key = try Hex.decode("cf4d94fa0950e793ab1c4157a0912c2bd401e6de638ba0fd15beb7651693e763")
        try program.write(Data(key), to: "chat.key")
        let message =
            #"{"encrypted_content":"HYy3UB+Vc9iO1s0536HuZy0yxNdWlGJgpZ8sP+ca","iv":"GZ37QccWDwHtMHSB"}"#
        try program.write(Data(message.utf8), to: "theirs.json")
        let options = "--profile fitlink --chat-key-file chat.key"
        #expect(try program("chat open \(options) theirs.json").text == "run at 7? 🏃")
        #expect(try program("chat seal \(options) theirs.json -o again").exit == 0)
        #expect(try program("chat open \(options) again").text == message)
        for others in ["--chat a_b", Self.alice, "--info x"] {
            #expect(try program("chat open \(options) \(others) theirs.json").exit == 64)
        }
        #expect(try program("chat open --profile fitlink theirs.json").exit == 64)
        try program.write(Data(key.dropLast()), to: "chat.key")
        let short = try program("chat open \(options) theirs.json")
        #expect(
            (short.exit, short.errors) == (5, "closer-keys: error: a chat key file holds exactly 32 bytes\n"))
    }

    @Test("two vaults chat")
    func vaults() throws {
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key > /dev/null
            closer-keys device init --vault b.db --user bob --key-file b.key > /dev/null
            A=$(closer-keys x25519 public --vault a.db); B=$(closer-keys device show --vault b.db --json | jq -r .x25519PublicKey)
            printf hello | closer-keys chat seal --profile fitlink --vault a.db --peer-key "$B" --chat alice_bob |
                closer-keys chat open --profile fitlink --vault b.db --peer-key "$A" --chat alice_bob
            """)
        #expect((run.exit, run.text) == (0, "hello"), "\(run.errors)")
    }

    @Test("a place is rounded before it is sealed")
    func location() throws {
        let exact = #"{"lon": 13.377704, "lat": 52.516275}"#
        let sealed = try program("chat seal --profile fond \(Self.alice) --type location", input: exact)
        let opened = try program("chat open --profile fond \(Self.bob)", input: sealed.text)
        #expect(opened.text == #"{"lat":52.52,"lon":13.38}"#)
        let heartbeat = try program(
            "chat seal --profile fond \(Self.alice) --type heartbeat", input: #"{"bpm": 7.2e1}"#)
        #expect(
            try program("chat open --profile fond \(Self.bob)", input: heartbeat.text).text == #"{"bpm":72}"#)
    }

    @Test(
        "each refusal has its exit code and its id",
        arguments: [
            // Another key, another chat or a changed byte; nobody can tell which, so 3.
            ("open --profile fitlink --chat alice_bo \(alice) message.json", 3, "authFailed"),
            (
                "open \(fitLink) --private-key-file alice.x25519 --peer-key \(other) message.json", 3,
                "authFailed"
            ),
            ("open \(fitLink) \(alice) changed.json", 3, "authFailed"),
            ("open \(fitLink) \(alice) cut.json", 3, "authFailed"),
            ("open --profile fond --salt x \(alice) field.txt", 3, "authFailed"),
            ("open --profile fond --info x \(alice) field.txt", 3, "authFailed"),
            ("open --profile fond \(alice) cut.txt", 3, "authFailed"),
            ("open --profile fond \(alice) empty", 3, "authFailed"),
            // Not a message of ours: 5.
            ("open \(fitLink) \(alice) iv.json", 5, "malformed"),
            ("open \(fitLink) \(alice) base64.json", 5, "malformed"),
            ("open \(fitLink) \(alice) field.txt", 5, "malformed"),
            ("open --profile fond \(alice) message.json", 5, "malformed"),
            ("open --profile fond \(alice) --type heartbeat field.txt", 5, "malformed"),
            (
                "open \(fitLink) --private-key-file alice.x25519 --peer-key \(zero) message.json", 5,
                "malformed"
            ),
            ("seal --profile fitlink --chat a|b \(alice) message.json", 5, "malformed"),
            ("seal --profile fond --type location \(alice) message.json", 5, "malformed"),
            ("seal --profile fond \(alice) binary", 5, "malformed"),
            ("seal --profile fond --type status \(alice) binary", 5, "malformed"),
            // The rest.
            ("seal \(fitLink) \(alice) large -o sealed", 6, "limit"),
            ("seal --profile fond --info \(long) \(alice) message.json", 6, "limit"),
            ("seal \(fitLink) \(alice) message.json -o field.txt", 7, "inputRequired"),
            ("seal \(fitLink) --peer-key \(other) message.json", 66, "noInput"),
            ("seal \(fitLink) \(alice) missing", 66, "noInput"),
            ("seal --profile fitlink \(alice) message.json", 64, "usage"),
            ("seal --profile fond --chat a_b \(alice) message.json", 64, "usage"),
            ("seal \(fitLink) --salt x \(alice) message.json", 64, "usage"),
            ("seal \(fitLink) --type text \(alice) message.json", 64, "usage"),
            ("seal \(fitLink) --vault v.db \(alice) message.json", 64, "usage"),
            ("seal --profile signal \(alice) message.json", 64, "usage"),
            ("seal \(alice) message.json", 64, "usage"), ("", 64, "usage"),
        ] as [(String, Int32, String)])
    func refusals(_ arguments: String, _ exit: Int32, _ id: String) throws {
        try prepareFaults()
        let before = try program.files()
        let run = try program("chat \(arguments) --json", input: "input")
        #expect(run.exit == exit, "\(run.errors)")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        #expect(error?["code"]?.string == id)
        #expect(try program.files() == before)
    }

    private func prepareFaults() throws {
        let (content, iv) = (
            TestData.golden.text("chat.fitlink.encrypted_content"), TestData.golden.text("chat.fitlink.iv")
        )
        let documents = [
            "changed.json": #"{"encrypted_content":"Q\#(content.dropFirst())","iv":"\#(iv)"}"#,
            "cut.json": #"{"encrypted_content":"\#(content.dropLast(4))","iv":"\#(iv)"}"#,
            "iv.json": #"{"encrypted_content":"\#(content)","iv":"\#(iv.dropLast(4))"}"#,
            "base64.json": #"{"encrypted_content":"\#(content.dropLast())","iv":"\#(iv)"}"#,
            "cut.txt": String(TestData.golden.text("chat.fond.combined").prefix(16)), "empty": "",
        ]
        for (name, text) in documents { try program.write(Data(text.utf8), to: name) }
        try program.write(Data([0xFF, 0xFE]), to: "binary")
        try program.write(Data(count: 1 << 20 | 1), to: "large")
    }

    @Test("a message of 1 MiB goes both ways")
    func largest() throws {
        let plaintext = Data(repeating: 0x61, count: 1 << 20)
        try program.write(plaintext, to: "largest")
        for profile in [Self.fitLink, "--profile fond"] {
            #expect(try program("chat seal \(profile) \(Self.alice) largest -o sealed --force").exit == 0)
            #expect(try program("chat open \(profile) \(Self.bob) sealed").output == plaintext)
        }
    }

    @Test("errors quote no key and no message")
    func quotesNothing() throws {
        let secret = "hunter2-correct-horse"
        try program.write(Data(secret.utf8), to: "key")
        let peer = TestData.golden.text("chat.bobPublic")
        for arguments in [
            "chat open \(Self.fitLink) \(Self.alice)", "chat open --profile fond \(Self.alice)",
            "chat seal --profile fond --type location \(Self.alice)",
            "chat seal \(Self.fitLink) --private-key-file key --peer-key \(peer)",
            "chat seal \(Self.fitLink) --private-key-file alice.x25519 --peer-key \(secret)",
        ] {
            let run = try program(arguments, input: secret)
            #expect(run.exit == 5)
            #expect(!run.errors.contains("hunter2") && !run.text.contains("hunter2"))
        }
    }

    private static let other = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="
    private static let zero = Base64.standard.encode([UInt8](repeating: 0, count: 32))
    private static let long = String(repeating: "x", count: 32769)
}
