import TestSupport
import Testing

@testable import CloserKeys

@Suite("Documents held against their rules, and told apart: closer-keys-check(1)")
struct DocumentKindTests {
    private static let pairing: [DocumentKind: [UInt8]] = {
        let golden = GoldenPairing.named("couple of today")
        return [
            .pairOffer: golden.document("offer"), .pairReply: golden.document("reply"),
            .pairGrant: golden.document("grant"),
        ]
    }()

    @Test("a golden one breaks no rule, and is of its own kind", arguments: DocumentKind.allCases)
    func golden(_ kind: DocumentKind) throws {
        for (own, document) in Self.pairing {
            if own == kind {
                #expect(try kind.brokenRules(in: document).isEmpty)
            } else {
                #expect(throws: DocumentCheckError.otherKind(own)) { try kind.brokenRules(in: document) }
            }
        }
    }

    @Test(
        "a kind is known by the names of its members",
        arguments: [
            (["recoveryPhrase"], .invite), (["code", "wrappedCoupleKey"], .invite), (["code"], nil),
            (["wrappedCoupleKey"], .couple), (["kdfSalt"], .couple), (["kdfParams"], .couple),
            (["encryptionVersion"], .couple), (["encryptedAnswerKey"], .releaseKey),
            (["encryptedCoupleKey"], .rekey), (["encryptedPayload"], .answer), (["commitmentHash"], .answer),
            (["publicKey", "platform"], .device), (["publicKey"], nil), (["platform"], nil),
            (["offer", "lookup"], .pairOffer), (["reply", "lookup"], .pairReply),
            (["grant", "lookup"], .pairGrant), (["lookup"], nil), ([], nil),
            (["answers"], .gameSlot), (["encrypted_content", "iv"], .fitLinkMessage), (["iv"], nil),
            (["encrypted_content"], .chatMessage), (["encrypted_content", "sender_id"], .chatMessage),
            (["index", "mac"], .chatKey), (["mac"], nil),
            (["public_key"], .fitLinkUser), (["encryptedStatus"], .fondUser),
            (["encryptedLocation"], .fondUser), (["encryptedHeartbeat"], .fondUser),
            (["userId", "questionId"], .legacyAnswer),
            (["userId", "questionId", "answerKeyReleased"], .answer),
        ] as [([String], DocumentKind?)])
    func marks(_ names: [String], _ kind: DocumentKind?) throws {
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let bytes = Array(text.utf8)
        #expect(try DocumentReader(bytes.span).kind() == kind)
    }

    @Test("what breaks rules is told with them, and what is no object, no UTF-8, or more than 1 MiB, is not")
    func broken() throws {
        let device = Array("{\"publicKey\":1,\"platform\":2}".utf8)
        #expect(try DocumentKind.device.brokenRules(in: device).count == 2)
        let cut = Array("{\"publicKey\":\"".utf8) + [0xFF] + Array("\",\"platform\":\"ios\"}".utf8)
        #expect(throws: DocumentCheckError.notAnObject(jsonFault(cut))) {
            try DocumentKind.device.brokenRules(in: cut)
        }
        let blank = [UInt8](repeating: 0x20, count: 1 << 20)
        #expect(throws: DocumentCheckError.notAnObject(jsonFault(blank))) {
            try DocumentKind.device.brokenRules(in: blank)
        }
        #expect(throws: DocumentCheckError.tooLarge) {
            try DocumentKind.device.brokenRules(in: blank + [0x20])
        }
    }

    @Test(
        "what is passed over is strict JSON, too",
        arguments: [
            #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "9007199254740992", "1e999", "01", #""\ud800""#,
            "\"\t\"", "[1,]", "nul", String(repeating: "[", count: 16) + String(repeating: "]", count: 16),
        ])
    func passedOver(_ value: String) throws {
        func document(_ value: [UInt8]) -> [UInt8] {
            Array(#"{"encryptionVersion":0,"other":["#.utf8) + value + Array("]}".utf8)
        }
        let atTheTop = Array(#"{"encryptionVersion":0,"other":"#.utf8) + [0x22, 0xC3, 0x28, 0x22, 0x7D]
        for text in [document(Array(value.utf8)), document([0x22, 0xC3, 0x28, 0x22]), atTheTop] {
            #expect(throws: DocumentCheckError.notAnObject(jsonFault(text))) {
                try DocumentKind.couple.brokenRules(in: text)
            }
        }
        let right = document(Array(#"{"a":[[],{},0,"é\n"]}"#.utf8))
        #expect(try DocumentKind.couple.brokenRules(in: right).isEmpty)
    }

    @Test("nobody rekeys a couple with themselves")
    func samePerson() throws {
        let text =
            "{\"encryptedCoupleKey\":\"\(TestData.golden.text("rekey.keybox"))\",\"senderId\":\"bob\","
            + "\"recipientId\":\"bob\",\"epoch\":1}"
        #expect(try DocumentKind.rekey.brokenRules(in: text.utf8).map(\.rule) == [.otherPerson])
    }

    @Test("an invite with another code than six letters and digits is none")
    func code() throws {
        let wrap = "wrap.document"
        let params = TestData.golden.text("\(wrap).kdfParams").replacing("\"", with: "\\\"")
        let text = { (code: String) in
            "{\"code\":\"\(code)\",\"kdfParams\":\"\(params)\","
                + "\"kdfSalt\":\"\(TestData.golden.text("\(wrap).kdfSalt"))\","
                + "\"wrappedCoupleKey\":\"\(TestData.golden.text("\(wrap).wrappedCoupleKey"))\","
                + "\"recoveryPhrase\":\"\(TestData.golden.text("phraseUnderCode.blob"))\"}"
        }
        #expect(try DocumentKind.invite.brokenRules(in: text("7KQ2MX").utf8).isEmpty)
        #expect(try DocumentKind.invite.brokenRules(in: text("7KQ2M").utf8).map(\.rule) == [.code])
    }

    @Test("a couple's document may not have a lower version than the one before")
    func lowered() throws {
        let before = try CoupleDocument(parsing: "{\"encryptionVersion\":0}".utf8)
        let after = Array("{}".utf8)
        #expect(try DocumentKind.couple.brokenRules(in: after, after: before).isEmpty)
        let strict = CoupleDocument(
            KeyWrap(
                wrappedCoupleKey: TestData.golden.text("wrap.document.wrappedCoupleKey"),
                kdfSalt: TestData.golden.text("wrap.document.kdfSalt"),
                kdfParams: TestData.golden.text("wrap.document.kdfParams")))
        let rules = try DocumentKind.couple.brokenRules(in: after, after: strict)
        #expect(rules.map(\.rule) == [.notLowered] && rules.allSatisfy(\.lowersTheVersion))
        #expect(BrokenRule("encryptionVersion", .versionForWrap).lowersTheVersion)
        #expect(!BrokenRule("encryptionVersion", .present).lowersTheVersion)
    }
}
