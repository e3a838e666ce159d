import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

private let golden = TestData.golden

@Suite("A rekey: closer-keys-formats(7), REKEYING")
struct RekeyTests {
    private let route: RekeyRoute
    private let epoch: UInt32
    /// The recipient's keyset.
    private let identity: Keyset
    private let sender: PublicKeyToken
    private let box: KeyboxToken

    init() throws {
        route = try RekeyRoute(
            couple: CoupleID(parsing: golden.text("ids.coupleId")),
            from: UserID(parsing: golden.text("rekey.sender")),
            to: UserID(parsing: golden.text("rekey.recipient")))
        epoch = UInt32(golden.at("rekey.epoch").number ?? 0)
        identity = try Self.keyset("userKey.privateKeysetHex")
        let point = try ECIESPublicKey(uncompressedPoint: golden.hex("rekey.senderPointHex"))
        sender = try PublicKeyToken(primaryOf: Keyset(importing: .eciesPublic(point)))
        box = try KeyboxToken(parsing: golden.text("rekey.keybox"))
    }

    private static func keyset(_ path: String) throws -> Keyset {
        try InsecureCleartextKeyset.read(binary: SecretBytes(testOnly: golden.hex(path)), .strict)
    }

    private func rekey() throws -> Rekey {
        let phrase = SecretBytes(testOnly: Array(golden.text("rekey.phrase").utf8))
        let hold = CoupleHold(epoch: epoch, key: try CoupleKey(Self.keyset("rekey.keysetHex")))
        return Rekey(CoupleGrant(hold, phrase: try RecoveryPhrase(typed: phrase)))
    }

    @Test("the golden rekey opens, with its keys and its phrase")
    func opens() throws {
        let opened = try Rekey(opening: box, epoch: epoch, on: route, with: identity, from: sender)
        let keyset = InsecureCleartextKeyset.binary(opened.grant.hold.key.keyset)
        #expect(keyset.testOnlyBytes() == golden.hex("rekey.keysetHex"))
        #expect(opened.grant.phrase.text.testOnlyBytes() == Array(golden.text("rekey.phrase").utf8))
        #expect(opened.grant.hold.epoch == epoch)
    }

    @Test("context, authentication key, body and MAC are the golden ones")
    func parts() throws {
        #expect(KeyContext.rekey(route, epoch: epoch).text == golden.text("rekey.context"))
        guard case .eciesPrivate(let recipient)? = identity.primary.material,
            case .eciesPublic(let theirs)? = sender.keyset.primary.material
        else { throw KeysetError.malformed }
        let key = route.authenticationKey(
            recipient, theirs, senderPoint: theirs.uncompressedPoint,
            recipientPoint: recipient.publicKey.uncompressedPoint)
        #expect(key.testOnlyBytes() == golden.hex("rekey.authKeyHex"))
        let body = try rekey().body()
        #expect(body.testOnlyBytes() == golden.hex("rekey.bodyHex"))
        #expect(body.withBytes { HMACSHA256.tag(of: $0, key: key) } == golden.hex("rekey.macHex"))
    }

    @Test("what the sender seals, the recipient opens: the sender derives the same key from its own half")
    func sealed() throws {
        let scalar = try P256.PrivateKey(adopting: SecretBytes(testOnly: golden.hex("rekey.senderScalarHex")))
        let ours = Keyset(importing: .eciesPrivate(ECIESPrivateKey(scalar)))
        let token = try rekey().sealed(on: route, with: ours, to: PublicKeyToken(primaryOf: identity))
        _ = try Rekey(opening: token, epoch: epoch, on: route, with: identity, from: sender)
    }

    @Test("another epoch, couple, sender, recipient or direction does not open")
    func otherContext() throws {
        let other = try UserID(parsing: "carol")
        let otherCouple = try CoupleID(parsing: "carol")
        let routes = [
            RekeyRoute(couple: otherCouple, from: route.sender, to: route.recipient),
            RekeyRoute(couple: route.couple, from: other, to: route.recipient),
            RekeyRoute(couple: route.couple, from: route.sender, to: other),
            RekeyRoute(couple: route.couple, from: route.recipient, to: route.sender),
        ]
        for route in routes {
            #expect(throws: RekeyDocumentError.keybox(.authenticationFailed)) {
                _ = try Rekey(opening: box, epoch: epoch, on: route, with: identity, from: sender)
            }
        }
        #expect(throws: RekeyDocumentError.keybox(.authenticationFailed)) {
            _ = try Rekey(opening: box, epoch: epoch + 1, on: route, with: identity, from: sender)
        }
    }

    @Test(
        "another sender's key, the recipient's own included, is no proof",
        .proves("W1: only the two compared devices can make a rekey"))
    func otherSender() throws {
        let stranger = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        for key in [stranger, try PublicKeyToken(primaryOf: identity)] {
            #expect(throws: RekeyDocumentError.macInvalid) {
                _ = try Rekey(opening: box, epoch: epoch, on: route, with: identity, from: key)
            }
        }
    }

    @Test("every bit of the content counts")
    func content() throws {
        let content = golden.hex("rekey.bodyHex") + golden.hex("rekey.macHex")
        #expect(throws: Never.self) { try open(content) }
        for index in content.indices {
            var changed = content
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: RekeyDocumentError.macInvalid) { try open(changed) }
        }
        for count in [0, 1, 31, 32, content.count - 1] {
            #expect(throws: RekeyDocumentError.macInvalid) { try open(Array(content.prefix(count))) }
        }
        #expect(throws: RekeyDocumentError.macInvalid) { try open(content + [0]) }
    }

    @Test("an authentic body in another form is malformed, and one without a couple key is none")
    func forms() throws {
        let (keyset, phrase) = (golden.hex("rekey.keysetHex"), Array(golden.text("rekey.phrase").utf8))
        let name = Array("closer-keys/v1/rekey".utf8)
        let number: [UInt8] = [0, 0, 0, 1]
        for items in [
            [name, number, keyset], [name, number, keyset, phrase, []],
            [name, [0, 0, 0, 2], keyset, phrase],
            [Array("closer-keys/v2/rekey".utf8), number, keyset, phrase], [name, [1], keyset, phrase],
            [name, number + [0], keyset, phrase],
            [],
        ] {
            #expect(throws: RekeyDocumentError.malformed) {
                try open(authentic([UInt8](lengthPrefixed: items)))
            }
        }
        for phrase in ["", "a", "alpha bravo charlie", "\u{2800}"] {
            let items = [name, number, keyset, Array(phrase.utf8)]
            #expect(throws: RekeyDocumentError.phraseRefused) {
                try open(authentic([UInt8](lengthPrefixed: items)))
            }
        }
        let wrong: [([UInt8], KeysetError)] = [
            ([], .empty), (golden.hex("userKey.privateKeysetHex"), .wrongKind(expected: .aesGCM)),
            (keyset + [0x18, 0], .notCanonical),
        ]
        for (keyset, error) in wrong {
            let body = [UInt8](lengthPrefixed: [name, number, keyset, phrase])
            #expect(throws: RekeyDocumentError.keyset(error)) { try open(authentic(body)) }
        }
    }

    /// `body` with the MAC of the golden sender.
    private func authentic(_ body: [UInt8]) -> [UInt8] {
        body + HMACSHA256.tag(of: body.span, key: SecretBytes(testOnly: golden.hex("rekey.authKeyHex")))
    }

    /// Opens `content` from a keybox of its own.
    private func open(_ content: [UInt8]) throws {
        let recipient = try PublicKeyToken(primaryOf: identity)
        let context = KeyContext.rekey(route, epoch: epoch).bytes
        let box = try HybridBox.seal(SecretBytes(testOnly: content), to: recipient.keyset, context: context)
        _ = try Rekey(
            opening: KeyboxToken(box), epoch: epoch, on: route, with: identity, from: sender)
    }
}
