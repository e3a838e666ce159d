import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

@Suite("Documents as the apps store them: closer-keys-formats(7), DOCUMENTS")
struct DocumentTests {
    private static let wrap =
        "\"wrappedCoupleKey\":\"\(golden.text("wrap.document.wrappedCoupleKey"))\","
        + "\"kdfSalt\":\"\(golden.text("wrap.document.kdfSalt"))\","
        + "\"kdfParams\":\"\(golden.text("wrap.document.kdfParams").replacing("\"", with: "\\\""))\""

    static let couple = "{\"encryptionVersion\":2,\(wrap)}"
    static let invite =
        "{\"code\":\"7KQ2MX\",\(wrap),\"recoveryPhrase\":\"\(golden.text("phraseUnderCode.blob"))\"}"
    static let message =
        "{\"userId\":\"alice\",\"questionId\":\"q_42\",\"schemaVersion\":3,"
        + "\"encryptedPayload\":\"\(golden.text("sealedAnswer.encryptedPayload"))\","
        + "\"commitmentHash\":\"\(golden.text("sealedAnswer.commitmentHash"))\",\"answerKeyReleased\":false}"
    static let answer = "\(message.dropLast()),\"isRevealed\":false}"
    static let releaseKey =
        "{\"encryptedAnswerKey\":\"\(golden.text("keybox.ofKeyset"))\",\"senderId\":\"alice\",\"recipientId\":\"bob\"}"
    static let device =
        "{\"publicKey\":\"\(golden.text("userKey.publicToken"))\",\"platform\":\"android\"}"

    static let rekey =
        "{\"encryptedCoupleKey\":\"\(golden.text("rekey.keybox"))\",\"senderId\":\"alice\",\"recipientId\":\"bob\","
        + "\"epoch\":1}"

    /// With members that a newer app may have, before and behind ours.
    private static func extended(_ text: some StringProtocol) -> String {
        "{\"a\":[{\"b\":null}],\(text.dropFirst().dropLast()),\"\":1}"
    }

    /// What a document prints after it was parsed.
    static func reprinted(_ noun: String, _ text: String) throws -> String {
        try reprinted(noun, Array(text.utf8))
    }

    static func reprinted(_ noun: String, _ bytes: [UInt8]) throws(DocumentError) -> String {
        let printed =
            switch noun {
            case "couple": try CoupleDocument(parsing: bytes).bytes
            case "answer": try AnswerDocument(parsing: bytes).bytes
            case "release-key": try ReleaseKeyDocument(parsing: bytes).bytes
            case "rekey": try RekeyDocument(parsing: bytes).bytes
            case "device": try DeviceDocument(parsing: bytes).bytes
            default: try inviteBytes(bytes)
            }
        return String(decoding: printed, as: UTF8.self)
    }

    private static func inviteBytes(_ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
        let document = try InviteDocument(parsing: SecretBytes(testOnly: bytes))
        return document.bytes.testOnlyBytes()
    }

    @Test(
        "each is printed as it was parsed, and without the members that we do not know",
        arguments: [
            ("couple", couple), ("couple", "{\"encryptionVersion\":0}"), ("invite", invite),
            ("invite", invite.replacing("\"code\":\"7KQ2MX\",", with: "")), ("answer", answer),
            ("answer", message), ("answer", answer.replacing("false", with: "true")),
            ("release-key", releaseKey), ("device", device), ("rekey", rekey),
            ("rekey", rekey.replacing(":1}", with: ":4294967295}")),
        ])
    func identity(_ noun: String, _ text: String) throws {
        #expect(try Self.reprinted(noun, text) == text)
        #expect(try Self.reprinted(noun, Self.extended(text)) == text)
    }

    @Test("what they hold is golden")
    func content() throws {
        let answer = try AnswerDocument(parsing: Self.answer.utf8)
        #expect((answer.userID.text, answer.questionID.text) == ("alice", "q_42"))
        #expect(answer.commitment.description == golden.text("sealedAnswer.commitmentHash"))
        #expect(answer.isRevealed == false && !answer.isKeyReleased)
        #expect(try AnswerDocument(parsing: Self.message.utf8).isRevealed == nil)
        let release = try ReleaseKeyDocument(parsing: Self.releaseKey.utf8)
        #expect((release.senderID.text, release.recipientID.text) == ("alice", "bob"))
        let phrase = try RecoveryPhrase(
            typed: SecretBytes(testOnly: Array(golden.text("wrap.phrase").utf8)))
        let wrap = try #require(try CoupleDocument(parsing: Self.couple.utf8).wrap)
        let opened = try wrap.unwrap(with: phrase)
        let keyset = InsecureCleartextKeyset.binary(opened.keyset).testOnlyBytes()
        #expect(keyset == golden.hex("coupleKeyset.binaryHex"))
    }

    @Test("every broken rule is named, in the order of the members")
    func broken() {
        #expect(
            throws: DocumentError.broken([
                BrokenRule("userId", .identifier), BrokenRule("questionId", .string),
                BrokenRule("schemaVersion", .schemaVersion), BrokenRule("encryptedPayload", .sealed),
                BrokenRule("commitmentHash", .commitment), BrokenRule("answerKeyReleased", .boolean),
                BrokenRule("isRevealed", .boolean),
            ])
        ) {
            try AnswerDocument(
                parsing: """
                    {"userId":"a|b","questionId":1,"schemaVersion":4,"encryptedPayload":"enc:v1:AAAA",\
                    "commitmentHash":"sha256:","answerKeyReleased":"no","isRevealed":0}
                    """.utf8)
        }
        #expect(throws: DocumentError.broken([BrokenRule("recipientId", .otherPerson)])) {
            try ReleaseKeyDocument(parsing: Self.releaseKey.replacing("bob", with: "alice").utf8)
        }
        for platform in ["", String(repeating: "x", count: 129)] {
            #expect(throws: DocumentError.broken([BrokenRule("platform", .platform)])) {
                try DeviceDocument(
                    PublicKeyToken(parsing: golden.text("userKey.publicToken").utf8), platform: platform)
            }
        }
    }

    @Test("an epoch of a rekey", arguments: ["0", "4294967296", "1.5", "-1", "\"1\"", "1e10", "{}"])
    func epoch(_ epoch: String) {
        #expect(throws: DocumentError.broken([BrokenRule("epoch", .epoch)])) {
            try RekeyDocument(parsing: Self.rekey.replacing(":1}", with: ":\(epoch)}").utf8)
        }
    }

    @Test("a version is never lowered, by what is declared nor by what is left out")
    func lowered() throws {
        let strict = try CoupleDocument(parsing: Self.couple.utf8)
        #expect(strict.version == .strict)
        let implied = Self.couple.replacing("\"encryptionVersion\":2,", with: "")
        #expect(try CoupleDocument(parsing: implied.utf8).version == .strict)
        for text in ["{}", "{\"encryptionVersion\":0}", Self.couple.replacing(":2,", with: ":1,")] {
            let document = try CoupleDocument(parsing: text.utf8)
            let lowered = [BrokenRule("encryptionVersion", .notLowered)]
            #expect(try DocumentKind.couple.brokenRules(in: text.utf8, after: strict) == lowered)
            #expect(try DocumentKind.couple.brokenRules(in: Self.couple.utf8, after: document).isEmpty)
        }
        #expect(throws: DocumentError.broken([BrokenRule("encryptionVersion", .versionForWrap)])) {
            try CoupleDocument(parsing: Self.couple.replacing(":2,", with: ":0,").utf8)
        }
    }

    @Test(
        "what is not one strict JSON object",
        arguments: ["", "[]", "{}{}", "{\"a\":1,\"\\u0061\":2}", "{\"a\":\"\\udc00\"}", "{\"a\":1e400}"])
    func notAnObject(_ text: String) {
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try CoupleDocument(parsing: text.utf8)
        }
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try AnswerDocument(parsing: text.utf8)
        }
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try ReleaseKeyDocument(parsing: text.utf8)
        }
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try DeviceDocument(parsing: text.utf8)
        }
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try RekeyDocument(parsing: text.utf8)
        }
        #expect(throws: DocumentError.notAnObject(jsonFault(text.utf8))) {
            try Self.inviteBytes(Array(text.utf8))
        }
    }

    @Test("rules have ids and say what they demand, each its own")
    func rules() {
        #expect(BrokenRule("kdfSalt", .wholeWrap).id == "kdfSalt.wholeWrap")
        #expect(Set(DocumentRule.allCases.map(\.requirement)).count == DocumentRule.allCases.count)
    }
}
