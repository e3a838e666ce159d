internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// Cases of the digits that two people compare.
enum LiveSafetyNumbers {
    @Sendable static func chat() throws -> LiveCase {
        let keys = (X25519PrivateKey().publicKey, X25519PrivateKey().publicKey)
        let users = (try Draw.identifier(), try Draw.identifier())
        let digits = SafetyNumber(
            SafetyNumberParty(user: users.0, key: keys.0), SafetyNumberParty(user: users.1, key: keys.1)
        ).digits
        return liveCase(people(users, keys), digits)
    }

    @Sendable static func couple() throws -> LiveCase {
        let identity = KeyTemplate.ecies(ECIESParameters())
        let keys = (
            try PublicKeyToken(primaryOf: Keyset(identity)), try PublicKeyToken(primaryOf: Keyset(identity))
        )
        let (couple, users) = (try Draw.identifier(), (try Draw.identifier(), try Draw.identifier()))
        let digits = SafetyNumber(
            SafetyNumberParty(user: users.0, couple: couple, key: keys.0),
            SafetyNumberParty(user: users.1, couple: couple, key: keys.1)
        ).digits
        let people = people(users, keys)
        return liveCase(people.adding("coupleId", .string(couple.text)), digits)
    }

    private static func people(
        _ users: (Identifier, Identifier),
        _ keys: (some CustomStringConvertible, some CustomStringConvertible)
    ) -> JSONValue {
        [
            "ourUserId": .string(users.0.text), "ourPublicKey": .string(keys.0.description),
            "theirUserId": .string(users.1.text), "theirPublicKey": .string(keys.1.description),
        ]
    }

    private static func liveCase(_ input: JSONValue, _ digits: [UInt8]) -> LiveCase {
        let expected: JSONValue = ["digits": .string(String(decoding: digits, as: UTF8.self))]
        return LiveCase(comment: "", input: input, expectation: .output(expected))
    }
}
