import CloserKeys
import Crypto
import Foundation

/// A chat message of 64 bytes from its text to its plaintext: ours, and what the apps do with CryptoKit and Foundation.
enum ChatRows {
    static func all(_ message: Message = .field, second: PeerProgram?) throws -> [Row] {
        let pair = try ChatPair()
        let (ours, theirs) = (try OurChat(message, pair), AppChat(key: try pair.appKey))
        try theirs.check(ours, message)
        return [
            try Row(
                "FitLink message, open 64 bytes", OurChat.FitLink(peer: ours), .time(1000),
                against: second.lane(.chatOpen) + [
                    (AppChat.FitLink(peer: theirs, document: Data(ours.document)), nil)
                ]),
            try Row(
                "Fond field, open 64 bytes", OurChat.Fond(peer: ours), .time(1000),
                against: [(AppChat.Fond(peer: theirs, text: ours.text), nil)]),
            try Row(
                "bound message, open 64 bytes", BoundChat(message), .time(1000),
                against: [(OurChat.FitLink(peer: ours, name: "FitLink message"), nil)]),
        ]
    }
}

/// We and an app that uses CryptoKit.
struct ChatPair {
    static let (chat, info) = ("user-Ana93_user-Ben27", "FitLinkChat")

    let ours = X25519PrivateKey()
    let app = Curve25519.KeyAgreement.PrivateKey()
    let theirs: X25519PublicKey

    init() throws { theirs = try X25519PublicKey(Array(app.publicKey.rawRepresentation)) }

    var appKey: SymmetricKey { get throws { try Self.agree(app, ours.publicKey.bytes) } }

    static func agree(_ key: Curve25519.KeyAgreement.PrivateKey, _ theirs: [UInt8]) throws -> SymmetricKey {
        try key.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: theirs))
            .hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: Data(chat.utf8), sharedInfo: Data(info.utf8), outputByteCount: 32)
    }
}

struct OurChat {
    let key: ChatKey
    let document: [UInt8]
    let text: [UInt8]

    init(_ message: Message, _ pair: ChatPair) throws {
        key = try ChatKey(fitLink: ChatID(parsing: ChatPair.chat), ours: pair.ours, theirs: pair.theirs)
        document = try key.seal(message: message.plaintext).bytes
        text = try key.seal(field: message.plaintext).text
    }

    struct FitLink: Contestant {
        let peer: OurChat
        var name = "closer-keys"

        func run(_ times: Int) throws {
            let (key, document) = (peer.key, peer.document)
            for _ in 0..<times { keep(try key.open(FitLinkMessage(parsing: document))) }
        }
    }

    struct Fond: Contestant {
        let name = "closer-keys"
        let peer: OurChat

        func run(_ times: Int) throws {
            let (key, text) = (peer.key, peer.text)
            for _ in 0..<times { keep(try key.open(FondField(parsing: text))) }
        }
    }
}

/// A message with its author, recipient, chat, number and id, under a key that is known.
private struct BoundChat: Contestant {
    let name = "closer-keys"
    private let channel: ChatChannel
    private let token: [UInt8]
    private let id: MessageID

    init(_ message: Message) throws {
        let (alice, bob) = (try UserID(parsing: "user-Ana93"), try UserID(parsing: "user-Ben27"))
        let keys = (0..<4).map { _ in X25519PrivateKey() }
        func channel(_ role: ChatChannel.Role, _ ours: Int, _ theirs: Int) throws -> ChatChannel {
            try ChatChannel(
                chat: ChatID(alice, bob), from: alice, to: bob, as: role, ours: keys[ours],
                ChatChannel.Key(keys[ours + 2], index: UInt32(ours) + 1), theirs: keys[theirs].publicKey,
                ChatChannel.Key(keys[theirs + 2].publicKey, index: UInt32(theirs) + 1))
        }
        id = try MessageID(parsing: "m1")
        let text = String(decoding: message.plaintext, as: UTF8.self)
        let sealed = try ChatMessage(.text, number: 1, sentAt: 1_764_396_000_000, body: text)
        token = try channel(.sender, 0, 1).seal(sealed, id: id).text
        self.channel = try channel(.recipient, 1, 0)
    }

    func run(_ times: Int) throws {
        for _ in 0..<times { keep(try channel.open(ChatToken(parsing: token), id: id)) }
    }
}

private struct AppChat {
    static let name = "swift-crypto, Foundation"

    struct Document: Decodable {
        let content: Data
        let iv: Data

        enum CodingKeys: String, CodingKey {
            case content = "encrypted_content"
            case iv
        }
    }

    let key: SymmetricKey

    func open(document: Data) throws -> Data {
        let message = try JSONDecoder().decode(Document.self, from: document)
        let box = try AES.GCM.SealedBox(
            nonce: .init(data: message.iv), ciphertext: message.content.dropLast(16),
            tag: message.content.suffix(16))
        return try AES.GCM.open(box, using: key)
    }

    func open(text: [UInt8]) throws -> Data {
        guard let combined = Data(base64Encoded: Data(text)) else {
            throw PeerFailure(description: "Foundation did not decode base64")
        }
        return try AES.GCM.open(.init(combined: combined), using: key)
    }

    /// That it really does the same work.
    func check(_ ours: OurChat, _ message: Message) throws {
        let opened = [try open(document: Data(ours.document)), try open(text: ours.text)]
        guard opened.allSatisfy({ Array($0) == message.plaintext }) else {
            throw PeerFailure(description: "swift-crypto opened something else")
        }
    }

    struct FitLink: Contestant {
        let name = AppChat.name
        let peer: AppChat
        let document: Data

        func run(_ times: Int) throws { for _ in 0..<times { keep(try peer.open(document: document)) } }
    }

    struct Fond: Contestant {
        let name = AppChat.name
        let peer: AppChat
        let text: [UInt8]

        func run(_ times: Int) throws { for _ in 0..<times { keep(try peer.open(text: text)) } }
    }
}
