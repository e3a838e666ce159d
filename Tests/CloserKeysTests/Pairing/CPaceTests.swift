import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

private let draft = Vector.all(.array([TestData.pairing.at("draft")]), named: "draft", atLeast: 1)
private let pairings = Vector.all(TestData.pairing["pairings"], named: "pairing", atLeast: 3)

/// `sid`, both scalars and shares, and both associated data, from the draft's values or a golden pairing.
private struct Exchange {
    let (scalars, messages): ([[UInt8]], [CPace.Message])
    var session: [UInt8]

    init(_ vector: Vector, _ associatedData: [String]) throws {
        session = vector.hex("sidHex")
        scalars = ["yaHex", "ybHex"].map(vector.hex)
        let shares = try ["YaHex", "YbHex"].map { try #require(CPace.Share(vector.hex($0))) }
        messages = zip(shares, associatedData).map { CPace.Message($0, associatedData: vector.hex($1)) }
    }

    func key(as role: CPace.Role) throws -> [UInt8] {
        let index = role == .initiator ? 0 : 1
        return try key(as: role, scalar: index, ours: messages[index], theirs: messages[1 - index])
    }

    func key(
        as role: CPace.Role, scalar index: Int, ours: CPace.Message, theirs: CPace.Message
    ) throws -> [UInt8] {
        guard let scalar = Ristretto255.Scalar(adopting: SecretBytes(testOnly: scalars[index])) else {
            throw PairingTestFailure()
        }
        return CPace.sessionKey(scalar: scalar, as: role, ours: ours, theirs: theirs, session: session)
            .testOnlyBytes()
    }
}

struct PairingTestFailure: Error {}

@Suite("CPace: draft-irtf-cfrg-cpace-21, CPACE-RISTR255-SHA512")
struct CPaceTests {
    @Test("the draft's generator, shares, shared element and key", arguments: draft)
    func published(_ vector: Vector) throws {
        let generator = CPace.generator(
            password: vector.secret("PRSHex"), channel: vector.hex("CIHex"), session: vector.hex("sidHex"))
        let encoded = generator.withBytes { [UInt8](copying: $0) }
        #expect(encoded == vector.hex("gHex"))
        for (scalar, share, other) in [("yaHex", "YaHex", "YbHex"), ("ybHex", "YbHex", "YaHex")] {
            guard let scalar = Ristretto255.Scalar(adopting: vector.secret(scalar)) else {
                throw PairingTestFailure()
            }
            let made = scalar.publicProduct(with: generator).bytes
            #expect(made == vector.hex(share))
            let theirs = try #require(CPace.Share(vector.hex(other)))
            let shared = scalar.sharedElement(with: theirs).withBytes { [UInt8](copying: $0) }
            #expect(shared == vector.hex("KHex"))
        }
        let exchange = try Exchange(vector, ["ADaHex", "ADbHex"])
        #expect(try exchange.key(as: .initiator) == vector.hex("ISK_IRHex"))
        #expect(try exchange.key(as: .responder) == vector.hex("ISK_IRHex"))
    }

    @Test("the draft's invalid shares are none")
    func invalidShares() {
        let shares = TestData.pairing.at("draft.invalidSharesHex").array ?? []
        #expect(shares.count == 2)
        for share in shares {
            #expect(CPace.Share((try? Hex.decode(share.string ?? "")) ?? []) == nil)
        }
    }

    @Test("the generator and the key of each golden pairing", arguments: pairings)
    func golden(_ vector: Vector) throws {
        let password = SecretBytes(testOnly: Array(vector.text("secretHalf").utf8))
        let (channel, session) = (vector.hex("channelHex"), vector.hex("sidHex"))
        let string = CPace.generatorString(password: password, channel: channel, session: session)
        let (hash, text) = (SHA512.hash(string).testOnlyBytes(), string.testOnlyBytes())
        #expect(text == vector.hex("generatorStringHex"))
        #expect(hash == vector.hex("generatorHashHex"))
        let generator = CPace.generator(password: password, channel: channel, session: session)
            .withBytes { [UInt8](copying: $0) }
        #expect(generator == vector.hex("generatorHex"))
        let exchange = try Exchange(vector, ["adaHex", "adbHex"])
        #expect(try exchange.key(as: .initiator) == vector.hex("iskHex"))
        #expect(try exchange.key(as: .responder) == vector.hex("iskHex"))
    }

    @Test("a password that fills its block, and one that is longer, leave no room for zeros")
    func longPasswords() {
        for (count, zeros) in [(1, 107), (107, 1), (108, 0), (109, 0), (300, 0)] {
            let password = SecretBytes(testOnly: [UInt8](repeating: 0x61, count: count))
            let string = CPace.generatorString(password: password, channel: [], session: [7])
                .testOnlyBytes()
            let prefix =
                [0x11] + Array("CPaceRistretto255".utf8) + (count < 128 ? [UInt8(count)] : [0xAC, 2])
            let rest = [UInt8(zeros)] + [UInt8](repeating: 0, count: zeros) + [0, 1, 7]
            #expect(string == prefix + [UInt8](repeating: 0x61, count: count) + rest, "\(count)")
        }
    }

    @Test("the key depends on every share, on both associated data, on the session and on who began")
    func everything() throws {
        let exchange = try Exchange(draft[0], ["ADaHex", "ADbHex"])
        let (ours, theirs) = (exchange.messages[0], exchange.messages[1])
        let key = try exchange.key(as: .initiator)
        func other(_ ours: CPace.Message, _ theirs: CPace.Message, as role: CPace.Role = .initiator) throws {
            #expect(try exchange.key(as: role, scalar: 0, ours: ours, theirs: theirs) != key)
        }
        try other(CPace.Message(ours.share, associatedData: Array("ADA".utf8)), theirs)
        try other(ours, CPace.Message(theirs.share, associatedData: Array("ADB".utf8)))
        try other(CPace.Message(theirs.share, associatedData: ours.associatedData), theirs)
        try other(ours, CPace.Message(ours.share, associatedData: theirs.associatedData))
        try other(ours, theirs, as: .responder)
        var later = exchange
        later.session[0] ^= 1
        #expect(try later.key(as: .initiator) != key)
    }
}
