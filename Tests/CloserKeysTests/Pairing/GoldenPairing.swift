import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// One of the golden pairings, and the sides of it, made once more with its random values.
struct GoldenPairing: Sendable, CustomTestStringConvertible {
    let value: JSONValue

    static let all = (TestData.pairing["pairings"]?.array ?? []).map { GoldenPairing(value: $0) }

    static func named(_ name: String) -> GoldenPairing {
        guard let found = all.first(where: { $0.value.text("name") == name }) else {
            preconditionFailure("no golden pairing \(name)")
        }
        return found
    }

    var testDescription: String { value.text("name") }
    var inviter: String { value.text("inviter") }
    var acceptor: String { value.text("acceptor") }

    func document(_ name: String) -> [UInt8] { value.at(name).bytes }

    func offer() throws -> PairOffer { try PairOffer(parsing: document("offer")) }
    func reply() throws -> PairReply { try PairReply(parsing: document("reply")) }
    func grant() throws -> PairGrant { try PairGrant(parsing: document("grant")) }

    static func party(_ name: String) throws -> PairingParty {
        let person = TestData.pairing.at("people.\(name)")
        return PairingParty(
            user: try UserID(parsing: name),
            publicKey: try PublicKeyToken(parsing: person.text("publicKey").utf8),
            x25519PublicKey: try X25519PublicKey(parsing: person.text("x25519PublicKey")))
    }

    /// A scalar as ``Ristretto255/Scalar`` draws it.
    static func draw(_ scalar: [UInt8]) -> [UInt8] { scalar + [UInt8](repeating: 0, count: 32) }

    func openOffer(session: [UInt8]? = nil, scalar: [UInt8]? = nil) throws -> OpenOffer {
        let script =
            (session ?? value.hex("sidHex")) + Self.draw(scalar ?? value.hex("yaHex"))
        return OpenOffer(
            to: try CoupleID(parsing: value.text("coupleId")), from: try Self.party(inviter),
            code: try PairingCode.typed(value.text("typed")), drawingFrom: .testOnlyScript(script))
    }

    func answered(_ offer: PairOffer? = nil, typed: String? = nil) throws -> AnsweredOffer {
        let hold = try self.hold(of: acceptor, at: "before")
        let iv = hold == nil ? [] : value.hex("holdIvHex")
        return try AnsweredOffer(
            answering: offer ?? self.offer(), with: .typed(typed ?? value.text("typed")),
            as: Self.party(acceptor), holding: hold,
            drawingFrom: .testOnlyScript(Self.draw(value.hex("ybHex")) + iv))
    }

    /// What somebody holds `before` or `after` the pairing.
    func hold(of person: String, at time: String) throws -> CoupleHold? {
        let state = value.at(time)[person]
        guard let state, state.members != nil else { return nil }
        return try CoupleHold(golden: state)
    }
}

extension CoupleHold {
    /// From `epoch` and `keysetHex`.
    init(golden value: JSONValue) throws {
        let keyset = SecretBytes(testOnly: value.hex("keysetHex"))
        self.init(
            epoch: UInt32(value.at("epoch").number ?? -1),
            key: try CoupleKey(try InsecureCleartextKeyset.read(binary: keyset, .strict)))
    }

    var keysetBytes: [UInt8] { InsecureCleartextKeyset.binary(key.keyset).testOnlyBytes() }
}

extension PairingCode {
    static func typed(_ text: String) throws(FormatError) -> PairingCode {
        try PairingCode(typed: SecretBytes(testOnly: Array(text.utf8)))
    }
}
