package import CloserPrimitives
internal import CloserWire

/// An acceptor's side of a pairing, from its reply until the grant (closer-keys-pairing(7), STEPS).
///
/// To go on in another run of the program, store ``offer``, ``reply`` and the keys, and begin again with
/// ``init(resuming:to:keys:)``.
///
/// - Important: A code answers one offer. An attacker who made a device answer two with one code could guess twice.
package struct AnsweredOffer: ~Copyable, Sendable {
    /// The offer that was accepted.
    package let offer: PairOffer
    /// The reply, which the inviter checks.
    package let reply: PairReply
    private let keys: GrantKeys

    /// Accepts an offer with the code that the inviter told this person. `hold` is what this device already has of the couple. It
    /// is sent sealed, so that only a device that knows the code can open it. Disabled keys stay here.
    ///
    /// - Throws: `.otherCode`, `.ownUser` or `.ownKey`. After those the code is still good.
    package init(
        answering offer: PairOffer, with code: borrowing PairingCode, as acceptor: PairingParty,
        holding hold: CoupleHold?, drawingFrom randomness: Randomness = .system
    ) throws(PairingError) {
        try self.init(
            answering: offer, with: code, as: acceptor, holding: hold,
            scalar: .random(shortLivedFrom: randomness),
            drawingFrom: randomness)
    }

    /// Answers with a scalar that is known already. Only a published vector has one: it is used for one offer.
    package init(
        answering offer: PairOffer, with code: borrowing PairingCode, as acceptor: PairingParty,
        holding hold: CoupleHold?, scalar: consuming Ristretto255.Scalar, drawingFrom randomness: Randomness
    ) throws(PairingError) {
        guard code.lookup == offer.lookup else { throw .otherCode }
        try acceptor.check(offer.inviter)
        let generator = CPace.generator(
            password: code.secret, channel: offer.channel, session: offer.session)
        let message = CPace.Message(
            scalar.publicProduct(with: generator), associatedData: acceptor.associatedData(of: .reply))
        let sessionKey = CPace.sessionKey(
            scalar: scalar, as: .responder, ours: message, theirs: offer.message, session: offer.session)
        let transcript = PairingTranscript(offer, message)
        let sealed = transcript.seal(hold, with: sessionKey, from: randomness)
        let tag = HMACSHA256.tag(
            of: transcript.proven(sealed).span, key: transcript.key(.reply, from: sessionKey))
        self.offer = offer
        reply = PairReply(offer.lookup, acceptor, share: message.share, tag: tag, hold: sealed)
        keys = GrantKeys(of: transcript, from: sessionKey)
    }

    /// An answer that was stored: its documents, and the 64 bytes that ``withKeys(_:)`` lent.
    ///
    /// - Throws: `.malformed` for another count of bytes.
    package init(
        resuming reply: PairReply, to offer: PairOffer, keys: consuming SecretBytes
    ) throws(PairingError) {
        guard keys.count == GrantKeys.byteCount else { throw .malformed }
        (self.offer, self.reply) = (offer, reply)
        self.keys = GrantKeys(of: PairingTranscript(offer, reply), adopting: keys)
    }

    /// Lends the 64 bytes of the keys that open the grant, for storing. They open only that.
    ///
    /// - Throws: What `body` throws.
    package borrowing func withKeys<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try keys.withBytes(body)
    }

    /// Opens what the inviter granted. If it fails, another grant may be opened.
    ///
    /// The keys are the inviter's. To accept them call ``CoupleGrant/united(with:retired:)``, which refuses some.
    ///
    /// - Throws: `.otherOffer`, `.macInvalid`, `.malformed` or `.phraseRefused`.
    package borrowing func open(_ grant: PairGrant) throws(PairingError) -> CoupleGrant {
        guard grant.lookup == offer.lookup else { throw .otherOffer }
        return try keys.open(grant)
    }
}
