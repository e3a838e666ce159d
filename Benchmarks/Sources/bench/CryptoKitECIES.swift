import Crypto
import Foundation

/// The keybox's ECIES (closer-keys-formats(7), KEYBOXES) as a developer would compose it from CryptoKit's API.
///
/// Without Tink's prefix.
struct CryptoKitECIES {
    private let key = P256.KeyAgreement.PrivateKey()
    private let message: Message
    private let box: Data

    init(_ message: Message) throws {
        self.message = message
        box = try Self.seal(message, to: key.publicKey)
    }

    /// Seals to the point of somebody's key, 65 bytes: with Tink's prefix before it, ours must open it.
    static func seal(_ message: Message, toPoint point: [UInt8]) throws -> Data {
        try seal(message, to: P256.KeyAgreement.PublicKey(x963Representation: point))
    }

    private static func seal(_ message: Message, to theirs: P256.KeyAgreement.PublicKey) throws -> Data {
        let ephemeral = P256.KeyAgreement.PrivateKey()
        let kem = ephemeral.publicKey.x963Representation
        let secret = try ephemeral.sharedSecretFromKeyAgreement(with: theirs)
        let sealed = try AES.GCM.seal(message.plaintext, using: cipherKey(kem, secret, message))
        guard let combined = sealed.combined else {
            throw PeerFailure(description: "swift-crypto gave no box")
        }
        return kem + combined
    }

    private func open() throws -> Data {
        let kem = box.prefix(65)
        let theirs = try P256.KeyAgreement.PublicKey(x963Representation: kem)
        let secret = try key.sharedSecretFromKeyAgreement(with: theirs)
        return try AES.GCM.open(
            .init(combined: box.dropFirst(65)), using: Self.cipherKey(kem, secret, message))
    }

    private static func cipherKey(
        _ kem: Data, _ secret: SharedSecret, _ message: Message
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: kem + secret.withUnsafeBytes { Data($0) }),
            info: message.associatedData, outputByteCount: 16)
    }

    struct Seal: Contestant {
        let name = "swift-crypto ECIES"
        let peer: CryptoKitECIES

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try CryptoKitECIES.seal(peer.message, to: peer.key.publicKey)) }
        }
    }

    struct Open: Contestant {
        let name = "swift-crypto ECIES"
        let peer: CryptoKitECIES

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try peer.open()) }
        }
    }
}
