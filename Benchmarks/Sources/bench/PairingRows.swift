import CPeers
import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault

/// The steps of a pairing that compute, CPace on ristretto255 and all around it, each with the change of a vault that remembers it.
///
/// Both sides of the comparison change the same vault, so the difference is ours alone. It is shown without the change, too.
enum PairingRows {
    static func all() throws -> [Row] {
        try ScratchFolder.with { folder in
            let (ours, bare, change) = (try OurPairing(), BarePairing(), try VaultChange(in: folder))
            return [
                try row(
                    "pairing, answer an offer", OurPairing.Answer(peer: ours), bare.answer,
                    bare.answerElements, change),
                try row(
                    "pairing, judge a reply", OurPairing.Judge(peer: ours), bare.judge, bare.judgeElements,
                    change),
            ]
        }
    }

    private static func row(
        _ work: String, _ ours: any Contestant, _ bare: any Contestant, _ elements: any Contestant,
        _ change: VaultChange
    ) throws -> Row {
        try Row(
            work, Remembered(step: ours, change: change),
            against: [
                (Remembered(step: bare, change: change), .share(1.1)), (ours, nil), (bare, nil),
                (elements, nil),
            ])
    }
}

/// A step, and then a vault that is changed and on the disk.
private struct Remembered: Contestant {
    let step: any Contestant
    let change: VaultChange

    var name: String { "\(step.name), and a vault change" }

    func run(_ times: Int) throws {
        for _ in 0..<times {
            try step.run(1)
            try change.make()
        }
    }
}

/// The smallest change that a vault knows.
private final class VaultChange {
    private let vault: Vault
    private var policy = Policy()

    init(in folder: String) throws {
        vault = try Vault.create(
            at: folder + "/vault", for: UserID(parsing: "user-Ana93"), locking: .key(.random(count: 32)))
    }

    func make() throws {
        policy.requiresPairing.toggle()
        try vault.set(policy)
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
        let invite = OpenOffer(to: try CoupleID(parsing: "couple-7Qm2VbXh1L"), from: inviter, code: code)
        (offer, self.acceptor) = (invite.offer, acceptor)
        scalar = invite.withScalar { SecretBytes(copying: $0) }
        reply = try AnsweredOffer(answering: invite.offer, with: code, as: acceptor, holding: nil).reply
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

    /// As a vault brings it back, for the one step.
    func openOffer() throws -> OpenOffer {
        let copy = SecretBytes(shortLived: scalar.count) { output in
            scalar.withBytes { bytes in for index in bytes.indices { output.append(bytes[index]) } }
        }
        return try OpenOffer(resuming: offer, scalar: copy)
    }

    struct Answer: Contestant {
        let name = "closer-keys"
        let peer: OurPairing

        func run(_ times: Int) throws {
            let (offer, acceptor) = (peer.offer, peer.acceptor)
            for _ in 0..<times {
                keep(try AnsweredOffer(answering: offer, with: peer.code, as: acceptor, holding: nil))
            }
        }
    }

    struct Judge: Contestant {
        let name = "closer-keys"
        let peer: OurPairing

        func run(_ times: Int) throws {
            for _ in 0..<times { keep(try peer.openOffer().judge(peer.reply)) }
        }
    }
}

/// What libsodium takes for all that is computed in a step, and for its elements alone.
private final class BarePairing {
    private let pairing: OpaquePointer = peer_pairing_new()

    deinit { peer_pairing_free(pairing) }

    var answer: any Contestant {
        Calls(peer: self, name: "libsodium, the same calls", body: peer_pairing_answer)
    }
    var answerElements: any Contestant {
        Calls(
            peer: self, name: "libsodium, a scalar, a map and two products",
            body: peer_pairing_answer_elements)
    }
    var judge: any Contestant {
        Calls(peer: self, name: "libsodium, the same calls", body: peer_pairing_judge)
    }
    var judgeElements: any Contestant {
        Calls(peer: self, name: "libsodium, a product", body: peer_pairing_judge_elements)
    }

    private struct Calls: Contestant {
        let peer: BarePairing
        let name: String
        let body: (OpaquePointer, Int) -> Bool

        func run(_ times: Int) throws {
            guard body(peer.pairing, times) else {
                throw PeerFailure(description: "libsodium did not multiply")
            }
        }
    }
}
