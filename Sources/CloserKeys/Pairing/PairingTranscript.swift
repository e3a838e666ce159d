internal import CloserPrimitives
internal import CloserWire

/// All that the two sides of one pairing have said openly, as 32 bytes: the name of the pairing (closer-keys-pairing(7), KEYS).
///
/// Two pairings with the same transcript are the same pairing, however their documents are spelled. It is public.
package struct PairingTranscript: Equatable, Hashable, Sendable {
    /// `T = SHA-256(LP(CI, sid, Ya, ADa, Yb, ADb))`.
    package let digest: [UInt8]

    /// That of an offer and a reply, which need not fit each other: only ``OpenOffer/judge(_:)`` finds out.
    package init(_ offer: PairOffer, _ reply: PairReply) { self.init(offer, reply.message) }

    init(_ offer: PairOffer, _ reply: CPace.Message) {
        let (channel, message) = (offer.channel, offer.message)
        let said = [UInt8](lengthPrefixed: [
            channel, offer.session, message.share.bytes, message.associatedData, reply.share.bytes,
            reply.associatedData,
        ])
        digest = SHA256.hash(said.span)
    }

    /// The name and the version of the protocol.
    private static let name = Array("closer-keys/pair/1".utf8)
    /// The only purpose there is.
    static let purpose = "couple"

    /// `CI = LP("closer-keys/pair/1", purpose, L, coupleId, inviter's userId)`.
    static func channel(_ lookup: PairingCode.Lookup, _ couple: CoupleID, _ inviter: UserID) -> [UInt8] {
        [UInt8](lengthPrefixed: [
            name, Array(purpose.utf8), Array(lookup.text.utf8), couple.bytes, inviter.bytes,
        ])
    }

    /// What a key of a pairing is for.
    enum KeyLabel: String {
        /// The acceptor's proof.
        case reply
        /// What the acceptor holds.
        case hold
        /// The inviter's proof.
        case grant
        /// What the inviter grants.
        case seal
    }

    /// `k(x) = HKDF-SHA256(ISK, salt "closer-keys/pair/1", info LP(x, T), 32)`.
    func key(_ label: KeyLabel, from sessionKey: borrowing SecretBytes) -> SecretBytes {
        let info = [UInt8](lengthPrefixed: [Array(label.rawValue.utf8), digest])
        return HKDF.derive(from: sessionKey, salt: Self.name.span, info: info.span, count: 32)
    }

    /// What a proof is made over: `LP(T, sealed)`.
    func proven(_ sealed: [UInt8]) -> [UInt8] { [UInt8](lengthPrefixed: [digest, sealed]) }
}

extension PairOffer {
    var channel: [UInt8] { PairingTranscript.channel(lookup, couple, inviter.user) }
}
