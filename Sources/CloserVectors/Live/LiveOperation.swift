/// An operation of which cases can be made as they are needed.
package struct LiveOperation: Sendable {
    package let name: String
    /// Whether it seals: then ``LiveRunner`` asks every case twice, and starts the program again.
    let isSealing: Bool
    private let isSlow: Bool
    let make: @Sendable () throws -> LiveCase

    private init(
        _ name: String, isSealing: Bool = false, isSlow: Bool = false,
        _ make: @escaping @Sendable () throws -> LiveCase
    ) {
        (self.name, self.isSealing, self.isSlow, self.make) = (name, isSealing, isSlow, make)
    }

    /// Argon2id takes its time: one case for every fifty of the others. Of one alone nothing could repeat.
    package func caseCount(outOf count: Int) -> Int {
        max(isSealing || isSlow ? 2 : 1, isSlow ? count / 50 : count)
    }

    /// All of them: what we seal, what we read back, and what both sides compute.
    package static let all =
        pairs.map { LiveOperation($0.open, isSlow: $0.isSlow, $0.opening) }
        + pairs.map { LiveOperation($0.seal, isSealing: true, isSlow: $0.isSlow, $0.sealing) } + agreeing

    private static let pairs: [LivePair] = [
        .aead, .field, .ecies, .keybox, .stream, .fitLink, .fond, .answer, .wrap, .invite,
    ]

    private static let agreeing = [
        LiveOperation("x25519.agree", LiveAgreement.secret),
        LiveOperation("safetyNumber.x25519", LiveAgreement.chatSafetyNumber),
        LiveOperation("safetyNumber.couple", LiveAgreement.coupleSafetyNumber),
        LiveOperation("canonical", LooseJSON.canonical),
    ]
}
