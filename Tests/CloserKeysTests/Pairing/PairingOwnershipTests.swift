import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// Runs alone: it reads the memory of the whole process.
@Suite("Secrets of a pairing in memory", .serialized)
struct PairingOwnershipTests {
    private let pairing = GoldenPairing.named("new couple")

    private func scalar(of invite: borrowing OpenOffer) -> MaskedPattern {
        MaskedPattern(masking: invite.withScalar { SecretBytes(copying: $0) })
    }

    @Test("the scalar of an invite is in one place, and nowhere after the verdict")
    func scalar() throws {
        let (alice, couple) = (try GoldenPairing.party("alice"), try CoupleID(parsing: "couple_1"))
        let invite = OpenOffer(to: couple, from: alice, code: .random())
        let pattern = scalar(of: invite)
        let during = try MemoryScan.count(pattern)
        let reply = try pairing.reply()
        let stranger = PairReply(
            invite.offer.lookup, reply.acceptor, share: reply.share, tag: reply.tag, hold: [])
        do {
            _ = try invite.judge(stranger)
            Issue.record("a stranger was admitted")
        } catch { #expect(error == .codeMismatch) }
        #expect(during == 1)
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test("the keys that open the grant are in one place while a reply waits, and nowhere afterwards")
    func keys() throws {
        let pattern: MaskedPattern
        do {
            let offer = OpenOffer(
                to: try CoupleID(parsing: "couple_1"), from: try GoldenPairing.party("alice"),
                code: try .typed("7KQ2MX-4T0HC9")
            ).offer
            let answer = try AnsweredOffer(
                answering: offer, with: .typed("7KQ2MX-4T0HC9"), as: GoldenPairing.party("bob"), holding: nil)
            pattern = MaskedPattern(
                masking: answer.withKeys { SecretBytes(copying: $0.extracting(first: 32)) })
            let during = try MemoryScan.count(pattern)
            #expect(during == 1)
            _ = answer.reply
        }
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test("a session key and a generator leave nothing behind")
    func sessionKey() throws {
        let offer = try pairing.offer()
        let (key, generator): (MaskedPattern, MaskedPattern)
        do {
            let password = SecretBytes.random(count: 6)
            let element = CPace.generator(
                password: password, channel: offer.channel, session: offer.session)
            generator = MaskedPattern(masking: element.withBytes { SecretBytes(copying: $0) })
            let secret = CPace.sessionKey(
                scalar: .random(), as: .initiator, ours: offer.message, theirs: try pairing.reply().message,
                session: offer.session)
            key = MaskedPattern(
                masking: secret.withBytes { SecretBytes(copying: $0.extracting(first: 32)) })
            _ = (element.withBytes { $0.count }, secret.count)
        }
        #expect(try MemoryScan.count(key) == 0)
        #expect(try MemoryScan.count(generator) == 0)
    }

    @Test("the code that was typed is in one place, its second half too, and neither anywhere afterwards")
    func code() throws {
        let (code, half): (MaskedPattern, MaskedPattern)
        do {
            let typed = PairingCode.random()
            half = MaskedPattern(masking: typed.copyOfSecret())
            do {
                let text = typed.text
                code = MaskedPattern(masking: text)
                #expect(try MemoryScan.count(code) == 1)
            }
            let invite = OpenOffer(
                to: try CoupleID(parsing: "couple_1"), from: try GoldenPairing.party("alice"), code: typed)
            let answer = try AnsweredOffer(
                answering: invite.offer, with: typed, as: GoldenPairing.party("bob"), holding: nil)
            #expect(try invite.judge(answer.reply).hold == nil)
            #expect(try MemoryScan.count(half) == 1)
            _ = typed.lookup
        }
        #expect(try MemoryScan.count(code) == 0)
        #expect(try MemoryScan.count(half) == 0)
    }

    @Test("of a hold and of a phrase nothing is left but what their owners have; a planted copy is found")
    func granted() throws {
        let (held, said): (MaskedPattern, MaskedPattern)
        do {
            let key = try CoupleKey(Keyset(.aes256GCM))
            let phrase = RecoveryPhrase.random()
            held = MaskedPattern(
                masking: key.primaryKey.withBytes { $0.withBytes { SecretBytes(copying: $0) } })
            said = MaskedPattern(
                masking: phrase.text.withBytes { SecretBytes(copying: $0.extracting(first: 32)) })
            let owned = try MemoryScan.count(held)
            try Self.pair(CoupleHold(epoch: 0, key: key), phrase)
            // The sides of that pairing are gone, and so is what they opened.
            let left = try MemoryScan.count(held)
            #expect(left == owned, "\(left) copies, not \(owned)")
            withExtendedLifetime(key) {}
            let planted = phrase.text.withBytes { [UInt8](copying: $0) }
            let copies = try MemoryScan.count(said)
            #expect(copies > 1, "a copy of \(planted.count) bytes is not found")
        }
        #expect(try MemoryScan.count(held) == 0)
    }

    /// Both sides of a pairing in which the acceptor has keys, to the end.
    private static func pair(_ hold: CoupleHold, _ phrase: borrowing RecoveryPhrase) throws {
        let code = PairingCode.random()
        let invite = OpenOffer(
            to: try CoupleID(parsing: "couple_1"), from: try GoldenPairing.party("alice"), code: code)
        let answer = try AnsweredOffer(
            answering: invite.offer, with: code, as: GoldenPairing.party("bob"), holding: hold)
        let admitted = try invite.judge(answer.reply)
        let ours = CoupleHold(epoch: 0, key: try CoupleKey(Keyset(.aes256GCM)))
        let united = try ours.united(with: admitted.hold, isAlone: true)
        let grant = admitted.grant(CoupleGrant(united, phrase: phrase.copy()))
        let opened = try answer.open(grant)
        #expect(try opened.united(with: hold).epoch == 1)
    }

    @Test("the phrase that a grant brings is in one place, and nowhere afterwards")
    func phrase() throws {
        let said: MaskedPattern
        do {
            let phrase = RecoveryPhrase.random()
            said = MaskedPattern(
                masking: phrase.text.withBytes { SecretBytes(copying: $0.extracting(first: 32)) })
            try Self.pair(CoupleHold(epoch: 0, key: try CoupleKey(Keyset(.aes256GCM))), phrase)
            // A phrase keeps what was typed, and its normal form.
            #expect(try (1...2).contains(MemoryScan.count(said)))
            _ = phrase.text.count
        }
        #expect(try MemoryScan.count(said) == 0)
    }
}
