internal import CloserTink
internal import CloserWire

/// Who seals a live case.
enum LiveDirection { case weSeal, theySeal }

/// What is drawn for one sealing: what the sealing side is given, and what the opening side.
struct RandomCase {
    var comment = ""
    /// The members that sealing takes.
    let sealing: JSONValue
    /// The members that opening takes beside those that sealing gives.
    let opening: JSONValue
    let opened: JSONValue
    /// How many bytes at the beginning of the sealed text name the key.
    var prefixByteCount = 0
    /// The error of a reader for whom the key is disabled; nil if it is enabled.
    var error: ErrorID?
    /// Wrong values that the reader may be told, so that it must refuse.
    var lies: [Lie] = []
    /// `opening` with a keyset of all keys. What opens only with these was sealed under a key that is not the primary.
    var wider: JSONValue?

    /// A wrong value for a member, and the error with which a reader must refuse it.
    struct Lie {
        let member: String
        let value: JSONValue
        var error = ErrorID.authFailed
    }
}

extension RandomCase {
    /// Bytes to be sealed under a keyset, in a context that both sides are told.
    init(
        _ plaintext: [UInt8], under keys: RandomKeyset, for direction: LiveDirection, in context: JSONValue,
        sealingKey: JSONValue, lies: [Lie]
    ) throws {
        self.init(
            comment: "\(plaintext.count) bytes",
            sealing: context.merging(sealingKey).adding("plaintext", .hexText(plaintext)),
            opening: context.adding("keyset", .keyset(try keys.opening(direction))),
            opened: .hex("plaintext", plaintext), prefixByteCount: keys.sealer.primary.prefix.byteCount,
            error: keys.error, lies: lies, wider: context.adding("keyset", .keyset(keys.reader)))
    }
}

/// A keyset of one to three keys of one kind, as the sealing side has it and as the reader has it.
struct RandomKeyset {
    let sealer: Keyset
    /// The reader may have another primary, and any of its other keys may be disabled.
    let reader: Keyset

    /// When we seal, our primary may be any of the keys. When the other implementation seals, it gets the reader's keyset.
    init(
        for direction: LiveDirection, prefixes: [OutputPrefix] = OutputPrefix.allCases,
        _ template: () -> KeyTemplate
    ) throws {
        var keyset = Keyset(template(), prefix: RandomValue.pick(prefixes))
        for _ in 0..<Int.random(in: 0...2) {
            keyset = try keyset.adding(template(), prefix: RandomValue.pick(prefixes))
        }
        let ids = keyset.entries.map(\.id)
        let primary = RandomValue.pick(ids)
        keyset = try keyset.promoting(primary)
        reader = try ids.filter { $0 != primary && RandomValue.oneIn(3) }.reduce(keyset) {
            try $0.disabling($1)
        }
        sealer = try direction == .weSeal ? keyset.promoting(RandomValue.pick(ids)) : reader
    }

    /// What the reader opens with. What the other implementation sealed must open under the primary alone, since no
    /// other key may seal.
    func opening(_ direction: LiveDirection) throws -> Keyset {
        guard direction == .theySeal else { return reader }
        return try reader.entries.map(\.id).filter { $0 != reader.primaryID }.reduce(reader) {
            try $0.removing($1)
        }
    }

    /// The error of a reader for whom the sealer's primary is disabled; nil if it is enabled.
    var error: ErrorID? {
        let enabled = reader.entries.filter { $0.status == .enabled }
        guard !enabled.contains(where: { $0.id == sealer.primaryID }) else { return nil }
        return enabled.contains { $0.prefix == .raw } ? .authFailed : .noKey
    }
}
