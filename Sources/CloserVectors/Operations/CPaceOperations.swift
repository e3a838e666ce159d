internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

/// CPace, as its draft has it, without what a pairing puts into it.
enum CPaceOperations {
    static let all = [generator, agree]

    static let generator = VectorOperation(
        "cpace.generator", file: "cpace.json", takes: "password channel session", gives: "generator"
    ) { input in
        let generator = CPace.generator(
            password: try input.secretHex("password"), channel: try input.hex("channel"),
            session: try input.hex("session"))
        return .hex("generator", generator.withBytes { Array(copying: $0) })
    }

    static let agree = VectorOperation(
        "cpace.agree", file: "cpace.json",
        takes: "role password channel session scalar associatedData peerShare peerAssociatedData",
        gives: "share sessionKey",
        trace: { test, trace in
            let shared = try test.input.scalar("scalar").sharedElement(with: try test.input.peerShare())
            trace.add("sharedSecret", shared.withBytes { Array(copying: $0) })
        },
        drawn: draw, run: agree)

    @Sendable private static func agree(_ input: VectorInput) throws -> JSONValue {
        let scalar = try input.scalar("scalar")
        let session = try input.hex("session")
        let theirs = CPace.Message(
            try input.peerShare(), associatedData: try input.hex("peerAssociatedData"))
        let generator = CPace.generator(
            password: try input.secretHex("password"), channel: try input.hex("channel"), session: session)
        let ours = CPace.Message(
            scalar.publicProduct(with: generator), associatedData: try input.hex("associatedData"))
        let key = CPace.sessionKey(
            scalar: scalar, as: try input.role(), ours: ours, theirs: theirs, session: session)
        return [
            "share": .hexText(ours.share.bytes), "sessionKey": .hexText(key.withBytes { Array(copying: $0) }),
        ]
    }

    /// What we compute is expected of the other. The peer's share has the same generator, or any other.
    @Sendable private static func draw() throws -> LiveCase {
        let password = RandomValue.bytes(0...200), channel = RandomValue.bytes(0...300),
            session = RandomValue.bytes(0...40)
        let generator = CPace.generator(
            password: SecretBytes(copying: password.span), channel: channel, session: session)
        let peerShare = Ristretto255.Scalar.random().publicProduct(with: generator)
        let input: JSONValue = [
            "role": .string(RandomValue.pick(["initiator", "responder"])), "password": .hexText(password),
            "channel": .hexText(channel), "session": .hexText(session),
            "scalar": .hexText(Ristretto255.Scalar.random().withBytes { Array(copying: $0) }),
            "associatedData": .hexText(RandomValue.bytes(0...300)), "peerShare": .hexText(peerShare.bytes),
            "peerAssociatedData": .hexText(RandomValue.bytes(0...300)),
        ]
        let output = try agree(VectorInput(members: input.members ?? []))
        return LiveCase(
            comment: "a password of \(password.count) bytes", input: input, expectation: .output(output))
    }
}

extension VectorInput {
    /// A scalar from 1 to ℓ − 1.
    func scalar(_ name: String) throws -> Ristretto255.Scalar {
        guard let scalar = Ristretto255.Scalar(adopting: try secretHex(name)) else {
            throw PairingError.malformed
        }
        return scalar
    }

    fileprivate func peerShare() throws -> CPace.Share {
        guard let share = CPace.Share(try hex("peerShare")) else { throw PairingError.malformed }
        return share
    }

    fileprivate func role() throws -> CPace.Role {
        switch try text("role") {
        case "initiator": .initiator
        case "responder": .responder
        default: throw MemberFault(name: "role")
        }
    }
}
