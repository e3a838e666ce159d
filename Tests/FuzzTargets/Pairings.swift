internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink

/// Two devices and a server between them, which drops, repeats, swaps and changes what it carries, and makes its own: each byte
/// is a step. The two pair only with each other, whatever it does; and once it lets one pairing through, they agree.
struct Pairings: ~Copyable {
    static func walk(_ bytes: [UInt8]) {
        var walk = Pairings()
        var rest = bytes[...]
        while let step = rest.popFirst() { walk.take(step, &rest) }
        // Whatever was spoilt: a new code and an honest way, and both have the same keys.
        var honest = Pairings()
        var nothing = rest
        for step in UInt8(0)..<3 { honest.take(step, &nothing) }
        precondition(honest.hasAgreed)
    }

    private let code = PairingCode.random()
    private var invite: OpenOffer?
    private let offer: PairOffer
    private var answer: AnsweredOffer?
    private var grant: PairGrant?
    private var hasAgreed = false

    private init() {
        let invite = OpenOffer(to: Cast.couple, from: Cast.inviter, code: code)
        offer = invite.offer
        self.invite = consume invite
    }

    private mutating func take(_ step: UInt8, _ rest: inout ArraySlice<UInt8>) {
        switch step % 8 {
        case 0: acceptOffer(offer)
        case 1: judge(answer?.reply)
        case 2: finish(grant)
        case 3:
            if let changed = Self.changed(offer.bytes, &rest) {
                acceptOffer(try? PairOffer(parsing: changed))
            }
        case 4:
            if let bytes = answer?.reply.bytes, let changed = Self.changed(bytes, &rest) {
                judge(try? PairReply(parsing: changed))
            }
        case 5:
            if let grant, let changed = Self.changed(grant.bytes, &rest) {
                finish(try? PairGrant(parsing: changed))
            }
        case 6: guess()
        default: restart()
        }
    }

    // MARK: - The two devices, each of which gives one verdict

    private mutating func acceptOffer(_ offer: PairOffer?) {
        guard let offer, answer == nil else { return }
        answer = try? AnsweredOffer(answering: offer, with: code, as: Cast.acceptor, holding: nil)
    }

    private mutating func judge(_ reply: PairReply?) {
        guard let reply, let invite = invite.take() else { return }
        guard (try? invite.check(reply)) != nil else { return self.invite = consume invite }
        guard let admitted = try? invite.judge(reply) else { return }
        precondition(reply == answer?.reply && answer?.offer == offer, "a stranger is admitted")
        grant = admitted.grant(CoupleGrant(Cast.hold, phrase: .random()))
    }

    private mutating func finish(_ grant: PairGrant?) {
        guard let grant, let opened = try? answer?.open(grant) else { return }
        precondition(grant == self.grant, "a stranger's grant is taken")
        guard let united = try? opened.united(with: nil) else {
            preconditionFailure("an honest grant is refused")
        }
        precondition(
            united.key.fingerprint(couple: Cast.couple) == Cast.hold.key.fingerprint(couple: Cast.couple))
        hasAgreed = true
    }

    /// Both are ended and begin again from what they have stored.
    private mutating func restart() {
        if let invite = invite.take() {
            self.invite = try? OpenOffer(
                resuming: offer, scalar: invite.withScalar { SecretBytes(copying: $0) })
        }
        if let answer = answer.take() {
            let keys = answer.withKeys { SecretBytes(copying: $0) }
            self.answer = try? AnsweredOffer(resuming: answer.reply, to: answer.offer, keys: keys)
        }
    }

    // MARK: - The server

    /// It knows the offer, and not the code.
    private mutating func guess() {
        let wrong = PairingCode(lookup: code.lookup, secret: SecretBytes(copying: Array("000000".utf8).span))
        guard let guessed = try? AnsweredOffer(answering: offer, with: wrong, as: Cast.server, holding: nil)
        else { return }
        judge(guessed.reply)
    }

    /// One byte of a document, as the fuzzer says; nil if that changes nothing.
    private static func changed(_ document: [UInt8], _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let high = rest.popFirst(), let low = rest.popFirst(), let mask = rest.popFirst(), mask != 0
        else { return nil }
        var changed = document
        changed[(Int(high) << 8 | Int(low)) % changed.count] ^= mask
        return changed
    }
}

/// Who meets, made once: keys take longer than a whole pairing.
private enum Cast {
    static let couple = known(try? CoupleID(parsing: "couple_1"))
    // The leak sanitizer does not see a pointer in an enumeration's spare bits, as a token has it: so the keysets are kept.
    private static let keysets = (0..<3).map { _ in Keyset(.ecies(ECIESParameters())) }
    static let inviter = party("alice", keysets[0])
    static let acceptor = party("bob", keysets[1])
    static let server = party("mallory", keysets[2])
    static let hold = CoupleHold(epoch: 0, key: known(try? CoupleKey(Keyset(.aes256GCM))))

    private static func party(_ name: String, _ keyset: Keyset) -> PairingParty {
        PairingParty(
            user: known(try? UserID(parsing: name)), publicKey: known(try? PublicKeyToken(primaryOf: keyset)),
            x25519PublicKey: X25519PrivateKey().publicKey)
    }

    private static func known<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("the cast of a pairing cannot be made") }
        return value
    }
}
