import CloserKeys
import CloserPrimitives
import Crypto
import Foundation
import Testing

/// The apps' side of a chat, in CryptoKit's API: what FitLink's and Fond's own code does.
private struct AppSide {
    let privateKey = Curve25519.KeyAgreement.PrivateKey()

    func fitLinkKey(_ theirs: X25519PublicKey, _ chat: String) throws -> SymmetricKey {
        try key(theirs, salt: Data(chat.utf8), info: Data("FitLinkChat".utf8))
    }

    func key(_ theirs: X25519PublicKey, salt: Data, info: Data) throws -> SymmetricKey {
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirs.bytes)
        return try privateKey.sharedSecretFromKeyAgreement(with: theirs)
            .hkdfDerivedSymmetricKey(using: SHA256.self, salt: salt, sharedInfo: info, outputByteCount: 32)
    }

    var publicKey: X25519PublicKey {
        get throws {
            try X25519PublicKey(parsing: privateKey.publicKey.rawRepresentation.base64EncodedString())
        }
    }
}

@Suite("Chat against CryptoKit's API")
struct ChatByCryptoKitTests {
    private static let caseCount = 250

    // proves: Chat messages have the bytes of CryptoKit's apps
    @Test("what FitLink's app seals we open, and the reverse, and neither opens what was changed")
    func fitLink() throws {
        var count = 0
        for _ in 0..<Self.caseCount {
            let (app, ours) = (AppSide(), X25519PrivateKey())
            let chat = try ChatID(randomUser(), randomUser())
            let theirKey = try app.fitLinkKey(ours.publicKey, chat.description)
            let ourKey = try ChatKey(fitLink: chat, ours: ours, theirs: app.publicKey)
            let plaintext = randomPlaintext()

            let box = try AES.GCM.seal(plaintext, using: theirKey)
            let document = try JSONSerialization.data(withJSONObject: [
                "encrypted_content": (box.ciphertext + box.tag).base64EncodedString(),
                "iv": Data(box.nonce).base64EncodedString(),
            ])
            #expect(try ourKey.open(FitLinkMessage(parsing: document)) == Array(plaintext))

            let message = try ourKey.seal(message: plaintext)
            #expect(try open(message, with: theirKey) == plaintext)
            let changed = try FitLinkMessage(
                encryptedContent: Data(flipped(message.encryptedContent)).base64EncodedString(),
                iv: Data(message.iv).base64EncodedString())
            #expect(throws: CryptoKitError.self) { try open(changed, with: theirKey) }
            #expect(throws: ChatOpenError.authenticationFailed) { try ourKey.open(changed) }
            count += 1
        }
        #expect(count == Self.caseCount)
    }

    // proves: Chat messages have the bytes of CryptoKit's apps
    @Test("what Fond's app seals we open, and the reverse, and neither opens what was changed")
    func fond() throws {
        var count = 0
        for index in 0..<Self.caseCount {
            let (app, ours) = (AppSide(), X25519PrivateKey())
            let (salt, info) =
                index % 3 == 0 ? (Data(), Data("Fond".utf8)) : (randomPlaintext(), randomPlaintext())
            let theirKey = try app.key(ours.publicKey, salt: salt, info: info)
            let ourKey =
                try index % 3 == 0
                ? ChatKey(fond: ours, theirs: app.publicKey)
                : ChatKey(fond: ours, theirs: app.publicKey, salt: salt, info: info)
            let plaintext = randomPlaintext()

            let combined = try #require(try AES.GCM.seal(plaintext, using: theirKey).combined)
            #expect(try ourKey.open(FondField(parsing: combined.base64EncodedString())) == Array(plaintext))

            let field = try ourKey.seal(field: plaintext)
            #expect(try AES.GCM.open(.init(combined: field.combined), using: theirKey) == plaintext)
            let changed = Data(flipped(field.combined))
            #expect(throws: CryptoKitError.self) {
                try AES.GCM.open(.init(combined: changed), using: theirKey)
            }
            #expect(throws: ChatOpenError.authenticationFailed) {
                try ourKey.open(FondField(parsing: changed.base64EncodedString()))
            }
            count += 1
        }
        #expect(count == Self.caseCount)
    }

    @Test("private keys have one public key on both sides, and what they agree on is the same")
    func keys() throws {
        for _ in 0..<Self.caseCount {
            let (app, ours) = (AppSide(), X25519PrivateKey())
            let taken = try X25519PrivateKey(
                parsing: Array(app.privateKey.rawRepresentation.base64EncodedData()).span)
            #expect(taken.publicKey.bytes == Array(app.privateKey.publicKey.rawRepresentation))
            let (salt, info) = (randomPlaintext(), randomPlaintext())
            let key = try app.key(ours.publicKey, salt: salt, info: info)
            let theirs = unsafe key.withUnsafeBytes { unsafe Array($0) }
            let agreed = try ours.agree(with: app.publicKey, salt: salt, info: info)
            #expect(agreed.withBytes { bytes in bytes.indices.map { bytes[$0] } } == theirs)
        }
    }

    private func open(_ message: FitLinkMessage, with key: SymmetricKey) throws -> Data {
        try AES.GCM.open(
            .init(
                nonce: .init(data: message.iv), ciphertext: message.encryptedContent.dropLast(16),
                tag: message.encryptedContent.suffix(16)), using: key)
    }

    private func randomUser() throws -> UserID {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:@+")
        return try UserID(
            parsing: String((0..<Int.random(in: 1...40)).map { _ in letters.randomElement() ?? "a" }))
    }

    private func randomPlaintext() -> Data { Data(Randomness.system.bytes(Int.random(in: 0...300))) }

    private func flipped(_ bytes: [UInt8]) -> [UInt8] {
        let bit = Int.random(in: 0..<bytes.count * 8)
        var copy = bytes
        copy[bit / 8] ^= 1 << UInt8(bit % 8)
        return copy
    }
}
