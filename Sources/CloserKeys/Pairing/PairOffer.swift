internal import CloserPrimitives
internal import CloserWire

/// What an inviter gives the server for the acceptor: who invites whom to what, and the first message of CPace
/// (closer-keys-pairing(7), DOCUMENTS). All of it is public.
///
/// The inviter's vault makes it. Only the code shows that no one else did.
public struct PairOffer: Equatable, Sendable {
    /// The name under which the server keeps it.
    public let lookup: PairingCode.Lookup
    /// The couple that the acceptor is invited to.
    public let couple: CoupleID
    /// Who invites.
    package let inviter: PairingParty
    /// Who says that they made it.
    public var inviterID: UserID { inviter.user }
    /// `sid`, 16 random bytes of the inviter.
    package let session: [UInt8]
    /// `Ya` with `ADa`.
    package let message: CPace.Message

    package static let sessionByteCount = 16

    init(
        _ lookup: PairingCode.Lookup, _ couple: CoupleID, _ inviter: PairingParty, session: [UInt8],
        share: CPace.Share
    ) {
        (self.lookup, self.couple, self.inviter) = (lookup, couple, inviter)
        self.session = session
        message = CPace.Message(share, associatedData: inviter.associatedData(of: .offer))
    }

    /// Parses the JSON document, and checks the form of all that is in it: an invalid share, or a key of low order,
    /// is refused here.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .pairOffer)
        let token = reader.parsed("offer", in: bytes.span) { Self.token($0) }
        self.init(
            reader.lookup(in: bytes.span), reader.identifier("coupleId", in: bytes.span),
            reader.party(in: bytes.span), session: token.session, share: token.share)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let token = JSONValue.Member("offer", .string(token))
        let couple = JSONValue.Member("coupleId", .string(couple.text))
        return JSONValue.object(.pairing(lookup) + [couple] + inviter.members + [token]).bytes
    }

    /// `Ya`.
    package var share: CPace.Share { message.share }

    private var token: String { TokenFormat.offer.pairingText(session + share.bytes) }

    static func token(_ text: String) -> (session: [UInt8], share: CPace.Share)? {
        guard let payload = TokenFormat.offer.pairingPayload(text),
            payload.count == sessionByteCount + Ristretto255.byteCount,
            let share = CPace.Share(payload[sessionByteCount...])
        else { return nil }
        return (Array(payload.prefix(sessionByteCount)), share)
    }
}

// MARK: - Tokens of a pairing

extension TokenFormat {
    /// `offer:v1:` and 64 characters; see ``PairOffer``.
    static let offer = TokenFormat(prefix: "offer:v1:", encoding: .url, minimumPayloadCount: 64)
    /// `reply:v1:` and at least 86 characters; see ``PairReply``.
    package static let reply = TokenFormat(prefix: "reply:v1:", encoding: .url, minimumPayloadCount: 86)
    /// `grant:v1:` and at least 120 characters; see ``PairGrant``.
    package static let grant = TokenFormat(prefix: "grant:v1:", encoding: .url, minimumPayloadCount: 120)

    /// The most that a token of a pairing holds: 16 KiB. A keyset of 32 keys and a phrase of 1 KiB take less than half of it.
    static let maximumPairingByteCount = 16 * 1024

    /// The bytes in a token of a pairing; nil if it is another text.
    func pairingPayload(_ text: String) -> [UInt8]? {
        guard let payload = try? payload(of: text.utf8), payload.count <= Self.maximumPairingByteCount else {
            return nil
        }
        return payload
    }

    /// The token of bytes that this library put together.
    func pairingText(_ payload: [UInt8]) -> String {
        guard payload.count <= Self.maximumPairingByteCount, let text = try? text(of: payload.span) else {
            preconditionFailure("a token of a pairing has another length than it can have")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
