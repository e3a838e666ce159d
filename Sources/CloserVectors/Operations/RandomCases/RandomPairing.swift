internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Two people who have just met, and an offer of one to the other.
struct RandomPairing {
    private let code: PairingCode.Lookup
    private let secret: String
    private var acceptor: PairingParty
    private let offer: PairOffer
    private let scalar: [UInt8]

    private init() throws {
        let code = PairingCode.random()
        self.code = code.lookup
        secret = code.copyOfSecret().withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
        let user = RandomValue.identifier()
        acceptor = try Self.party(RandomValue.other(than: user))
        let open = OpenOffer(
            to: try CoupleID(parsing: RandomValue.identifier()), from: try Self.party(user), code: code)
        (offer, scalar) = (open.offer, open.withScalar { Array(copying: $0) })
    }

    private static func party(_ user: String) throws -> PairingParty {
        let keyset = Keyset(.ecies(ECIESParameters()))
        return PairingParty(
            user: try UserID(parsing: user), publicKey: try PublicKeyToken(primaryOf: keyset),
            x25519PublicKey: try RandomPerson().key.publicKey)
    }

    /// One to three keys, with any prefix, all enabled.
    private static func hold(epoch: UInt32) throws -> CoupleHold {
        var keyset = Keyset(.aes256GCM, prefix: RandomValue.pick(OutputPrefix.allCases))
        for _ in 0..<Int.random(in: 0...2) {
            keyset = try keyset.adding(.aes256GCM, prefix: RandomValue.pick(OutputPrefix.allCases))
        }
        keyset = try keyset.promoting(RandomValue.pick(keyset.entries.map(\.id)))
        return CoupleHold(epoch: epoch, key: try CoupleKey(keyset))
    }

    // MARK: - The two operations that seal

    /// The only offer that others are asked to answer: with another generator, a scalar that comes again gives another share.
    private static let answeredByOthers = Result { try RandomPairing() }

    /// The acceptor answers, with or without keys of its own, and the inviter judges the reply.
    @Sendable static func reply(_ direction: LiveDirection) throws -> RandomCase {
        var pairing = direction == .theySeal ? try answeredByOthers.get() : try RandomPairing()
        pairing.acceptor = try party(RandomValue.other(than: pairing.offer.inviter.user.text))
        let ours = try hold(epoch: .random(in: 0...1000))
        let theirs = RandomValue.oneIn(2) ? try hold(epoch: .random(in: 0...1000)) : nil
        let isAlone = Bool.random()
        let sealing = pairing.offered.merging(pairing.answering).merging(members(of: theirs))
        let opening = pairing.invited.merging(members(of: ours)).adding("alone", .string("\(isAlone)"))
        return RandomCase(
            comment: theirs == nil ? "nothing held" : "keys held", sealing: sealing, opening: opening,
            opened: .confirmed(try ours.united(with: theirs, isAlone: isAlone), from: ours, with: theirs),
            lies: try pairing.lies(.codeMismatch))
    }

    /// An inviter who admits an acceptor grants, and the acceptor takes what it is given.
    @Sendable static func grant(_: LiveDirection) throws -> RandomCase {
        let pairing = try RandomPairing()
        let granted = try hold(epoch: .random(in: 1...1000))
        let theirs = RandomValue.oneIn(2) ? try hold(epoch: .random(in: 0...granted.epoch)) : nil
        let scalar = Ristretto255.Scalar.random()
        let bytes = scalar.withBytes { Array(copying: $0) }
        let phrase = RecoveryPhrase.random()
        let words = phrase.text.withBytes { String(decoding: Array(copying: $0), as: UTF8.self) }
        let answer = try AnsweredOffer(
            answering: pairing.offer, with: pairing.entered(), as: pairing.acceptor, holding: theirs,
            scalar: scalar, drawingFrom: .system)
        let isMigrating = Bool.random()
        let finished = try CoupleGrant(granted, phrase: phrase).united(with: theirs)
        let said = pairing.invited.merging(members(of: granted)).merging([
            "reply": text(of: answer.reply.bytes), "phrase": .string(words),
        ])
        let sealing = isMigrating ? said.adding("migrating", .string("true")) : said
        let opening = pairing.offered.merging(pairing.answering).merging(members(of: theirs))
        return RandomCase(
            comment: theirs == nil ? "nothing held" : "keys held", sealing: sealing,
            opening: opening.adding("scalar", .hexText(bytes)),
            opened: .finished(finished, words, isMigrating: isMigrating),
            lies: try pairing.lies(.macInvalid) + [
                RandomCase.Lie(member: "code", value: pairing.otherCode, error: .macInvalid)
            ])
    }

    // MARK: - Members

    private var offered: JSONValue { ["offer": Self.text(of: offer.bytes)] }

    /// What the inviter has.
    private var invited: JSONValue { offered.adding("scalar", .hexText(scalar)) }

    /// What the acceptor has.
    private var answering: JSONValue {
        [
            "code": .string("\(code.text)-\(secret)"), "userId": .string(acceptor.user.text),
            "publicKey": .string(acceptor.publicKey.description),
            "x25519PublicKey": .string(acceptor.x25519PublicKey.description),
        ]
    }

    private static func members(of hold: CoupleHold?) -> JSONValue {
        guard let hold else { return .object([]) }
        return ["epoch": .string("\(hold.epoch)"), "keyset": .keyset(hold.key.keyset)]
    }

    private static func text(of document: [UInt8]) -> JSONValue {
        .string(String(decoding: document, as: UTF8.self))
    }

    private func entered() throws -> PairingCode {
        try PairingCode(typed: SecretBytes(copying: Array("\(code.text)\(secret)".utf8).span))
    }

    /// A code with this lookup and another password.
    private var otherCode: JSONValue {
        let last = secret.last == "Z" ? "Y" : "Z"
        return .string("\(code.text)-\(secret.dropLast())\(last)")
    }

    /// Another couple, and another scalar than that of the share.
    private func lies(_ error: ErrorID) throws -> [RandomCase.Lie] {
        let couple = JSONValue.string(RandomValue.other(than: offer.couple.text))
        let other = try JSONValue(parsing: offer.bytes).adding("coupleId", couple).line
        let scalar = Ristretto255.Scalar.random().withBytes { JSONValue.hexText(Array(copying: $0)) }
        return [
            RandomCase.Lie(member: "offer", value: .string(other), error: error),
            RandomCase.Lie(member: "scalar", value: scalar, error: error),
        ]
    }
}
