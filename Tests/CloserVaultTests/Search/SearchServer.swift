import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport

@testable import CloserKeys

/// A server that has every document, keys of its own, and no code. It changes what it passes on, and makes offers and replies with a
/// code that it guesses.
final class SearchServer {
    private let key: PublicKeyToken
    private let chatKey = X25519PrivateKey().publicKey
    /// Whether its guess is right.
    private let isLucky: Bool
    /// Its own offers, with the scalars, and its own answers, with the keys.
    private var invites: [(offer: PairOffer, scalar: [UInt8])] = []
    private var answers: [(offer: PairOffer, reply: PairReply, keys: [UInt8])] = []

    init(isLucky: Bool) throws {
        key = try PublicKeyToken(primaryOf: Keyset(.ecies(ECIESParameters())))
        self.isLucky = isLucky
    }

    private func party(_ user: UserID) -> PairingParty {
        PairingParty(user: user, publicKey: key, x25519PublicKey: chatKey)
    }

    private func user(_ text: String) -> UserID {
        guard let user = try? UserID(parsing: text) else { preconditionFailure("a user id") }
        return user
    }

    /// The code that it tries: the first half is known to it.
    private func guess(at offer: PairOffer, _ code: String?) -> PairingCode {
        let right = code ?? ""
        let second = isLucky ? String(right.suffix(6)) : right.hasSuffix("000000") ? "111111" : "000000"
        return PairingCode(lookup: offer.lookup, secret: SecretBytes(testOnly: Array(second.utf8)))
    }

    // MARK: - What it makes

    func offers(like offer: PairOffer, _ paper: SearchPaper) -> [(offer: PairOffer, trick: String)] {
        let name = offer.inviter.user
        let made: [(PairOffer, String)] = [
            (invite(offer, party(name), paper), "its own offer under the inviter's name"),
            (invite(offer, offer.inviter, paper), "its own offer with the inviter's key"),
            (changed(offer, party: party(name)), "another key in the offer"),
            (changed(offer, party: party(user(paper.author?.other.user ?? ""))), "our own name in the offer"),
            (changed(offer, session: Array(offer.session.reversed())), "another session"),
        ]
        return made
    }

    private func invite(_ offer: PairOffer, _ party: PairingParty, _ paper: SearchPaper) -> PairOffer {
        let invite = OpenOffer(to: offer.couple, from: party, code: guess(at: offer, paper.code))
        invites.append((invite.offer, invite.withScalar { [UInt8](copying: $0) }))
        return invite.offer
    }

    private func changed(
        _ offer: PairOffer, party: PairingParty? = nil, session: [UInt8]? = nil
    ) -> PairOffer {
        PairOffer(
            offer.lookup, offer.couple, party ?? offer.inviter, session: session ?? offer.session,
            share: offer.share)
    }

    func guesses(at offer: PairOffer, _ paper: SearchPaper) -> [(reply: PairReply, trick: String)] {
        let partner = paper.author?.other.user ?? ""
        return [(partner, "a guess under the partner's name"), ("mallory", "a guess")].map { name, trick in
            (answer(offer, party(user(name)), paper), trick)
        } + [(reflected(offer), "our own name and share in the reply")]
    }

    private func answer(_ offer: PairOffer, _ party: PairingParty, _ paper: SearchPaper) -> PairReply {
        let code = guess(at: offer, paper.code)
        guard let answer = try? AnsweredOffer(answering: offer, with: code, as: party, holding: nil) else {
            preconditionFailure("a server that cannot answer")
        }
        answers.append((offer, answer.reply, answer.withKeys { [UInt8](copying: $0) }))
        return answer.reply
    }

    private func reflected(_ offer: PairOffer) -> PairReply {
        let tag = [UInt8](repeating: 7, count: 32)
        return PairReply(offer.lookup, offer.inviter, share: offer.share, tag: tag, hold: [])
    }

    func replies(like reply: PairReply, _ paper: SearchPaper) -> [(reply: PairReply, trick: String)] {
        let (lookup, party) = (reply.lookup, self.party(reply.acceptor.user))
        let added = [UInt8](repeating: 9, count: 60)
        return [
            (
                PairReply(lookup, party, share: reply.share, tag: reply.tag, hold: reply.hold),
                "another key in the reply"
            ),
            (
                PairReply(
                    lookup, reply.acceptor, share: reply.share, tag: reply.tag,
                    hold: reply.hold.isEmpty ? added : []), "another hold"
            ),
        ]
    }

    func grants(like grant: PairGrant) -> [(grant: PairGrant, trick: String)] {
        let sealed = Array(grant.sealed.dropLast()) + [(grant.sealed.last ?? 0) ^ 1]
        return [(PairGrant(grant.lookup, tag: grant.tag, sealed: sealed), "a changed grant")]
    }

    // MARK: - What it may never find out

    /// Whether a reply to an offer of its own tells it that its guess was right.
    func hasJudged(_ reply: PairReply, _ offer: SearchPaper) -> Bool {
        invites.contains { invite in
            guard offer.offer == invite.offer else { return false }
            do {
                let ours = try OpenOffer(
                    resuming: invite.offer, scalar: SecretBytes(testOnly: invite.scalar))
                return try ours.judge(reply).party == reply.acceptor
            } catch { return false }
        }
    }

    /// Whether one of its answers opens a grant.
    func hasOpened(_ grant: PairGrant) -> Bool {
        answers.contains { answer in
            do {
                let ours = try AnsweredOffer(
                    resuming: answer.reply, to: answer.offer, keys: SecretBytes(testOnly: answer.keys))
                return try ours.open(grant).hold.epoch < .max
            } catch { return false }
        }
    }
}
