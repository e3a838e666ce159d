import CloserKeys
import CloserVault
import Foundation
import Testing

/// The partner with an Android phone. Invite, phrase and field were made with Tink, and are the golden values of this repository; what
/// has to fit a fresh key is made with this library, as today's apps write it.
struct AndroidPartner {
    let invite: Data
    let code: String
    let document: Data
    let phrase: String
    let field: String
    let coupleKeyset: Data
    let couple: OurCouple

    init(in folder: TemporaryFolder) throws {
        let golden = try Golden()
        let wrap = try golden.object("wrap", "document")
        code = try golden.text("phraseUnderCode", "code")
        phrase = try golden.text("wrap", "phrase")
        field = try golden.text("field", "token")
        coupleKeyset = try golden.hex("coupleKeyset", "binaryHex")
        document = try JSONSerialization.data(
            withJSONObject: wrap.merging(["encryptionVersion": 2], uniquingKeysWith: { $1 }))
        let sealedPhrase = try golden.text("phraseUnderCode", "blob")
        invite = try JSONSerialization.data(
            withJSONObject: wrap.merging(["recoveryPhrase": sealedPhrase], uniquingKeysWith: { $1 }))
        couple = try OurCouple("couple_1", with: "bob", in: Phone("alice", in: folder).vault)
        try couple.recover(document: document, phrase: phrase)
    }

    func answer(_ json: String, to question: QuestionID, at place: AnswerPlace) throws -> Data {
        let sealed = try couple.vault.seal(
            answer: Data(json.utf8), to: question, at: place, of: couple.id, profile: .compat)
        return Data(try sealed.document.bytes)
    }
}

/// The values in vectors/golden.json.
private struct Golden {
    private let root: [String: Any]

    init() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = tests.appendingPathComponent("../../../../vectors/golden.json")
        root = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    func object(_ group: String, _ name: String) throws -> [String: Any] {
        try #require((root[group] as? [String: Any])?[name] as? [String: Any])
    }

    func text(_ group: String, _ name: String) throws -> String {
        try #require((root[group] as? [String: Any])?[name] as? String)
    }

    func hex(_ group: String, _ name: String) throws -> Data {
        let digits = Array(try text(group, name).utf8)
        return Data(
            try stride(from: 0, to: digits.count, by: 2).map { start in
                try #require(UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16))
            })
    }
}
