import CloserPrimitives
import CloserTink

/// A keybox around 32 bytes: ours, the same from CryptoKit's API, and the products on the curve alone.
enum KeyboxRows {
    static func all(_ message: Message = .key, tink: PeerProgram?, second: PeerProgram?) throws -> [Row] {
        let ours = try OurKeybox(message)
        let cryptoKit = try CryptoKitECIES(message)
        let bare = BareCurve()
        try ours.checkOpens(CryptoKitECIES.seal(message, toPoint: ours.point))
        return [
            try Row(
                "keybox, seal 32 bytes", OurKeybox.Seal(peer: ours),
                against: second.lane(.keyboxSeal) + [
                    (BareCurve.Seal(peer: bare), nil), (BareCurve.WholeSeal(peer: bare), .share(1.15)),
                    (CryptoKitECIES.Seal(peer: cryptoKit), nil),
                ] + tink.lane(.keyboxSeal, .share(1))),
            try Row(
                "keybox, open 32 bytes", OurKeybox.Open(peer: ours),
                against: second.lane(.keyboxOpen) + [
                    (BareCurve.Open(peer: bare), nil), (BareCurve.WholeOpen(peer: bare), .share(1.15)),
                    (CryptoKitECIES.Open(peer: cryptoKit), nil),
                ] + tink.lane(.keyboxOpen, .share(1))
            ).noting([
                "Of a keybox opened, libcrypto takes 94 percent (perf): k·P 42 µs, the product in bytes 4.2, HKDF 2.3, a point",
                "read 0.9. Our own code takes 2 percent, malloc 3. Tink's curve is BoringSSL's.",
            ]),
        ]
    }
}

/// A key pair, and what was sealed to it. A class, because a secret has one owner.
final class OurKeybox: Sendable {
    private let keyset: Keyset
    private let publicKeyset: Keyset
    private let secret: SecretBytes
    private let context: [UInt8]
    private let box: [UInt8]
    /// `04 ‖ X ‖ Y`.
    let point: [UInt8]

    init(_ message: Message) throws {
        keyset = Keyset(.ecies(ECIESParameters()))
        // By way of its bytes, as the key of a partner comes.
        publicKeyset = try NoSecretKeyset.read(binary: NoSecretKeyset.binary(keyset.publicKeyset()))
        point = try Self.point(in: NoSecretKeyset.binary(publicKeyset))
        let secret = SecretBytes(copying: message.plaintext.span)
        context = message.associatedData
        box = try HybridBox.seal(secret, to: publicKeyset, context: context)
        self.secret = secret
    }

    /// `x` and `y` are fields 3 and 4 of Tink's `EciesAeadHkdfPublicKey`, 33 bytes each, of which the first is 0.
    private static func point(in keyset: [UInt8]) throws -> [UInt8] {
        let starts = keyset.indices.dropLast(69).filter { index in
            Array(keyset[index..<index + 3]) == [0x1a, 33, 0]
                && Array(keyset[index + 35..<index + 38]) == [0x22, 33, 0]
        }
        guard let start = starts.first, starts.count == 1 else {
            throw PeerFailure(description: "a public keyset without one point")
        }
        return [4] + keyset[start + 3..<start + 35] + keyset[start + 38..<start + 70]
    }

    /// That a peer really does the same work: what it sealed opens here.
    func checkOpens(_ peerBox: some Collection<UInt8>) throws {
        let opened = try HybridBox.open(Array(box.prefix(5)) + peerBox, with: keyset, context: context)
        guard opened.plaintext.isEqual(to: secret) else {
            throw PeerFailure(description: "swift-crypto sealed something else")
        }
    }

    struct Seal: Contestant {
        let name = "closer-keys"
        let peer: OurKeybox

        func run(_ times: Int) throws {
            let (keyset, context) = (peer.publicKeyset, peer.context)
            for _ in 0..<times { keep(try HybridBox.seal(peer.secret, to: keyset, context: context)) }
        }
    }

    struct Open: Contestant {
        let name = "closer-keys"
        let peer: OurKeybox

        func run(_ times: Int) throws {
            let (box, keyset, context) = (peer.box, peer.keyset, peer.context)
            for _ in 0..<times { keep(try HybridBox.open(box, with: keyset, context: context)) }
        }
    }
}
