internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Cases of sealed answers.
enum LiveAnswers {
    @Sendable static func open() throws -> LiveCase {
        let context = try drawnContext(), payload = try drawnPayload()
        let sealed = SealedAnswer(payload, of: context, from: .system)
        let isOther = Draw.oneIn(5)
        let told = isOther ? try drawnContext() : context
        return LiveCase(
            comment: isOther ? "another context" : "\(payload.bytes.count) bytes",
            input: told.members.adding("oneTimeKey", sealed.oneTimeKey.hex)
                .adding("encryptedPayload", .string(sealed.token.description))
                .adding("commitmentHash", .string(sealed.commitment.description)),
            expectation: isOther ? .error(ErrorID.authFailed) : .output(.hex("payload", payload.bytes)))
    }

    @Sendable static func seal() throws -> LiveCase {
        let context = try drawnContext(), payload = try drawnPayload().bytes
        return LiveCase(
            comment: "\(payload.count) bytes", sealing: context.members.adding("payload", .hexText(payload)),
            ReadBack(
                operation: "answer.open", input: context.members,
                outputMembers: ["oneTimeKey", "encryptedPayload", "commitmentHash"],
                expected: .hex("payload", payload), drawn: keyBytes))
    }

    /// The bytes of the one-time key itself: in a keyset its id may be new, and the key not.
    @Sendable private static func keyBytes(_ output: VectorInput) throws -> [UInt8] {
        let content = try output.hex("oneTimeKey")
        guard content.count != AESGCMKey.byteCount else { return content }
        guard case .aesGCM(let key)? = try output.keyset("oneTimeKey").primary.material else { return [] }
        return key.withBytes { key in key.withBytes { Array(copying: $0) } }
    }

    /// The app's object, in canonical form.
    private static func drawnPayload() throws -> AnswerPayload {
        let answer: JSONValue = ["schemaVersion": .number(1), "text": .string(Draw.text(10...400))]
        return try AnswerPayload(compat: answer.bytes)
    }

    private static func drawnContext() throws -> AnswerContext {
        try AnswerContext(
            couple: Draw.identifier(), question: Identifier(parsing: "q\(Draw.identifier().text)"),
            author: Draw.identifier())
    }
}

extension AnswerContext {
    fileprivate var members: JSONValue {
        [
            "coupleId": .string(couple.text), "questionId": .string(question.text),
            "userId": .string(author.text),
        ]
    }
}
