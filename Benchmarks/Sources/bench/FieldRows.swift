import CloserKeys
import CloserPrimitives
import CloserTink
import Crypto
import Foundation

/// A whole `enc:v1:` token, from plaintext to text and back: ours, and CryptoKit's API with Foundation.
enum FieldRows {
    static func all(_ message: Message = .field, second: PeerProgram?) throws -> [Row] {
        let ours = try OurField(message)
        let foundation = try FoundationField(message)
        return [
            try Row(
                "field token, seal 64 bytes", OurField.Seal(peer: ours), .time(2.5),
                against: second.lane(.fieldSeal) + [(FoundationField.Seal(peer: foundation), nil)]),
            try Row(
                "field token, open 64 bytes", OurField.Open(peer: ours), .time(2),
                against: second.lane(.fieldOpen) + [(FoundationField.Open(peer: foundation), nil)]),
            try Row(
                "a Keychain item to a field's plaintext", OurExtension(peer: ours), .time(20),
                against: [(OurField.Open(peer: ours), nil)]),
        ]
    }
}

struct OurField {
    let key: CoupleKey
    let couple: CoupleID
    let plaintext: [UInt8]
    let text: [UInt8]

    init(_ message: Message) throws {
        key = try CoupleKey(Keyset(.aes256GCM))
        couple = try CoupleID(parsing: String(decoding: message.associatedData, as: UTF8.self))
        plaintext = message.plaintext
        text = try key.seal(field: plaintext, couple: couple).text
    }

    struct Seal: Contestant {
        let name = "closer-keys"
        let peer: OurField

        func run(_ times: Int) throws {
            let (key, couple, plaintext) = (peer.key, peer.couple, peer.plaintext)
            for _ in 0..<times { keep(try key.seal(field: plaintext, couple: couple).text) }
        }
    }

    struct Open: Contestant {
        let name = "closer-keys"
        let peer: OurField

        func run(_ times: Int) throws {
            let (key, couple, text) = (peer.key, peer.couple, peer.text)
            for _ in 0..<times { keep(try key.open(FieldToken(parsing: text), couple: couple)) }
        }
    }
}

/// What an extension does for one notification: it reads its keys from bytes, and opens a field.
private struct OurExtension: Contestant {
    let name = "closer-keys"
    private let item: [UInt8]
    private let text: [UInt8]

    init(peer: OurField) {
        let keys = OpeningKeys(FieldKey(peer.key, of: peer.couple, origins: nil), epoch: 1)
        (item, text) = (InsecureCopy.bytes(keys.bytes), peer.text)
    }

    func run(_ times: Int) throws {
        for _ in 0..<times {
            let keys = try OpeningKeys(parsing: SecretBytes(copying: item))
            keep(try keys.open(FieldToken(parsing: text)))
        }
    }
}

/// The same without Tink's prefix: a box, its base64, and the token's name before it.
private struct FoundationField {
    static let name = "swift-crypto, Foundation"

    let key = SymmetricKey(size: .bits256)
    let message: Message
    let text: String

    init(_ message: Message) throws {
        self.message = message
        text = try Self.seal(message, key)
    }

    static func seal(_ message: Message, _ key: SymmetricKey) throws -> String {
        let box = try AES.GCM.seal(message.plaintext, using: key, authenticating: message.associatedData)
        guard let combined = box.combined else { throw PeerFailure(description: "swift-crypto gave no box") }
        return "enc:v1:" + combined.base64EncodedString()
    }

    func open() throws -> Data {
        guard let combined = Data(base64Encoded: String(text.dropFirst(7))) else {
            throw PeerFailure(description: "Foundation did not decode its own base64")
        }
        return try AES.GCM.open(.init(combined: combined), using: key, authenticating: message.associatedData)
    }

    struct Seal: Contestant {
        let name = FoundationField.name
        let peer: FoundationField

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try FoundationField.seal(peer.message, peer.key)) }
        }
    }

    struct Open: Contestant {
        let name = FoundationField.name
        let peer: FoundationField

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try peer.open()) }
        }
    }
}
