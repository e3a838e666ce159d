internal import CloserPrimitives
internal import CloserWire

/// How live cases of an operation that seals are drawn, and those of the operation that reads what it seals.
final class LiveSealing: Sendable {
    let reader: VectorOperation
    /// Whether a key is derived by Argon2id, which takes its time.
    let isSlow: Bool
    /// The part of the output in which any flipped bit must be refused.
    let sealed: SealedPart
    /// With what error it must be.
    let refusal: ErrorID
    /// The part of the output that must be new each time.
    let fresh: SealedPart
    /// What that part is: a nonce, a salt, an ephemeral key, a one-time key or a share.
    let freshName: String
    let draw: @Sendable (LiveDirection) throws -> RandomCase

    init(
        reader: VectorOperation, isSlow: Bool = false, sealed: SealedPart, refusal: ErrorID = .authFailed,
        fresh: SealedPart, freshName: String,
        draw: @escaping @Sendable (LiveDirection) throws -> RandomCase
    ) {
        (self.reader, self.isSlow, self.freshName, self.draw) = (reader, isSlow, freshName, draw)
        (self.sealed, self.refusal, self.fresh) = (sealed, refusal, fresh)
    }
}

extension VectorOperation {
    /// Those that have live cases: first those that read, then those that seal, then what both sides compute.
    package static let withLiveCases =
        all.compactMap { $0.sealing?.reader } + all.filter(\.isSealing)
        + all.filter { $0.computing != nil }

    /// Whether it seals. If it does, each case is asked twice, and the program is started again in between.
    package var isSealing: Bool { sealing != nil }

    /// How many live cases are asked when `count` are wanted: a fiftieth where a key is derived by Argon2id.
    ///
    /// An operation that seals gets at least two, so that a nonce can repeat.
    package func caseCount(outOf count: Int) -> Int {
        max(isSealing || isSlow ? 2 : 1, isSlow ? count / 50 : count)
    }

    var isSlow: Bool { (sealing ?? sealer?.sealing)?.isSlow ?? false }

    /// A fresh case of one of ``withLiveCases``.
    package func draw() throws -> LiveCase {
        if let sealer, let sealing = sealer.sealing { return try sealing.reading(what: sealer) }
        if let sealing { return try sealing.sealingCase() }
        guard let computing else { preconditionFailure("\(name) has no live cases") }
        return try computing()
    }

    /// The operation whose output this one reads.
    private var sealer: VectorOperation? { Self.all.first { $0.sealing?.reader.name == name } }
}

extension LiveSealing {
    /// A case that we seal and the other implementation opens. Besides those under a disabled key, one in five has a fault.
    fileprivate func reading(what seal: VectorOperation) throws -> LiveCase {
        let draw = try draw(.weSeal)
        // We can seal everything that is drawn. An error here is a mistake of ours, and ends the run.
        let input = VectorInput(members: draw.sealing.members ?? [])
        let output = try seal.output(of: input, from: .system)
        if let error = draw.error {
            return draw.refused("by a disabled key", draw.opening.merging(output), error)
        }
        switch Int.random(in: 0..<10) {
        case 0:
            let flipped = try sealed.flippingBit(in: output, behind: draw.prefixByteCount)
            return draw.refused("one bit flipped", draw.opening.merging(flipped), refusal)
        case 1 where !draw.lies.isEmpty:
            let lie = RandomValue.pick(draw.lies)
            let told = draw.opening.merging(output).adding(lie.member, lie.value)
            return draw.refused("another \(lie.member)", told, lie.error)
        default:
            return LiveCase(
                comment: draw.comment, input: draw.opening.merging(output), expectation: .output(draw.opened))
        }
    }

    /// A case that the other implementation seals and we read back.
    fileprivate func sealingCase() throws -> LiveCase {
        let draw = try draw(.theySeal)
        let readBack = ReadBack(
            operation: reader, input: draw.opening, expected: draw.opened, wider: draw.wider, fresh: fresh,
            freshName: freshName, prefixByteCount: draw.prefixByteCount)
        return LiveCase(
            comment: draw.comment, input: draw.sealing, expectation: .readable(as: draw.opened),
            readBack: readBack)
    }
}

extension RandomCase {
    fileprivate func refused(_ fault: String, _ input: JSONValue, _ error: ErrorID) -> LiveCase {
        let comment = [comment, fault].filter { !$0.isEmpty }.joined(separator: ", ")
        return LiveCase(comment: comment, input: input, expectation: .error(error.rawValue))
    }
}
