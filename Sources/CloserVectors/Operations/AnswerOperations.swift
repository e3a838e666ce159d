internal import CloserKeys
internal import CloserTink
internal import CloserWire

/// A sealed answer: `sealed:v1:`, its commitment, and how it is revealed.
enum AnswerOperations {
    static let all = [open, seal, reveal, verifyCommitment]

    static let open = VectorOperation(
        "answer.open", file: "sealed_answer.json",
        takes: "oneTimeKey coupleId questionId userId encryptedPayload commitmentHash", gives: "payload",
        trace: { test, trace in
            let context = try test.input.answerContext("userId")
            trace.add("associatedData", KeyContext.sealedAnswer(context).bytes)
        }
    ) { input in
        let key = try OneTimeKey(try input.secretHex("oneTimeKey"))
        let payload = try input.uncheckedAnswer().open(with: key, of: try input.answerContext("userId"))
        return .hex("payload", payload)
    }

    /// Under a new key, which is always a keyset. Its prefix comes first in the sealed text.
    static let seal = VectorOperation(
        "answer.seal", takes: "coupleId questionId userId payload",
        gives: "oneTimeKey encryptedPayload commitmentHash",
        drawn: LiveSealing(
            reader: open,
            sealed: SealedPart(
                member: "encryptedPayload", form: .token(.sealed), start: OutputPrefix.byteCount),
            fresh: SealedPart(member: "oneTimeKey", form: .oneTimeKey), freshName: "one-time key",
            draw: draw)
    ) { input, randomness in
        let payload = try AnswerPayload(compat: try input.hex("payload"))
        let sealed = SealedAnswer(payload, of: try input.answerContext("userId"), from: randomness)
        return [
            "oneTimeKey": .keyset(sealed.oneTimeKey), "encryptedPayload": .string(sealed.token.description),
            "commitmentHash": .string(sealed.commitment.description),
        ]
    }

    static let verifyCommitment = VectorOperation(
        "commitment.verify", file: "commitment.json", takes: "received commitmentHash", gives: "payload"
    ) { input in
        let commitment = try Commitment(parsing: try input.utf8("commitmentHash"))
        guard let payload = commitment.committedBytes(in: try input.hex("received")) else {
            throw RevealError.commitmentMismatch
        }
        return .hex("payload", payload)
    }

    static let reveal = VectorOperation(
        "reveal", file: "reveal.json", group: "coupleKeyset identityKeyset",
        takes: """
            coupleId questionId senderId recipientId encryptedPayload commitmentHash encryptedAnswerKey place \
            pinnedCommitment?
            """,
        gives: "payload place? macKeyId?"
    ) { input in
        let key = try CoupleKey(try input.keyset("coupleKeyset"))
        let context = try input.answerContext("senderId")
        let oneTimeKey = try OneTimeKey(
            releasedBy: try KeyboxToken(parsing: try input.text("encryptedAnswerKey")), of: context,
            to: try input.identifier("recipientId"), with: try input.keyset("identityKeyset"))
        let pinned = try input.optionalText("pinnedCommitment").map { try Commitment(parsing: $0.utf8) }
        let revealed = try input.uncheckedAnswer().reveal(
            with: oneTimeKey, of: context, at: try AnswerPlace(parsing: try input.text("place")),
            pinned: pinned, key: key)
        return .object(members(of: revealed))
    }

    private static func members(of answer: RevealedAnswer) -> [JSONValue.Member] {
        var members = [JSONValue.Member("payload", .string(Hex.encode(answer.payload)))]
        if let place = answer.place { members.append(.init("place", .string(place.text))) }
        if let id = answer.macKeyID { members.append(.init("macKeyId", .number(Double(id)))) }
        return members
    }

    @Sendable private static func draw(_: LiveDirection) throws -> RandomCase {
        let context: JSONValue = [
            "coupleId": .string(RandomValue.identifier()),
            // `ck.…` is reserved.
            "questionId": .string("q\(RandomValue.identifier().dropFirst())"),
            "userId": .string(RandomValue.identifier()),
        ]
        let answer: JSONValue = ["schemaVersion": .number(1), "text": .string(RandomValue.text(10...400))]
        let payload = answer.canonicalBytes
        return RandomCase(
            comment: "\(payload.count) bytes", sealing: context.adding("payload", .hexText(payload)),
            opening: context, opened: .hex("payload", payload), lies: lies(context))
    }

    private static func lies(_ context: JSONValue) -> [RandomCase.Lie] {
        let names = (context.members ?? []).map { member in
            RandomCase.Lie(
                member: member.name, value: .string(RandomValue.other(than: member.value.string ?? "")))
        }
        let key = RandomCase.Lie(member: "oneTimeKey", value: .keyset(Keyset(.aes256GCM)))
        let commitment = RandomCase.Lie(
            member: "commitmentHash", value: .string(Commitment(to: RandomValue.bytes(0...64)).description),
            error: .commitmentMismatch)
        // Twice, for it is the only one with this error.
        return names + [key, commitment, commitment]
    }
}

extension VectorInput {
    fileprivate func uncheckedAnswer() throws -> UncheckedAnswer {
        UncheckedAnswer(
            token: try SealedToken(parsing: try text("encryptedPayload")),
            commitment: try Commitment(parsing: try utf8("commitmentHash")))
    }

    fileprivate func answerContext(_ author: String) throws -> AnswerContext {
        try AnswerContext(
            couple: try identifier("coupleId"), question: try identifier("questionId"),
            author: try identifier(author))
    }
}
