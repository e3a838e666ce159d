internal import CloserKeys
internal import CloserWire

/// An operation that seals, the one that opens, and how cases of both are drawn.
struct LivePair: Sendable {
    let seal: String
    let open: String
    /// By Argon2id.
    var isSlow = false
    /// The members that sealing gives.
    let outputs: [String]
    /// Where a flipped bit is `authFailed`, up to the end.
    let sealed: SealedPart
    /// What is new each time.
    let fresh: SealedPart
    /// A nonce, a salt, an ephemeral key or a one-time key.
    let freshName: String
    let draw: @Sendable (LiveDirection) throws -> LiveDraw

    /// Our sealing for the other implementation to open; one in five has a fault, besides those under a disabled key.
    @Sendable func opening() throws -> LiveCase {
        let draw = try draw(.weSeal)
        let output = try OwnImplementation.output(of: seal, draw.sealing)
        if let error = draw.error {
            return draw.refused("by a disabled key", draw.opening.merging(output), error)
        }
        switch Int.random(in: 0..<10) {
        case 0:
            let flipped = try sealed.flippingBit(in: output, behind: draw.prefixByteCount)
            return draw.refused("one bit flipped", draw.opening.merging(flipped), .authFailed)
        case 1 where !draw.lies.isEmpty:
            let lie = Draw.pick(draw.lies)
            let told = draw.opening.merging(output).adding(lie.member, lie.value)
            return draw.refused("another \(lie.member)", told, lie.error)
        default:
            return LiveCase(
                comment: draw.comment, input: draw.opening.merging(output), expectation: .output(draw.opened))
        }
    }

    /// The other implementation's sealing for us to read back.
    @Sendable func sealing() throws -> LiveCase {
        let draw = try draw(.theySeal)
        let readBack = ReadBack(
            operation: open, input: draw.opening, outputs: outputs, expected: draw.opened,
            wider: draw.wider, fresh: { try fresh.bytes(in: $0, behind: draw.prefixByteCount) },
            freshName: freshName)
        return LiveCase(
            comment: draw.comment, input: draw.sealing, expectation: .readable(as: draw.opened),
            readBack: readBack)
    }
}

extension LiveDraw {
    fileprivate func refused(_ fault: String, _ input: JSONValue, _ error: ErrorID) -> LiveCase {
        let comment = [comment, fault].filter { !$0.isEmpty }.joined(separator: ", ")
        return LiveCase(comment: comment, input: input, expectation: .error(error.rawValue))
    }
}

extension OwnImplementation {
    /// What we make of an input that is right.
    fileprivate static func output(of operation: String, _ input: JSONValue) throws -> JSONValue {
        let test = VectorCase(
            operation: operation, id: 0, comment: "", flags: [], input: input.members ?? [],
            expectation: .refusal)
        guard case .output(let output) = OwnImplementation().answer(test).outcome else {
            throw UnexpectedRefusal()
        }
        return output
    }

    /// Our own mistake: a drawn case is always one that we can seal.
    struct UnexpectedRefusal: Error {}
}
