internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The couple key under a phrase, and the phrase under an invite's code.
enum CoupleOperations {
    static let all = [unwrap, wrap, openInvite, sealInvite, checkCosts]

    static let unwrap = VectorOperation(
        "wrap.unwrap", file: "wrap.json", takes: "wrappedCoupleKey kdfSalt kdfParams phrase", gives: "keyset",
        trace: tellWrap
    ) { input in
        let wrap = KeyWrap(
            wrappedCoupleKey: try input.text("wrappedCoupleKey"), kdfSalt: try input.text("kdfSalt"),
            kdfParams: try input.text("kdfParams"))
        let phrase = try RecoveryPhrase(exactly: try input.secretText("phrase"))
        return ["keyset": .keyset(try wrap.unwrap(with: phrase).keyset)]
    }

    static let wrap = VectorOperation(
        "wrap.wrap", takes: "keyset phrase", gives: "wrappedCoupleKey kdfSalt kdfParams",
        drawn: LiveSealing(
            reader: unwrap, isSlow: true, sealed: SealedPart(member: "wrappedCoupleKey", form: .base64),
            fresh: SealedPart(member: "kdfSalt", form: .base64), freshName: "salt", draw: drawWrap)
    ) { input, randomness in
        let phrase = try RecoveryPhrase(exactly: try input.secretText("phrase"))
        let wrap = try KeyWrap(try CoupleKey(try input.keyset("keyset")), under: phrase, from: randomness)
        return [
            "wrappedCoupleKey": .string(wrap.wrappedCoupleKey), "kdfSalt": .string(wrap.kdfSalt),
            "kdfParams": .string(wrap.kdfParams),
        ]
    }

    static let openInvite = VectorOperation(
        "invite.open", file: "invite.json", takes: "recoveryPhrase code", gives: "phrase",
        trace: { test, trace in
            let code = try InviteCode(parsing: try test.input.secretText("code"))
            let box = try Base64.standard.decode(try test.input.text("recoveryPhrase"))
            try derive(from: code.text, salt: box.dropFirst().prefix(Argon2id.saltByteCount), into: &trace)
        }
    ) { input in
        let code = try InviteCode(parsing: try input.secretText("code"))
        let phrase = try InvitedPhrase(try input.text("recoveryPhrase")).open(with: code)
        return .text("phrase", text(phrase.text))
    }

    /// The first byte is a version, and with another one it is no invite: bits are flipped behind it.
    static let sealInvite = VectorOperation(
        "invite.seal", takes: "phrase code", gives: "recoveryPhrase",
        drawn: LiveSealing(
            reader: openInvite, isSlow: true,
            sealed: SealedPart(member: "recoveryPhrase", form: .base64, start: 1),
            fresh: SealedPart(
                member: "recoveryPhrase", form: .base64, start: 1, count: Argon2id.saltByteCount),
            freshName: "salt", draw: drawInvite)
    ) { input, randomness in
        let phrase = try RecoveryPhrase(exactly: try input.secretText("phrase"))
        let code = try InviteCode(parsing: try input.secretText("code"))
        return .text("recoveryPhrase", try InvitedPhrase(phrase, under: code, from: randomness).text)
    }

    static let checkCosts = VectorOperation(
        "kdfParams.check", file: "kdf_params.json", takes: "kdfParams", gives: ""
    ) { input in
        guard WrapCost.isExactly(try input.text("kdfParams")) else { throw UnwrapError.wrongCosts }
        return .object([])
    }

    /// The wrapping key. A phrase that is not in its normal form is tried as it was entered, too, since other
    /// implementations may do that; told is the key that the file has.
    @Sendable private static func tellWrap(_ test: VectorCase, into trace: inout Trace) throws {
        let salt = try Base64.standard.decode(try test.input.text("kdfSalt"))
        let phrase = try RecoveryPhrase(exactly: try test.input.secretText("phrase"))
        try derive(from: phrase.text, salt: salt, into: &trace)
        var verbatim = Trace()
        try derive(from: try test.input.secretText("phrase"), salt: salt, into: &verbatim)
        if verbatim["derivedKey"] == test.trace["derivedKey"] { trace = verbatim }
    }

    private static func derive(
        from secret: borrowing SecretBytes, salt: some Collection<UInt8>, into trace: inout Trace
    ) throws(MemoryShortage) {
        let salt = Array(salt)
        guard salt.count == Argon2id.saltByteCount else { return }
        trace.add("derivedKey", try WrapCost.argon2id.derive(from: secret, salt: salt.span))
    }

    @Sendable private static func drawWrap(_ direction: LiveDirection) throws -> RandomCase {
        let keyset: JSONValue = .keyset(try RandomKeyset(for: direction) { .aes256GCM }.reader)
        let phrase: JSONValue = ["phrase": newPhrase()]
        return RandomCase(
            comment: "a couple key under a phrase", sealing: phrase.adding("keyset", keyset), opening: phrase,
            opened: ["keyset": keyset], lies: [RandomCase.Lie(member: "phrase", value: newPhrase())])
    }

    @Sendable private static func drawInvite(_: LiveDirection) throws -> RandomCase {
        let (phrase, code): (JSONValue, JSONValue) = (newPhrase(), ["code": newCode()])
        return RandomCase(
            comment: "a phrase under a code", sealing: code.adding("phrase", phrase), opening: code,
            opened: ["phrase": phrase], lies: [RandomCase.Lie(member: "code", value: newCode())])
    }

    private static func newPhrase() -> JSONValue { .string(text(RecoveryPhrase.random().text)) }

    private static func newCode() -> JSONValue { .string(text(InviteCode.random().text)) }

    private static func text(_ bytes: borrowing SecretBytes) -> String {
        String(decoding: bytes.withBytes { Array(copying: $0) }, as: UTF8.self)
    }
}
