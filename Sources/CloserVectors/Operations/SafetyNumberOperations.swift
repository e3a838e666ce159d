internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// The digits that two people compare.
enum SafetyNumberOperations {
    static let all = [x25519, couple, fingerprint]

    static let x25519 = VectorOperation(
        "safetyNumber.x25519", file: "safety_number.json", takes: people, gives: "digits", drawn: drawX25519
    ) { input in
        try number(of: input) { user, key in
            SafetyNumber.Party(user: user, key: try X25519PublicKey(parsing: key))
        }
    }

    static let couple = VectorOperation(
        "safetyNumber.couple", file: "safety_number.json", takes: "coupleId \(people)", gives: "digits",
        drawn: drawCouple
    ) { input in
        let couple: CoupleID = try input.identifier("coupleId")
        return try number(of: input) { user, key in
            SafetyNumber.Party(user: user, couple: couple, key: try PublicKeyToken(parsing: Array(key.utf8)))
        }
    }

    static let fingerprint = VectorOperation(
        "safetyNumber.fingerprint", file: "safety_number.json", takes: "identity key", gives: "digits"
    ) { input in
        let party = SafetyNumber.Party(identity: try input.hex("identity"), key: try input.hex("key"))
        return digits(party.digits)
    }

    private static let people = "ourUserId ourPublicKey theirUserId theirPublicKey"

    private static func number(
        of input: VectorInput, _ party: (UserID, String) throws -> SafetyNumber.Party
    ) throws -> JSONValue {
        let ours = try party(try input.identifier("ourUserId"), try input.text("ourPublicKey"))
        let theirs = try party(try input.identifier("theirUserId"), try input.text("theirPublicKey"))
        return digits(SafetyNumber(ours, theirs).digits)
    }

    private static func digits(_ digits: [UInt8]) -> JSONValue {
        .text("digits", String(decoding: digits, as: UTF8.self))
    }

    @Sendable private static func drawX25519() throws -> LiveCase {
        let (ours, theirs) = (X25519PrivateKey().publicKey, X25519PrivateKey().publicKey)
        return try draw([:], ours, theirs) { SafetyNumber.Party(user: $0, key: $1) }
    }

    @Sendable private static func drawCouple() throws -> LiveCase {
        let identity = KeyTemplate.ecies(ECIESParameters())
        let couple = try CoupleID(parsing: RandomValue.identifier())
        let ours = try PublicKeyToken(primaryOf: Keyset(identity))
        let theirs = try PublicKeyToken(primaryOf: Keyset(identity))
        return try draw(["coupleId": .string(couple.text)], ours, theirs) {
            SafetyNumber.Party(user: $0, couple: couple, key: $1)
        }
    }

    private static func draw<Key: CustomStringConvertible>(
        _ context: JSONValue, _ ours: Key, _ theirs: Key, _ party: (UserID, Key) -> SafetyNumber.Party
    ) throws -> LiveCase {
        let ourUser = try UserID(parsing: RandomValue.identifier())
        let theirUser = try UserID(parsing: RandomValue.identifier())
        let number = SafetyNumber(party(ourUser, ours), party(theirUser, theirs))
        let people: JSONValue = [
            "ourUserId": .string(ourUser.text), "ourPublicKey": .string(ours.description),
            "theirUserId": .string(theirUser.text), "theirPublicKey": .string(theirs.description),
        ]
        return LiveCase(
            comment: "two people", input: context.merging(people), expectation: .output(digits(number.digits))
        )
    }
}
