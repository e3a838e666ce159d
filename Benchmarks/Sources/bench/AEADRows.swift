import CloserPrimitives
import CloserTink
import Crypto

/// A Tink AEAD without base64: ours, CryptoKit's API, and libcrypto alone.
enum AEADRows {
    static func all(_ message: Message = .field, tink: PeerProgram?, second: PeerProgram?) throws -> [Row] {
        let ours = try OurAEAD(message)
        let cryptoKit = try CryptoKitAEAD(message)
        let bare = try BareGCM(message)
        return [
            try Row(
                "AEAD, seal 64 bytes", OurAEAD.Seal(peer: ours), .time(1.2),
                against: second.lane(.aeadSeal) + [
                    (CryptoKitAEAD.Seal(peer: cryptoKit), .faster(2.4)), (BareGCM.Seal(peer: bare), nil),
                ] + tink.lane(.aeadSeal)),
            try Row(
                "AEAD, seal 64 bytes, nonces of a pool", OurAEAD.PooledSeal(peer: ours), nil,
                against: [(CryptoKitAEAD.Seal(peer: cryptoKit), .faster(3)), (BareGCM.Seal(peer: bare), nil)]
                    + tink.lane(.aeadSeal, .faster(3))
            ).noting([
                "Of a pool, one call of the system gives the nonces of many texts, as in Tink; else each text has a call of its own."
            ]),
            try Row(
                "AEAD, open 64 bytes", OurAEAD.Open(peer: ours), .time(0.8),
                against: second.lane(.aeadOpen) + [
                    (CryptoKitAEAD.Open(peer: cryptoKit), .faster(2)), (BareGCM.Open(peer: bare), nil),
                ] + tink.lane(.aeadOpen, .faster(3))),
        ]
    }
}

/// A keyset of one key, and a message with its ciphertext.
struct OurAEAD {
    let aead: KeysetAEAD
    let message: Message
    let ciphertext: [UInt8]

    init(_ message: Message) throws {
        aead = try KeysetAEAD(Keyset(.aes256GCM))
        self.message = message
        ciphertext = aead.seal(message.plaintext, associatedData: message.associatedData)
    }

    struct Seal: Contestant {
        let name = "closer-keys"
        let peer: OurAEAD

        func run(_ times: Int) {
            let (aead, message) = (peer.aead, peer.message)
            for _ in 0..<times { keep(aead.seal(message.plaintext, associatedData: message.associatedData)) }
        }
    }

    /// As Tink and BoringSSL do: each call of the system gives the nonces of many.
    struct PooledSeal: Contestant {
        let name = "closer-keys"
        let peer: OurAEAD
        let nonces = Randomness.pooledForNonces()

        func run(_ times: Int) {
            let (aead, message, nonces) = (peer.aead, peer.message, nonces)
            for _ in 0..<times {
                keep(aead.seal(message.plaintext, associatedData: message.associatedData, from: nonces))
            }
        }
    }

    struct Open: Contestant {
        let name = "closer-keys"
        let peer: OurAEAD

        func run(_ times: Int) throws {
            let (aead, ciphertext, data) = (peer.aead, peer.ciphertext, peer.message.associatedData)
            for _ in 0..<times { keep(try aead.open(ciphertext, associatedData: data)) }
        }
    }
}

/// A key that is kept, and a message with its box: nothing is left to do but the call itself.
struct CryptoKitAEAD {
    let key = SymmetricKey(size: .bits256)
    let message: Message
    let box: AES.GCM.SealedBox

    init(_ message: Message) throws {
        self.message = message
        box = try AES.GCM.seal(message.plaintext, using: key, authenticating: message.associatedData)
    }

    struct Seal: Contestant {
        let name = "swift-crypto AES.GCM"
        let peer: CryptoKitAEAD

        func run(_ times: Int) throws {
            let (key, message) = (peer.key, peer.message)
            for _ in 0..<times {
                keep(try AES.GCM.seal(message.plaintext, using: key, authenticating: message.associatedData))
            }
        }
    }

    struct Open: Contestant {
        let name = "swift-crypto AES.GCM"
        let peer: CryptoKitAEAD

        func run(_ times: Int) throws {
            let (key, box, data) = (peer.key, peer.box, peer.message.associatedData)
            for _ in 0..<times { keep(try AES.GCM.open(box, using: key, authenticating: data)) }
        }
    }
}
