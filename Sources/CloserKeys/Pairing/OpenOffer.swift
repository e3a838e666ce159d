package import CloserPrimitives
internal import CloserWire

/// An inviter's side of a pairing, from the offer until its one reply (closer-keys-pairing(7), STEPS).
///
/// To go on in another run of the program, store ``offer`` and the scalar, and begin again with ``init(resuming:scalar:)``. The
/// code is not needed for that, only to tell it once more.
///
/// - Important: An offer gives one verdict. Store the verdict before you act on it, and use a scalar for one verdict: a server that
///   got two verdicts could guess twice.
package struct OpenOffer: ~Copyable, Sendable {
    /// What the acceptor needs besides the code.
    package let offer: PairOffer
    private let scalar: Ristretto255.Scalar

    /// A new offer, which only a device that knows `code` can accept. A code is for one offer.
    package init(
        to couple: CoupleID, from inviter: PairingParty, code: borrowing PairingCode,
        drawingFrom randomness: Randomness = .system
    ) {
        let session = randomness.bytes(PairOffer.sessionByteCount)
        let scalar = Ristretto255.Scalar.random(from: randomness)
        let channel = PairingTranscript.channel(code.lookup, couple, inviter.user)
        let generator = CPace.generator(password: code.secret, channel: channel, session: session)
        let share = scalar.publicProduct(with: generator)
        offer = PairOffer(code.lookup, couple, inviter, session: session, share: share)
        self.scalar = scalar
    }

    /// An offer that was stored, and the 32 bytes that ``withScalar(_:)`` lent.
    ///
    /// - Throws: `.malformed` if the bytes are outside of the scalars.
    package init(resuming offer: PairOffer, scalar: consuming SecretBytes) throws(PairingError) {
        guard let scalar = Ristretto255.Scalar(adopting: scalar) else { throw .malformed }
        self.offer = offer
        self.scalar = scalar
    }

    /// Lends the 32 bytes of the scalar, for storing.
    ///
    /// - Throws: What `body` throws.
    package borrowing func withScalar<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try scalar.withBytes(body)
    }

    /// Refuses a reply that is meant for another offer. It costs no guess: the offer stays open.
    ///
    /// - Throws: `.otherOffer`, `.ownUser` or `.ownKey`.
    package borrowing func check(_ reply: PairReply) throws(PairingError) {
        guard reply.lookup == offer.lookup else { throw .otherOffer }
        try offer.inviter.check(reply.acceptor)
    }

    /// Gives the verdict on the reply, and consumes the offer: the acceptor knew the code, or it did not.
    ///
    /// - Throws: `.codeMismatch`, or `.malformed` if the acceptor's hold has another form. Both are verdicts. It also throws what
    ///   ``check(_:)`` throws, without a verdict: call ``check(_:)`` first to keep the offer.
    package consuming func judge(_ reply: PairReply) throws(PairingError) -> AdmittedPartner {
        try check(reply)
        let transcript = PairingTranscript(offer, reply)
        let sessionKey = CPace.sessionKey(
            scalar: scalar, as: .initiator, ours: offer.message, theirs: reply.message, session: offer.session
        )
        let proofKey = transcript.key(.reply, from: sessionKey)
        let proven = transcript.proven(reply.hold)
        guard HMACSHA256.isValid(reply.tag.span, of: proven.span, key: proofKey) else { throw .codeMismatch }
        let hold = try transcript.open(hold: reply.hold, with: sessionKey)
        return AdmittedPartner(reply, hold, GrantKeys(of: transcript, from: sessionKey))
    }
}

/// The party that knew the code, and what it holds of the couple already.
///
/// Unite the keys (``CoupleHold/united(with:isAlone:retired:from:)``), store the result together with the grant, and only then hand
/// the grant over: the same reply must get the same grant, and no other.
package struct AdmittedPartner: ~Copyable, Sendable {
    /// The partner's user and keys. The keys count as verified.
    package let party: PairingParty
    /// Their keys of the couple; nil if they have none.
    package let hold: CoupleHold?
    private let lookup: PairingCode.Lookup
    private let keys: GrantKeys

    fileprivate init(_ reply: PairReply, _ hold: CoupleHold?, _ keys: consuming GrantKeys) {
        (party, lookup, self.hold) = (reply.acceptor, reply.lookup, hold)
        self.keys = keys
    }

    /// Seals the couple's keys and phrase for them. Keys that are disabled stay here.
    package consuming func grant(
        _ grant: borrowing CoupleGrant, drawingFrom randomness: Randomness = .system
    ) -> PairGrant {
        keys.seal(grant, lookup, from: randomness)
    }
}

extension PairingParty {
    /// Refuses another party that is this one, by its user, its P-256 key or that key's negative, or its X25519 key.
    package func check(_ theirs: PairingParty) throws(PairingError) {
        guard theirs.user != user else { throw .ownUser }
        guard !theirs.publicKey.hasSameX(as: publicKey), theirs.x25519PublicKey != x25519PublicKey else {
            throw .ownKey
        }
    }
}
