internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// The life of an answer after it is sealed.
enum AnswerOperations {
    /// Under a new key, always a keyset.
    @Sendable static func seal(_ input: VectorInput, _ randomness: Randomness) throws -> JSONValue {
        let payload = try AnswerPayload(compat: try input.hex("payload"))
        let sealed = SealedAnswer(payload, of: try input.answerContext("userId"), from: randomness)
        return [
            "oneTimeKey": .keyset(sealed.oneTimeKey), "encryptedPayload": .string(sealed.token.description),
            "commitmentHash": .string(sealed.commitment.description),
        ]
    }

    @Sendable static func open(_ input: VectorInput) throws -> JSONValue {
        let key = try OneTimeKey(try input.secretHex("oneTimeKey"))
        let payload = try input.uncheckedAnswer().open(with: key, of: try input.answerContext("userId"))
        return .hex("payload", payload)
    }

    @Sendable static func verifyCommitment(_ input: VectorInput) throws -> JSONValue {
        let commitment = try Commitment(parsing: try input.ascii("commitmentHash"))
        guard let payload = commitment.committedBytes(in: try input.hex("received")) else {
            throw RevealError.commitmentMismatch
        }
        return .hex("payload", payload)
    }

    @Sendable static func reveal(_ input: VectorInput) throws -> JSONValue {
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
}

extension VectorInput {
    fileprivate func uncheckedAnswer() throws -> UncheckedAnswer {
        UncheckedAnswer(
            token: try SealedToken(parsing: try text("encryptedPayload")),
            commitment: try Commitment(parsing: try ascii("commitmentHash")))
    }

    fileprivate func answerContext(_ author: String) throws -> AnswerContext {
        try AnswerContext(
            couple: try identifier("coupleId"), question: try identifier("questionId"),
            author: try identifier(author))
    }
}
