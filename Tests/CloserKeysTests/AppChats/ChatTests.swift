import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@Suite("The apps' chats: closer-keys-formats(7), CHATS")
struct ChatTests {
    private let alice: X25519PrivateKey
    private let bob: X25519PrivateKey
    private let chat: ChatID

    init() throws {
        alice = try Self.key("alice")
        bob = try Self.key("bob")
        chat = try ChatID(UserID(parsing: "bob"), UserID(parsing: "alice"))
    }

    // MARK: - FitLink

    @Test("the golden FitLink message opens on both sides, and is sealed the same under its iv")
    func fitLink() throws {
        let plaintext = Array(TestData.golden.text("chat.fitlink.plaintext").utf8)
        let message = try goldenMessage()
        for (ours, theirs) in [(alice, bob), (bob, alice)] {
            let key = try ChatKey(fitLink: chat, ours: ours, theirs: theirs.publicKey)
            #expect(try key.open(message) == plaintext)
            #expect(try key.seal(message: plaintext, from: .testOnlyScript(message.iv)) == message)
        }
        #expect(chat.description == TestData.golden.text("chat.fitlink.chatId"))
        #expect(try FitLinkMessage(parsing: message.bytes) == message)
        #expect(message.members.map(\.name) == ["encrypted_content", "iv"])
    }

    @Test("a key's fingerprint, by pyca, is the same on both sides and of an adopted key")
    func fingerprint() throws {
        let adopted = ChatKey(adopting: SecretBytes(testOnly: TestData.golden.hex("chat.fitlink.keyHex")))
        let digits = TestData.golden.text("chat.fitlink.fingerprintHex").prefix(20)
        for found in [
            try ChatKey(fitLink: chat, ours: alice, theirs: bob.publicKey),
            try ChatKey(fitLink: chat, ours: bob, theirs: alice.publicKey),
            try #require(adopted),
        ] { #expect(found.fingerprint.filter { $0 != " " } == digits) }
        #expect(
            try ChatKey(fond: alice, theirs: bob.publicKey).fingerprint == "9e04 6121 a79a 40b7 5e16")
    }

    @Test("a FitLink message of another chat or other people does not open")
    func otherChat() throws {
        let message = try goldenMessage()
        let carol = X25519PrivateKey()
        for key in [
            try ChatKey(fitLink: ChatID(parsing: "alice_bo"), ours: alice, theirs: bob.publicKey),
            try ChatKey(fitLink: ChatID(parsing: "bob_alice"), ours: alice, theirs: bob.publicKey),
            try ChatKey(fitLink: chat, ours: carol, theirs: bob.publicKey),
            try ChatKey(fitLink: chat, ours: alice, theirs: carol.publicKey),
            try ChatKey(fond: alice, theirs: bob.publicKey),
        ] { #expect(throws: ChatOpenError.authenticationFailed) { try key.open(message) } }
    }

    @Test("no changed bit of a FitLink message opens, and no cut one")
    func changedMessage() throws {
        let message = try goldenMessage()
        let key = try ChatKey(fitLink: chat, ours: bob, theirs: alice.publicKey)
        let (content, iv) = (message.encryptedContent, message.iv)
        var refused = 0
        for bit in 0..<(content.count + iv.count) * 8 {
            let both = (content + iv).flipping(bit: bit)
            let changed = try FitLinkMessage(
                encryptedContent: Base64.standard.encode(Array(both.prefix(content.count))),
                iv: Base64.standard.encode(Array(both.suffix(12))))
            #expect(throws: ChatOpenError.authenticationFailed) { try key.open(changed) }
            refused += 1
        }
        for cut in [content + [0]] + (0..<content.count).map({ Array(content.prefix($0)) }) {
            let changed = try FitLinkMessage(
                encryptedContent: Base64.standard.encode(cut), iv: Base64.standard.encode(iv))
            #expect(throws: ChatOpenError.authenticationFailed) { try key.open(changed) }
            refused += 1
        }
        #expect(refused == (30 + 12) * 8 + 31)
    }

    @Test(
        "what is no FitLink message",
        arguments: [
            "", "{}", "[]", "null", "\"x\"", #"{"iv":"UFFSU1RVVldYWVpb"}"#, #"{"encrypted_content":"PgJM"}"#,
            #"{"encrypted_content":null,"iv":"UFFSU1RVVldYWVpb"}"#,
            #"{"encrypted_content":1,"iv":"UFFSU1RVVldYWVpb"}"#,
            #"{"encrypted_content":"PgJM","iv":"UFFSU1RVVldYWVo="}"#,
            #"{"encrypted_content":"PgJM","iv":""}"#,
            #"{"encrypted_content":"PgJM","iv":"UFFSU1RVVldYWVpbXA=="}"#,
            #"{"encrypted_content":"PgJ","iv":"UFFSU1RVVldYWVpb"}"#,
            #"{"encrypted_content":"PgJ-","iv":"UFFSU1RVVldYWVpb"}"#,
            #"{"encrypted_content":"PgJM","iv":"UFFSU1RVVldYWVpb","iv":"UFFSU1RVVldYWVpb"}"#,
            #"{"encrypted_content":"PgJM","iv":"UFFSU1RVVldYWVpb"}x"#,
            #"{"encrypted_content":"PgJM","IV":"UFFSU1RVVldYWVpb"}"#,
        ])
    func noMessage(_ text: String) {
        #expect(throws: ChatFormatError.self) { try FitLinkMessage(parsing: text.utf8) }
    }

    @Test("other members of a message do not count")
    func otherMembers() throws {
        let message = try goldenMessage()
        let text = String(decoding: message.bytes, as: UTF8.self).dropLast() + #","sender":"bob","n":[1,{}]}"#
        #expect(try FitLinkMessage(parsing: text.utf8) == message)
    }

    @Test("a chat's name sorts bytewise and has at most 128 characters")
    func chatID() throws {
        let ids = try ["Zoe", "anna", "a", "B", "a_b"].map { try UserID(parsing: $0) }
        #expect(try ChatID(ids[0], ids[1]).description == "Zoe_anna")
        #expect(try ChatID(ids[2], ids[3]).description == "B_a")
        #expect(try ChatID(ids[4], ids[2]).description == "a_a_b")
        let long = try UserID(parsing: String(repeating: "x", count: 126))
        #expect(try ChatID(long, ids[2]).bytes.count == 128)
        let longer = try UserID(parsing: String(repeating: "x", count: 127))
        #expect(throws: Identifier.FormatError.self) { try ChatID(longer, ids[2]) }
    }

    // MARK: - Fond

    @Test("the golden Fond field opens on both sides, and is sealed the same under its iv")
    func fond() throws {
        let plaintext = Array(TestData.golden.text("chat.fond.plaintext").utf8)
        let text = TestData.golden.text("chat.fond.combined")
        let field = try FondField(parsing: text)
        for (ours, theirs) in [(alice, bob), (bob, alice)] {
            let key = try ChatKey(fond: ours, theirs: theirs.publicKey)
            #expect(try key.open(field) == plaintext)
            let iv = Array(field.combined.prefix(12))
            #expect(try key.seal(field: plaintext, from: .testOnlyScript(iv)).description == text)
        }
        let location = try FondLocation(latitude: 52.5163, longitude: 13.3999)
        #expect(location.bytes == plaintext)
        #expect(try FondValue(parsing: plaintext, as: .location) == .location(location))
    }

    @Test("a Fond field under another salt, info or key does not open")
    func otherParameters() throws {
        let field = try FondField(parsing: TestData.golden.text("chat.fond.combined"))
        for key in [
            try ChatKey(fond: alice, theirs: bob.publicKey, salt: [1]),
            try ChatKey(fond: alice, theirs: bob.publicKey, info: "fond".utf8),
            try ChatKey(fond: alice, theirs: bob.publicKey, info: [UInt8]()),
            try ChatKey(fond: alice, theirs: X25519PrivateKey().publicKey),
            try ChatKey(fitLink: chat, ours: alice, theirs: bob.publicKey),
        ] { #expect(throws: ChatOpenError.authenticationFailed) { try key.open(field) } }
    }

    @Test("no changed bit of a Fond field opens, and no cut one")
    func changedField() throws {
        let combined = try FondField(parsing: TestData.golden.text("chat.fond.combined")).combined
        let key = try ChatKey(fond: bob, theirs: alice.publicKey)
        var changed = (0..<combined.count * 8).map { combined.flipping(bit: $0) }
        changed += (0..<combined.count).map { Array(combined.prefix($0)) } + [combined + [0]]
        for bytes in changed {
            let field = try FondField(parsing: Base64.standard.encode(bytes))
            #expect(throws: ChatOpenError.authenticationFailed) { try key.open(field) }
        }
        #expect(combined.count == 52)
        #expect(changed.count == 52 * 8 + 53)
    }

    @Test(
        "what is no Fond field",
        arguments: ["YGF", "YGE", "YGF=", " YGFi", "YGFi\n", "YG-i", "enc:v1:YGFi", "YGFiY===", "\u{e9}"])
    func noField(_ text: String) {
        #expect(throws: ChatFormatError.self) { try FondField(parsing: text) }
    }

    @Test("a place is rounded before anything can be sealed")
    func rounding() throws {
        for (latitude, longitude, expected) in [
            (52.516275, 13.377704, #"{"lat":52.52,"lon":13.38}"#), (-0.001, 0.004, #"{"lat":0,"lon":0}"#),
            (-33.8688, 151.2093, #"{"lat":-33.87,"lon":151.21}"#), (90, -180, #"{"lat":90,"lon":-180}"#),
            (89.999, 179.996, #"{"lat":90,"lon":180}"#), (1e-300, 0.125, #"{"lat":0,"lon":0.13}"#),
        ] {
            let location = try FondLocation(latitude: latitude, longitude: longitude)
            #expect(String(decoding: location.bytes, as: UTF8.self) == expected)
            let exact = #"{"lon":\#(longitude),"lat":\#(latitude)}"#
            #expect(try FondLocation(parsing: Array(exact.utf8)) == location)
        }
        for (latitude, longitude) in [(90.01, 0), (-90.01, 0), (0, 180.01), (0, -180.01), (.nan, 0)] {
            #expect(throws: ChatFormatError.malformed) {
                try FondLocation(latitude: latitude, longitude: longitude)
            }
        }
    }

    @Test(
        "what is no value of its type",
        arguments: [
            (.location, #"{"lat":90.001,"lon":0}"#), (.location, #"{"lat":0,"lon":-180.1}"#),
            (.location, #"{"lat":0}"#), (.location, #"{"lat":0,"lon":"0"}"#),
            (.location, #"{"lat":0,"lon":0,"alt":1}"#),
            (.location, "52.52,13.4"), (.location, #"{"lat":0,"lat":0}"#), (.heartbeat, "72"),
            (.heartbeat, "{}"),
            (.heartbeat, #"{"bpm":0}"#), (.heartbeat, #"{"bpm":-1}"#), (.heartbeat, #"{"bpm":1000}"#),
            (.heartbeat, #"{"bpm":"72"}"#), (.heartbeat, #"{"bpm":72,"at":1}"#),
            (.heartbeat, #"{"bpm":null}"#),
        ] as [(FondValue.Kind, String)])
    func noValue(_ kind: FondValue.Kind, _ text: String) {
        #expect(throws: ChatFormatError.malformed) { try FondValue(parsing: Array(text.utf8), as: kind) }
    }

    @Test("values come out as they went in, text verbatim", arguments: FondValue.Kind.allCases)
    func values(_ kind: FondValue.Kind) throws {
        let plaintexts: [FondValue.Kind: [String]] = [
            .text: ["", "hello ❤", " \n"], .status: ["asleep"], .location: [#"{"lat":52.52,"lon":13.4}"#],
            .heartbeat: [#"{"bpm":72}"#, #"{"bpm":61.5}"#],
        ]
        for plaintext in try #require(plaintexts[kind]) {
            #expect(try FondValue(parsing: Array(plaintext.utf8), as: kind).bytes == Array(plaintext.utf8))
        }
        #expect(throws: ChatFormatError.malformed) { try FondValue(parsing: [0xFF, 0xFE], as: kind) }
    }

    // MARK: - Both

    @Test("plaintexts come out verbatim", arguments: [0, 1, 15, 16, 17, 4096, 1 << 20])
    func verbatim(_ count: Int) throws {
        let key = try ChatKey(fitLink: chat, ours: alice, theirs: bob.publicKey)
        let plaintext = Randomness.system.bytes(count)
        let (message, again) = try (key.seal(message: plaintext), key.seal(message: plaintext))
        #expect(message.iv != again.iv)
        #expect(try key.open(FitLinkMessage(parsing: message.bytes)) == plaintext)
        #expect(try key.open(FondField(parsing: key.seal(field: plaintext).text)) == plaintext)
    }

    @Test("more than 1 MiB is not sealed")
    func tooLarge() throws {
        let key = try ChatKey(fond: alice, theirs: bob.publicKey)
        let large = [UInt8](repeating: 0, count: 1 << 20 | 1)
        #expect(throws: ChatSealError.plaintextTooLarge) { try key.seal(field: large) }
        #expect(throws: ChatSealError.plaintextTooLarge) { try key.seal(message: large) }
    }

    @Test("a message that its author gets back opens: the formats do not tell (W12)")
    func reflected() throws {
        let key = try ChatKey(fitLink: chat, ours: alice, theirs: bob.publicKey)
        let own = try key.seal(message: "from alice".utf8)
        #expect(try key.open(own) == key.open(own))
    }

    @Test("a chat key prints nothing of itself")
    func redacted() throws {
        let key = try ChatKey(fond: alice, theirs: bob.publicKey)
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "ChatKey(redacted)")
        #expect(!dumped.contains("cipher") && dumped.contains("redacted"))
    }

    private static func key(_ name: String) throws -> X25519PrivateKey {
        try X25519PrivateKey(adopting: SecretBytes(testOnly: TestData.golden.hex("chat.\(name)PrivateHex")))
    }

    private func goldenMessage() throws -> FitLinkMessage {
        try FitLinkMessage(
            encryptedContent: TestData.golden.text("chat.fitlink.encrypted_content"),
            iv: TestData.golden.text("chat.fitlink.iv"))
    }
}
