public import CloserPrimitives
public import CloserTink

/// The key of one answer, as a keybox brings it: a Tink keyset of one key, or 32 raw bytes (formats §5).
public struct OneTimeKey: Sendable {
    private let aead: KeysetAEAD

    /// Takes what a keybox held. 32 bytes are a raw key: its ciphertexts have no prefix.
    package init(_ content: borrowing SecretBytes) throws(KeysetError) {
        let keyset =
            try content.count == AESGCMKey.byteCount
            ? Keyset(raw: AESGCMKey(adopting: content.withBytes { SecretBytes(copying: $0) }))
            : InsecureCleartextKeyset.read(binary: content, .strict)
        try self.init(keyset)
    }

    /// Takes what stands in a file: 32 raw bytes, or a keyset in either form.
    public init(file content: borrowing SecretBytes) throws(KeysetError) {
        if content.count == AESGCMKey.byteCount {
            try self.init(content)
        } else {
            try self.init(try InsecureCleartextKeyset.read(content))
        }
    }

    /// Takes a keyset with exactly one key.
    public init(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.entries.count == 1 else { throw .severalKeys }
        aead = try KeysetAEAD(keyset)
    }

    /// The key in a release, for its recipient. Throws ``OpenError`` for the box and ``KeysetError`` for what is in it.
    public init(
        releasedBy keybox: KeyboxToken, of context: AnswerContext, to recipient: Identifier,
        with identity: Keyset
    ) throws {
        let release = KeyContext.release(context, to: recipient).bytes
        let opened = try HybridBox.open(keybox.box, with: identity, context: release)
        try self.init(opened.plaintext)
    }

    func open(_ token: SealedToken, of context: AnswerContext) throws(OpenError) -> [UInt8] {
        try aead.open(token.ciphertext, associatedData: KeyContext.sealedAnswer(context).bytes).plaintext
    }

    /// The keybox that hands a one-time keyset to a partner.
    package static func release(
        _ keyset: Keyset, of context: AnswerContext, to recipient: Identifier, key: PublicKeyToken,
        from randomness: Randomness
    ) throws(HybridSealError) -> KeyboxToken {
        let bytes = InsecureCleartextKeyset.binary(keyset)
        let release = KeyContext.release(context, to: recipient).bytes
        let box = try bytes.withBytes { (bytes) throws(HybridSealError) in
            try HybridBox.seal(bytes, to: key.keyset, context: release.span, from: randomness)
        }
        guard let token = try? KeyboxToken(box) else {
            preconditionFailure("a keyset's box is long enough for a token")
        }
        return token
    }
}
