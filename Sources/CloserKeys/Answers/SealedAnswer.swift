public import CloserPrimitives
public import CloserTink

/// An answer that nobody can read yet: sealed under a key of its own, and committed to (formats §5).
///
/// Keep ``oneTimeKey`` until the answer is released: without it nobody opens the token, its author included.
public struct SealedAnswer: Sendable {
    public let token: SealedToken
    public let commitment: Commitment
    /// One AES-256-GCM key.
    public let oneTimeKey: Keyset

    /// Seals under a fresh key.
    public init(_ payload: AnswerPayload, of context: AnswerContext, from randomness: Randomness = .system) {
        let key = Keyset(.aes256GCM, from: randomness)
        self.init(payload, of: context, under: key, from: randomness)
    }

    /// One that was kept.
    package init(token: SealedToken, commitment: Commitment, oneTimeKey: Keyset) {
        (self.token, self.commitment, self.oneTimeKey) = (token, commitment, oneTimeKey)
    }

    package init(
        _ payload: AnswerPayload, of context: AnswerContext, under key: Keyset, from randomness: Randomness
    ) {
        guard let aead = try? KeysetAEAD(key) else {
            preconditionFailure("a one-time key is an AES-256-GCM key")
        }
        let associatedData = KeyContext.sealedAnswer(context).bytes
        let ciphertext = aead.seal(payload.bytes.span, associatedData: associatedData.span, from: randomness)
        guard let token = try? SealedToken(ciphertext) else {
            preconditionFailure("a payload was too short for a token")
        }
        (self.token, commitment, oneTimeKey) = (token, Commitment(to: payload.bytes), key)
    }

    /// Hands the one-time key to the partner: from now on they can open the answer.
    ///
    /// - Important: A public key says nothing about whose it is. Have it verified first.
    public func release(
        of context: AnswerContext, to recipient: Identifier, key: PublicKeyToken,
        from randomness: Randomness = .system
    ) throws(HybridSealError) -> KeyboxToken {
        try OneTimeKey.release(oneTimeKey, of: context, to: recipient, key: key, from: randomness)
    }
}
