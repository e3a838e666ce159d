internal import CloserPrimitives
internal import CloserWire

/// What an acceptor answers to a ``PairOffer``: who it is, the second message of CPace, the proof that it knows the code, and
/// sealed, what it already holds of the couple (closer-keys-pairing(7), DOCUMENTS). All of it is public.
///
/// The acceptor's vault makes the reply, and the inviter's vault checks it once.
public struct PairReply: Equatable, Sendable {
    /// The name under which the server keeps it.
    public let lookup: PairingCode.Lookup
    /// Who accepts.
    package let acceptor: PairingParty
    /// `Yb` with `ADb`.
    package let message: CPace.Message
    /// The proof, 32 bytes.
    package let tag: [UInt8]
    /// What the acceptor holds, sealed; perhaps empty.
    package let hold: [UInt8]

    init(
        _ lookup: PairingCode.Lookup, _ acceptor: PairingParty, share: CPace.Share, tag: [UInt8],
        hold: [UInt8]
    ) {
        (self.lookup, self.acceptor, self.tag, self.hold) = (lookup, acceptor, tag, hold)
        message = CPace.Message(share, associatedData: acceptor.associatedData(of: .reply))
    }

    /// Parses the JSON document, and checks the form of all that is in it: an invalid share, or a key of low order,
    /// is refused here.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .pairReply)
        let token = reader.parsed("reply", in: bytes.span) { Self.token($0) }
        self.init(
            reader.lookup(in: bytes.span), reader.party(in: bytes.span), share: token.share, tag: token.tag,
            hold: token.hold)
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let token = JSONValue.Member("reply", .string(token))
        return JSONValue.object(.pairing(lookup) + acceptor.members + [token]).bytes
    }

    /// `Yb`.
    package var share: CPace.Share { message.share }

    private var token: String { TokenFormat.reply.pairingText(share.bytes + tag + hold) }

    static func token(_ text: String) -> (share: CPace.Share, tag: [UInt8], hold: [UInt8])? {
        guard let payload = TokenFormat.reply.pairingPayload(text),
            let share = CPace.Share(payload.prefix(Ristretto255.byteCount))
        else { return nil }
        let rest = payload.dropFirst(Ristretto255.byteCount)
        let hold = Array(rest.dropFirst(HMACSHA256.byteCount))
        guard hold.isEmpty || hold.count >= AESGCM.overheadByteCount else { return nil }
        return (share, Array(rest.prefix(HMACSHA256.byteCount)), hold)
    }
}
