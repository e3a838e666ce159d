import CloserKeys
import CloserTink
import CloserVault
import Foundation
import Testing

/// What an app keeps of a couple in a model of its own.
private struct Profile: Codable, Equatable {
    var couple: CoupleID
    var partner: UserID
    var partnerKey: PublicKeyToken
    var secretNote: FieldToken
    var placedNote: FieldToken
    var lastPlace: AnswerPlace?
    var chatKey: X25519PublicKey
}

@Suite("Names, tokens and documents in an app's own Codable values")
struct CodingTests {
    @Test("a model of ours goes to JSON and back, in the exact texts") func model() throws {
        let couple = try CoupleID(parsing: "couple_1")
        let key = try CoupleKey(Keyset(.aes256GCM))
        let profile = Profile(
            couple: couple, partner: try UserID(parsing: "bob"),
            partnerKey: try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters()))),
            secretNote: try key.seal(field: Data("hi".utf8), couple: couple),
            placedNote: try key.seal(
                field: Data("hi".utf8), couple: couple, place: FieldPlace(parsing: "users/alice/note")),
            lastPlace: try AnswerPlace(parsing: "daily:2026-11-20"),
            chatKey: X25519PrivateKey().publicKey)
        let json = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(Profile.self, from: json) == profile)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: String])
        #expect(object["couple"] == "couple_1" && object["secretNote"] == profile.secretNote.description)
        #expect(object["chatKey"] == profile.chatKey.description)
    }

    @Test("documents are their exact texts") func documents() throws {
        let samples = try Samples().documents
        try expectSame(CoupleDocument.self, samples[.couple], \.bytes)
        try expectSame(AnswerDocument.self, samples[.answer], \.bytes)
        try expectSame(ReleaseKeyDocument.self, samples[.releaseKey], \.bytes)
        try expectSame(RekeyDocument.self, samples[.rekey], \.bytes)
        try expectSame(DeviceDocument.self, samples[.device], \.bytes)
        try expectSame(PairOffer.self, samples[.pairOffer], \.bytes)
        try expectSame(PairReply.self, samples[.pairReply], \.bytes)
        try expectSame(PairGrant.self, samples[.pairGrant], \.bytes)
    }

    private func expectSame<Document: Codable>(
        _ type: Document.Type, _ bytes: Data?, _ written: (Document) -> [UInt8]
    ) throws {
        let text = String(decoding: try #require(bytes), as: UTF8.self)
        let json = try JSONEncoder().encode([text])
        let document = try #require(try JSONDecoder().decode([Document].self, from: json).first)
        #expect(String(decoding: written(document), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode([String].self, from: JSONEncoder().encode([document])) == [text])
    }

    @Test(
        "what the parser refuses does not come in, and the error behind it is the parser's",
        arguments: ["", "a|b", "a b", String(repeating: "a", count: 129), "ä"])
    func badNames(_ text: String) throws {
        let json = try JSONEncoder().encode([text])
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CoupleID].self, from: json)
        }
        #expect(underlying(error) is Identifier.FormatError)
    }

    @Test("no token, key, place or document gets round its parser") func badTexts() throws {
        refuses("enc:v2:AAA") { (text) throws(TokenError) in try FieldToken(parsing: text) }
        refuses(FieldToken.self, "enc:v3:AAAA", TokenError.unsupportedVersion)
        refuses(SealedToken.self, "enc:v1:AAAA", TokenError.notAToken)
        refuses("keybox:v1:AAAA") { (text) throws(TokenError) in try KeyboxToken(parsing: text) }
        refuses(PublicKeyToken.self, "pub:v1:AAAA", PublicKeyToken.FormatError.keyset(.malformed))
        refuses(
            X25519PublicKey.self, Data(count: 32).base64EncodedString(), X25519KeyError.lowOrderPublicKey)
        refuses(#"{"encryptionVersion":2,"encryptionVersion":2}"#) { (text) throws(DocumentError) in
            try CoupleDocument(parsing: text.utf8)
        }
        refuses(
            DeviceDocument.self, #"{"platform":"ios"}"#,
            DocumentError.broken([BrokenRule("publicKey", .present)]))
        let day = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([AnswerPlace].self, from: Data(#"["daily:2026-02-30"]"#.utf8))
        }
        #expect(underlying(day) is AnswerPlace.FormatError)
        for json in ["[1]", "[null]", #"[{"text":"couple_1"}]"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([CoupleID].self, from: Data(json.utf8))
            }
        }
    }

    private func refuses<Value: Decodable, Failure: Error & Equatable>(
        _ type: Value.Type, _ text: String, _ expected: Failure
    ) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Value].self, from: JSONEncoder().encode([text]))
        }
        #expect(underlying(error) as? Failure == expected)
    }

    /// As the parser refuses it.
    private func refuses<Value: Decodable, Failure: Error & Equatable>(
        _ text: String, _ parse: (String) throws(Failure) -> Value
    ) {
        do {
            _ = try parse(text)
            Issue.record("\(text) was parsed")
        } catch { refuses(Value.self, text, error) }
    }

    private func underlying(_ error: DecodingError?) -> (any Error)? {
        guard case .dataCorrupted(let context)? = error else { return nil }
        return context.underlyingError
    }
}
