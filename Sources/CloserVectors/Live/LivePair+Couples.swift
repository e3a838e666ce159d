internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// What a couple has: its key under a phrase, the phrase under a code, and sealed answers.
extension LivePair {
    static let wrap = LivePair(
        seal: "wrap.wrap", open: "wrap.unwrap", isSlow: true,
        outputs: ["wrappedCoupleKey", "kdfSalt", "kdfParams"],
        sealed: SealedPart(member: "wrappedCoupleKey", form: .base64),
        fresh: SealedPart(member: "kdfSalt", form: .base64),
        freshName: "salt"
    ) { direction in
        let keyset: JSONValue = .keyset(try DrawnKeyset(for: direction) { .aes256GCM }.reader)
        let phrase: JSONValue = ["phrase": .string(newPhrase())]
        return LiveDraw(
            comment: "a couple key under a phrase", sealing: phrase.adding("keyset", keyset), opening: phrase,
            opened: ["keyset": keyset],
            lies: [LiveDraw.Lie(member: "phrase", value: .string(newPhrase()))])
    }

    /// The first byte is a version.
    static let invite = LivePair(
        seal: "invite.seal", open: "invite.open", isSlow: true, outputs: ["recoveryPhrase"],
        sealed: SealedPart(member: "recoveryPhrase", form: .base64, start: 1),
        fresh: SealedPart(member: "recoveryPhrase", form: .base64, start: 1, count: Argon2id.saltByteCount),
        freshName: "salt"
    ) { _ in
        let (phrase, code): (JSONValue, JSONValue) = (.string(newPhrase()), ["code": .string(newCode())])
        return LiveDraw(
            comment: "a phrase under a code", sealing: code.adding("phrase", phrase), opening: code,
            opened: ["phrase": phrase],
            lies: [LiveDraw.Lie(member: "code", value: .string(newCode()))])
    }

    /// The prefix of the one-time key stands first; ours always has one.
    static let answer = LivePair(
        seal: "answer.seal", open: "answer.open",
        outputs: ["oneTimeKey", "encryptedPayload", "commitmentHash"],
        sealed: SealedPart(
            member: "encryptedPayload", form: .token(.sealed), start: OutputPrefix.byteCount),
        fresh: SealedPart(member: "oneTimeKey", form: .oneTimeKey),
        freshName: "one-time key"
    ) { _ in
        let context: JSONValue = [
            "coupleId": .string(try Draw.identifier().text),
            // `ck.` would be a name of our own.
            "questionId": .string("q\(try Draw.identifier().text.dropFirst())"),
            "userId": .string(try Draw.identifier().text),
        ]
        let answer: JSONValue = ["schemaVersion": .number(1), "text": .string(Draw.text(10...400))]
        let payload = answer.canonicalBytes
        return LiveDraw(
            comment: "\(payload.count) bytes", sealing: context.adding("payload", .hexText(payload)),
            opening: context, opened: .hex("payload", payload), lies: answerLies(context))
    }

    private static func answerLies(_ context: JSONValue) -> [LiveDraw.Lie] {
        let names = (context.members ?? []).map { member in
            LiveDraw.Lie(member: member.name, value: .string(Draw.other(than: member.value.string ?? "")))
        }
        let key = LiveDraw.Lie(member: "oneTimeKey", value: .keyset(Keyset(.aes256GCM)))
        let commitment = LiveDraw.Lie(
            member: "commitmentHash", value: .string(Commitment(to: Draw.bytes(0...64)).description),
            error: .commitmentMismatch)
        return names + [key, commitment, commitment]
    }

    private static func newPhrase() -> String {
        String(decoding: RecoveryPhrase.random().text.withBytes { Array(copying: $0) }, as: UTF8.self)
    }

    private static func newCode() -> String {
        String(decoding: InviteCode.random().text.withBytes { Array(copying: $0) }, as: UTF8.self)
    }
}
