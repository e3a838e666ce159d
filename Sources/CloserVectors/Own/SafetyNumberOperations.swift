internal import CloserKeys
internal import CloserWire

/// The digits that two people compare.
enum SafetyNumberOperations {
    @Sendable static func fingerprint(_ input: VectorInput) throws -> JSONValue {
        let party = SafetyNumberParty(identity: try input.hex("identity"), key: try input.hex("key"))
        return digits(party.digits)
    }

    @Sendable static func couple(_ input: VectorInput) throws -> JSONValue {
        let couple = try input.identifier("coupleId")
        return try number(of: input) { user, key in
            SafetyNumberParty(
                user: user, couple: couple, key: try PublicKeyToken(parsing: Array(key.utf8)))
        }
    }

    @Sendable static func chat(_ input: VectorInput) throws -> JSONValue {
        try number(of: input) { user, key in
            SafetyNumberParty(user: user, key: try X25519PublicKey(parsing: key))
        }
    }

    private static func number(
        of input: VectorInput, _ party: (Identifier, String) throws -> SafetyNumberParty
    ) throws -> JSONValue {
        let ours = try party(try input.identifier("ourUserId"), try input.text("ourPublicKey"))
        let theirs = try party(try input.identifier("theirUserId"), try input.text("theirPublicKey"))
        return digits(SafetyNumber(ours, theirs).digits)
    }

    private static func digits(_ digits: [UInt8]) -> JSONValue {
        ["digits": .string(String(decoding: digits, as: UTF8.self))]
    }
}
