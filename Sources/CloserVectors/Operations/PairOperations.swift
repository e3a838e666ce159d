internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// What two X25519 key pairs agree on.
enum PairOperations {
    static let all = [agree]

    static let agree = VectorOperation(
        "x25519.agree", file: "x25519.json", takes: "privateKey publicKey", gives: "sharedSecret", drawn: draw
    ) { input in
        let scalar = try input.secretHex("privateKey")
        // Also the spellings that RFC 7748 §5 reads, and that no document may have.
        guard scalar.count == X25519.byteCount, let theirs = X25519.PublicKey(try input.hex("publicKey"))
        else {
            throw X25519KeyError.malformed
        }
        guard !theirs.isLowOrder else { throw X25519KeyError.lowOrderPublicKey }
        return .hex("sharedSecret", try sharedSecret(of: scalar, with: theirs))
    }

    /// What we compute on one side is expected of the other.
    @Sendable private static func draw() throws -> LiveCase {
        let (ours, theirs) = (try RandomPerson(), try RandomPerson())
        let secret = try sharedSecret(
            of: SecretBytes(copying: ours.scalar.span), with: theirs.key.publicKey.key)
        return LiveCase(
            comment: "two new keys",
            input: ["privateKey": .hexText(theirs.scalar), "publicKey": .hexText(ours.key.publicKey.bytes)],
            expectation: .output(.hex("sharedSecret", secret)))
    }

    private static func sharedSecret(
        of scalar: consuming SecretBytes, with theirs: X25519.PublicKey
    ) throws -> [UInt8] {
        let secret = try X25519.PrivateKey(adopting: scalar).sharedSecret(with: theirs)
        return secret.withBytes { Array(copying: $0) }
    }
}

/// A person with a new X25519 key pair, whose secret half can be written into a case.
struct RandomPerson {
    let scalar: [UInt8]
    let key: X25519PrivateKey

    init() throws {
        let bytes = Randomness.system.bytes(X25519.byteCount)
        (scalar, key) = (bytes, try X25519PrivateKey(adopting: SecretBytes(copying: bytes.span)))
    }

    func members(with peer: RandomPerson) -> JSONValue {
        ["privateKey": .hexText(scalar), "peerPublicKey": .string(peer.key.publicKey.description)]
    }
}
