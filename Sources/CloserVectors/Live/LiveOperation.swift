internal import CloserWire

/// An operation of which cases can be made as they are needed.
package struct LiveOperation: Sendable {
    package let name: String
    private let isSlow: Bool
    let make: @Sendable () throws -> LiveCase

    private init(_ name: String, isSlow: Bool = false, _ make: @escaping @Sendable () throws -> LiveCase) {
        (self.name, self.isSlow, self.make) = (name, isSlow, make)
    }

    /// Argon2id takes its time: one case for every fifty of the others.
    package func caseCount(outOf count: Int) -> Int { isSlow ? max(1, count / 50) : count }

    /// All of them: what we sealed, what we read back, and what both sides compute.
    package static let all = opening + sealing + agreeing

    private static let opening = [
        LiveOperation("aead.open", LiveKeysets.openAEAD), LiveOperation("field.open", LiveKeysets.openField),
        LiveOperation("ecies.open", LiveBoxes.openECIES), LiveOperation("keybox.open", LiveBoxes.openKeybox),
        LiveOperation("stream.open", LiveKeysets.openStream),
        LiveOperation("chat.fitlink.open", LiveChats.openFitLink),
        LiveOperation("chat.fond.open", LiveChats.openFond),
        LiveOperation("answer.open", LiveAnswers.open),
        LiveOperation("wrap.unwrap", isSlow: true, LivePhrases.unwrap),
        LiveOperation("invite.open", isSlow: true, LivePhrases.openInvite),
    ]

    private static let sealing = [
        LiveOperation("aead.seal", LiveKeysets.sealAEAD), LiveOperation("field.seal", LiveKeysets.sealField),
        LiveOperation("ecies.seal", LiveBoxes.sealECIES), LiveOperation("keybox.seal", LiveBoxes.sealKeybox),
        LiveOperation("stream.seal", LiveKeysets.sealStream),
        LiveOperation("chat.fitlink.seal", LiveChats.sealFitLink),
        LiveOperation("chat.fond.seal", LiveChats.sealFond),
        LiveOperation("answer.seal", LiveAnswers.seal),
        LiveOperation("wrap.wrap", isSlow: true, LivePhrases.wrap),
        LiveOperation("invite.seal", isSlow: true, LivePhrases.sealInvite),
    ]

    private static let agreeing = [
        LiveOperation("x25519.agree", LiveChats.agree),
        LiveOperation("safetyNumber.x25519", LiveSafetyNumbers.chat),
        LiveOperation("safetyNumber.couple", LiveSafetyNumbers.couple),
        LiveOperation("canonical", LiveTexts.canonical),
    ]
}

extension JSONValue {
    /// Bytes as every case has them.
    static func hexText(_ bytes: some Sequence<UInt8>) -> JSONValue { .string(Hex.encode(Array(bytes))) }

    /// An object with one more member.
    func adding(_ name: String, _ value: JSONValue) -> JSONValue {
        .object((members ?? []) + [Member(name, value)])
    }
}
