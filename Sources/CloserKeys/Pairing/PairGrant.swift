internal import CloserPrimitives
internal import CloserWire

/// What an inviter gives an acceptor who knew the code: the couple key, sealed (closer-keys-pairing(7), DOCUMENTS). Only the acceptor
/// can open it.
///
/// The inviter's vault makes it, and the acceptor's opens it.
public struct PairGrant: Equatable, Sendable {
    /// The name under which the server keeps it.
    public let lookup: PairingCode.Lookup
    /// The proof that the maker of the offer made this, 32 bytes.
    package let tag: [UInt8]
    /// The ``CoupleGrant``, sealed.
    package let sealed: [UInt8]

    init(_ lookup: PairingCode.Lookup, tag: [UInt8], sealed: [UInt8]) {
        (self.lookup, self.tag, self.sealed) = (lookup, tag, sealed)
    }

    /// Parses the JSON document, and checks the form of all that is in it.
    ///
    /// - Throws: ``DocumentError``.
    public init(parsing text: some Collection<UInt8>) throws(DocumentError) {
        let bytes = Array(text)
        let reader = try DocumentReader(bytes.span, as: .pairGrant)
        let payload = reader.parsed("grant", in: bytes.span) { TokenFormat.grant.pairingPayload($0) }
        self.init(
            reader.lookup(in: bytes.span), tag: Array(payload.prefix(HMACSHA256.byteCount)),
            sealed: Array(payload.dropFirst(HMACSHA256.byteCount)))
    }

    /// The JSON document.
    public var bytes: [UInt8] {
        let token = TokenFormat.grant.pairingText(tag + sealed)
        return JSONValue.object(.pairing(lookup) + [.init("grant", .string(token))]).bytes
    }
}
