internal import CloserKeys
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
    /// What stands before the sealed and names the key.
    var prefixByteCount = 0
    /// Why the reader cannot open it even so: its key is disabled there.
    var error: ErrorID?
    /// What the reader may be told in place of the truth.
    var lies: [Lie] = []
    /// A wider reader: what only it can open was sealed under a key that may not seal.
    var wider: JSONValue?

    /// A member with another value, and the error that this is.
    struct Lie {
        let member: String
        let value: JSONValue
        var error = ErrorID.authFailed
    }
}

extension LiveDraw {
    /// Bytes that are sealed under a keyset, in a context that both sides are told, of which `lies` are others.
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
