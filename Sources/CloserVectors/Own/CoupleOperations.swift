internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// What a couple has: fields, the wrapped key, invites, and the documents of the apps' server.
enum CoupleOperations {
    @Sendable static func openField(_ input: VectorInput) throws -> JSONValue {
        let key = try CoupleKey(try input.keyset("keyset"))
        let token = try FieldToken(parsing: try input.text("token"))
        let opened = try key.open(token, couple: try input.identifier("coupleId"))
        return .hex("plaintext", opened.plaintext)
    }

    @Sendable static func sealField(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let key = try CoupleKey(try input.keyset("keyset"))
        let (plaintext, couple) = (try input.hex("plaintext"), try input.identifier("coupleId"))
        let token = try key.seal(field: plaintext.span, couple: couple, from: randomness)
        return .text("token", token.description)
    }

    @Sendable static func wrap(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let phrase = try RecoveryPhrase(entered: try input.secretText("phrase"))
        let wrap = KeyWrap(try CoupleKey(try input.keyset("keyset")), under: phrase, from: randomness)
        return [
            "wrappedCoupleKey": .string(wrap.wrappedCoupleKey), "kdfSalt": .string(wrap.kdfSalt),
            "kdfParams": .string(wrap.kdfParams),
        ]
    }

    @Sendable static func unwrap(_ input: VectorInput) throws -> JSONValue {
        let wrap = KeyWrap(
            wrappedCoupleKey: try input.text("wrappedCoupleKey"), kdfSalt: try input.text("kdfSalt"),
            kdfParams: try input.text("kdfParams"))
        let phrase = try RecoveryPhrase(entered: try input.secretText("phrase"))
        return ["keyset": .keyset(try wrap.unwrap(with: phrase).keyset)]
    }

    @Sendable static func sealInvite(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let phrase = try RecoveryPhrase(entered: try input.secretText("phrase"))
        let code = try InviteCode(entered: try input.secretText("code"))
        return .text("recoveryPhrase", InvitedPhrase(phrase, under: code, from: randomness).text)
    }

    @Sendable static func openInvite(_ input: VectorInput) throws -> JSONValue {
        let code = try InviteCode(entered: try input.secretText("code"))
        let phrase = try InvitedPhrase(try input.text("recoveryPhrase")).open(with: code)
        let text = phrase.text.withBytes { Array(copying: $0) }
        return ["phrase": .string(String(decoding: text, as: UTF8.self))]
    }

    @Sendable static func checkCosts(_ input: VectorInput) throws -> JSONValue {
        guard WrapCost.isExactly(try input.text("kdfParams")) else { throw UnwrapError.wrongCosts }
        return .object([])
    }

    @Sendable static func checkDocument(_ input: VectorInput) throws -> JSONValue {
        let text = try input.ascii("text")
        switch try input.text("document") {
        case "couple":
            let document = try CoupleDocument(parsing: text)
            if let previous = try input.optionalText("previous") {
                try document.check(after: try CoupleDocument(parsing: previous.utf8))
            }
        case "invite": _ = try InviteDocument(parsing: try input.secretText("text"))
        case "answer": _ = try AnswerDocument(parsing: text)
        case "release-key": _ = try ReleaseKeyDocument(parsing: text)
        case "device": _ = try DeviceDocument(parsing: text)
        default: throw VectorInput.MemberFault(name: "document")
        }
        return .object([])
    }
}
