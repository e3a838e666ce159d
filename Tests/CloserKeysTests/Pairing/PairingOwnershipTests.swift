import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// Runs alone: it reads the memory of the whole process.
@Suite("Secrets of a pairing in memory", .serialized)
struct PairingOwnershipTests {
    private let pairing = GoldenPairing.named("new couple")

    private func scalar(of invite: borrowing OpenInvite) -> MaskedPattern {
        MaskedPattern(masking: invite.withScalar { SecretBytes(copying: $0) })
    }

    @Test("the scalar of an invite is in one place, and nowhere after the verdict")
    func scalar() throws {
        let (alice, couple) = (try GoldenPairing.party("alice"), try CoupleID(parsing: "couple_1"))
        let invite = OpenInvite(to: couple, from: alice, code: .random())
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
            let offer = OpenInvite(
                to: try CoupleID(parsing: "couple_1"), from: try GoldenPairing.party("alice"),
                code: try .typed("7KQ2MX-4T0HC9")
            ).offer
            let answer = try AnsweredInvite(
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
}
