internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Cases under a phrase or a code, by Argon2id.
enum LivePhrases {
    @Sendable static func unwrap() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), phrase = Draw.phrase()
        let wrap = KeyWrap(try CoupleKey(keyset), under: try entered(phrase))
        let isOther = Draw.oneIn(5)
        return LiveCase(
            comment: isOther ? "another phrase" : "",
            input: [
                "wrappedCoupleKey": .string(wrap.wrappedCoupleKey), "kdfSalt": .string(wrap.kdfSalt),
                "kdfParams": .string(wrap.kdfParams), "phrase": .string(isOther ? Draw.phrase() : phrase),
            ], expectation: isOther ? .error(ErrorID.authFailed) : .output(["keyset": keyset.hex]))
    }

    @Sendable static func wrap() throws -> LiveCase {
        let keyset = try Draw.keyset(.aes256GCM), phrase: JSONValue = ["phrase": .string(Draw.phrase())]
        return LiveCase(
            comment: "", sealing: phrase.adding("keyset", keyset.hex),
            ReadBack(
                operation: "wrap.unwrap", input: phrase,
                outputMembers: ["wrappedCoupleKey", "kdfSalt", "kdfParams"],
                expected: ["keyset": keyset.hex], drawn: { try $0.ascii("kdfSalt") }))
    }

    @Sendable static func openInvite() throws -> LiveCase {
        let (phrase, code, other) = (Draw.phrase(), code(), code())
        let invited = InvitedPhrase(
            try entered(phrase), under: try InviteCode(entered: SecretBytes(copying: code.utf8.span)))
        let isOther = Draw.oneIn(5)
        return LiveCase(
            comment: isOther ? "another code" : "",
            input: ["recoveryPhrase": .string(invited.text), "code": .string(isOther ? other : code)],
            expectation: isOther ? .error(ErrorID.authFailed) : .output(["phrase": .string(phrase)]))
    }

    @Sendable static func sealInvite() throws -> LiveCase {
        let phrase = JSONValue.string(Draw.phrase()), code: JSONValue = ["code": .string(code())]
        return LiveCase(
            comment: "", sealing: code.adding("phrase", phrase),
            ReadBack(
                operation: "invite.open", input: code, outputMembers: ["recoveryPhrase"],
                expected: ["phrase": phrase],
                // A version, and the salt.
                drawn: {
                    Array(
                        try Base64.standard.decode($0.text("recoveryPhrase")).prefix(
                            1 + Argon2id.saltByteCount))
                }))
    }

    private static func code() -> String {
        String(decoding: InviteCode.random().text.withBytes { Array(copying: $0) }, as: UTF8.self)
    }

    private static func entered(_ phrase: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(entered: SecretBytes(copying: phrase.utf8.span))
    }
}
