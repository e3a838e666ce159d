internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// A key pair, with its secret half as a case has it.
struct LivePerson {
    let scalar: [UInt8]
    let key: X25519PrivateKey

    init() throws {
        let bytes = Randomness.system.bytes(X25519.byteCount)
        (scalar, key) = (bytes, try X25519PrivateKey(adopting: SecretBytes(copying: bytes.span)))
    }

    func members(with peer: LivePerson) -> JSONValue {
        ["privateKey": .hexText(scalar), "peerPublicKey": .string(peer.key.publicKey.description)]
    }
}
