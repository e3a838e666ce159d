internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Cases of what two people compute alike: a shared secret, and the digits that they compare.
enum LiveAgreement {
    /// What we compute on one side is expected of the other.
    @Sendable static func secret() throws -> LiveCase {
        let (ours, theirs) = (try LivePerson(), try LivePerson())
        let secret = try X25519.PrivateKey(adopting: SecretBytes(copying: ours.scalar.span))
            .sharedSecret(with: theirs.key.publicKey.key)
        return LiveCase(
            comment: "two new keys",
            input: ["privateKey": .hexText(theirs.scalar), "publicKey": .hexText(ours.key.publicKey.bytes)],
            expectation: .output(.hex("sharedSecret", secret.withBytes { Array(copying: $0) })))
    }

    @Sendable static func chatSafetyNumber() throws -> LiveCase {
        let (ours, theirs) = (X25519PrivateKey().publicKey, X25519PrivateKey().publicKey)
        return try safetyNumber([:], ours, theirs) { SafetyNumberParty(user: $0, key: $1) }
    }

    @Sendable static func coupleSafetyNumber() throws -> LiveCase {
        let identity = KeyTemplate.ecies(ECIESParameters()), couple = try Draw.identifier()
        let ours = try PublicKeyToken(primaryOf: Keyset(identity))
        let theirs = try PublicKeyToken(primaryOf: Keyset(identity))
        return try safetyNumber(["coupleId": .string(couple.text)], ours, theirs) {
            SafetyNumberParty(user: $0, couple: couple, key: $1)
        }
    }

    private static func safetyNumber<Key: CustomStringConvertible>(
        _ context: JSONValue, _ ours: Key, _ theirs: Key, _ party: (Identifier, Key) -> SafetyNumberParty
    ) throws -> LiveCase {
        let (ourUser, theirUser) = (try Draw.identifier(), try Draw.identifier())
        let digits = SafetyNumber(party(ourUser, ours), party(theirUser, theirs)).digits
        let people: JSONValue = [
            "ourUserId": .string(ourUser.text), "ourPublicKey": .string(ours.description),
            "theirUserId": .string(theirUser.text), "theirPublicKey": .string(theirs.description),
        ]
        return LiveCase(
            comment: "two people", input: context.merging(people),
            expectation: .output(.text("digits", String(decoding: digits, as: UTF8.self))))
    }
}
