import CPeers
import CloserKeys
import CloserPrimitives
import CloserTink

/// The steps of a pairing that compute, without the vault that remembers them: CPace on ristretto255, and all around it.
enum PairingRows {
    static func all() throws -> [Row] {
        let (ours, bare) = (try OurPairing(), BarePairing())
        return [
            try Row(
                "pairing, answer an offer", OurPairing.Answer(peer: ours),
                against: [(BarePairing.Answer(peer: bare), .share(1.1))]),
            try Row(
                "pairing, judge a reply", OurPairing.Judge(peer: ours),
                against: [(BarePairing.Judge(peer: bare), .share(1.1))]),
        ]
    }
}

/// An invite that is open, and what it is answered with.
private final class OurPairing {
    let code = PairingCode.random()
    let acceptor: PairingParty
    let offer: PairOffer
    let reply: PairReply
    private let scalar: SecretBytes

    init() throws {
        let (inviter, acceptor) = (try Self.party("user-Ana93"), try Self.party("user-Ben27"))
        let invite = OpenInvite(to: try CoupleID(parsing: "couple-7Qm2VbXh1L"), from: inviter, code: code)
        (offer, self.acceptor) = (invite.offer, acceptor)
        scalar = invite.withScalar { SecretBytes(copying: $0) }
        reply = try AnsweredInvite(answering: invite.offer, with: code, as: acceptor, holding: nil).reply
        // That it is really a pairing.
        guard try invite.judge(reply).party == acceptor else {
            throw PeerFailure(description: "the reply is not the acceptor's")
        }
    }

    private static func party(_ user: String) throws -> PairingParty {
        PairingParty(
            user: try UserID(parsing: user),
            publicKey: try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters()))),
            x25519PublicKey: X25519PrivateKey().publicKey)
    }

    /// As a vault brings it back.
    func openInvite() throws -> OpenInvite {
        try OpenInvite(resuming: offer, scalar: scalar.withBytes { SecretBytes(copying: $0) })
    }

    struct Answer: Contestant {
        let name = "closer-keys"
        let peer: OurPairing

        func run(_ times: Int) throws {
            let (offer, acceptor) = (peer.offer, peer.acceptor)
            for _ in 0..<times {
                keep(try AnsweredInvite(answering: offer, with: peer.code, as: acceptor, holding: nil))
            }
        }
    }

    struct Judge: Contestant {
        let name = "closer-keys"
        let peer: OurPairing

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try peer.openInvite().judge(peer.reply)) }
        }
    }
}

/// What libsodium takes for the elements alone.
private final class BarePairing {
    fileprivate let pairing: OpaquePointer = peer_pairing_new()

    deinit { peer_pairing_free(pairing) }

    fileprivate static func check(_ isDone: Bool) throws {
        guard isDone else { throw PeerFailure(description: "libsodium did not multiply") }
    }

    struct Answer: Contestant {
        let name = "libsodium, a map and two products"
        let peer: BarePairing

        func run(_ times: Int) throws { try BarePairing.check(peer_pairing_answer(peer.pairing, times)) }
    }

    struct Judge: Contestant {
        let name = "libsodium, a product"
        let peer: BarePairing

        func run(_ times: Int) throws { try BarePairing.check(peer_pairing_judge(peer.pairing, times)) }
    }
}
