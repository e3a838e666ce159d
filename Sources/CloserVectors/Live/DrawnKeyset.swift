internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

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
