import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// The golden documents of a pairing with each bit of their tokens flipped.
@Suite("Changed pairings")
struct ChangedPairingTests {
    private let pairing = GoldenPairing.named("couple of today")

    @Test("any changed bit of an offer: it is malformed, or the reply to it is refused")
    func offerBits() throws {
        for bit in 0..<48 * 8 {
            let changed = try document("offer") { $0.flipping(bit: bit) }
            let error = failure {
                let answer = try pairing.answered(try PairOffer(parsing: changed))
                _ = try pairing.openOffer().judge(answer.reply)
            }
            #expect(error == .codeMismatch || bit >= 128 && error == .malformed, "\(bit)")
        }
    }

    @Test("any changed bit of a reply: it is malformed, or refused")
    func replyBits() throws {
        let count = try pairing.reply().hold.count + 64
        for bit in 0..<count * 8 {
            let changed = try document("reply") { $0.flipping(bit: bit) }
            let error = failure { _ = try pairing.openOffer().judge(try PairReply(parsing: changed)) }
            #expect(error == .codeMismatch || bit < 256 && error == .malformed, "\(bit)")
        }
    }

    @Test("any changed bit of a grant, and a grant that is shorter or longer")
    func grantBits() throws {
        let answer = try pairing.answered()
        let count = try pairing.grant().sealed.count + 32
        for bit in 0..<count * 8 {
            let changed = try PairGrant(parsing: try document("grant") { $0.flipping(bit: bit) })
            #expect(failure { _ = try answer.open(changed) } == .macInvalid, "\(bit)")
        }
        for change in [{ $0.dropLast() }, { $0 + [0] }] as [([UInt8]) -> [UInt8]] {
            let changed = try PairGrant(parsing: try document("grant", change))
            #expect(failure { _ = try answer.open(changed) } == .macInvalid)
        }
    }

    /// The golden document with bytes of its token changed.
    private func document(_ name: String, _ change: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
        let members = try JSONValue(parsing: pairing.document(name)).members ?? []
        let changed = try members.map { member -> JSONValue.Member in
            guard member.name == name, let text = member.value.string else { return member }
            let payload = try Base64.url.decode(String(text.dropFirst("\(name):v1:".count)))
            return .init(name, .string("\(name):v1:\(Base64.url.encode(change(payload)))"))
        }
        return JSONValue.object(changed).bytes
    }

    /// What is wrong with a step; nil if nothing is.
    private func failure(_ body: () throws -> Void) -> PairingError? {
        do { try body() } catch { return error is DocumentError ? .malformed : error as? PairingError }
        return nil
    }
}
