internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Who seals a live case.
enum LiveDirection { case weSeal, theySeal }

/// What one sealing is about, and what the reader knows of it.
struct LiveDraw {
    var comment = ""
    /// What sealing takes.
    let sealing: JSONValue
    /// What opening takes beside the sealed.
    let opening: JSONValue
    /// What opening gives.
    let opened: JSONValue
    /// How many bytes in front of what is sealed name the key.
    var prefixByteCount = 0
    /// Why the reader cannot open it: its key is disabled there. Nil if it is not.
    var error: ErrorID?
    /// Members of which the reader may be told another value.
    var lies: [Lie] = []
    /// What opening takes with all keys; what opens only so was sealed under a key that may not seal.
    var wider: JSONValue?

    /// A member with another value, and the error that this is.
    struct Lie {
        let member: String
        let value: JSONValue
        var error = ErrorID.authFailed
    }
}

extension LiveDraw {
    /// Bytes that are sealed under a keyset, in a context that both sides are told; `lies` have another context.
    init(
        _ plaintext: [UInt8], under keys: DrawnKeyset, for direction: LiveDirection, in context: JSONValue,
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

/// One to three keys of one kind: as the one who seals has them, and as the reader has them.
struct DrawnKeyset {
    let sealer: Keyset
    /// With a primary of its own, and any other key perhaps disabled.
    let reader: Keyset

    /// If we seal, under any of the keys; if the other implementation does, with the keyset that the reader has.
    init(
        for direction: LiveDirection, prefixes: [OutputPrefix] = OutputPrefix.allCases,
        _ template: () -> KeyTemplate
    ) throws {
        var keyset = Keyset(template(), prefix: Draw.pick(prefixes))
        for _ in 0..<Int.random(in: 0...2) {
            keyset = try keyset.adding(template(), prefix: Draw.pick(prefixes))
        }
        let ids = keyset.entries.map(\.id)
        let primary = Draw.pick(ids)
        keyset = try keyset.promoting(primary)
        reader = try ids.filter { $0 != primary && Draw.oneIn(3) }.reduce(keyset) { try $0.disabling($1) }
        sealer = try direction == .weSeal ? keyset.promoting(Draw.pick(ids)) : reader
    }

    /// What a reader has for what the other implementation sealed: the primary alone, for no other key may seal.
    func opening(_ direction: LiveDirection) throws -> Keyset {
        guard direction == .theySeal else { return reader }
        return try reader.entries.map(\.id).filter { $0 != reader.primaryID }.reduce(reader) {
            try $0.removing($1)
        }
    }

    /// Why the reader cannot open what the sealer's primary sealed; nil if the key is enabled.
    var error: ErrorID? {
        let enabled = reader.entries.filter { $0.status == .enabled }
        guard !enabled.contains(where: { $0.id == sealer.primaryID }) else { return nil }
        return enabled.contains { $0.prefix == .raw } ? .authFailed : .noKey
    }
}
