package import CloserPrimitives
package import CloserTink
internal import CloserWire

/// An answer that is still closed: sealed under a key of its own, and committed to.
///
/// Publish ``token`` and ``commitment``. Keep ``oneTimeKey`` until the answer is released: only this key opens the
/// token, its author included. The format is closer-keys-formats(7), SEALED ANSWERS.
package struct SealedAnswer: Sendable {
    /// The sealed payload.
    package let token: SealedToken
    /// The author's promise of what is in it.
    package let commitment: Commitment
    /// A keyset with one AES-256-GCM key, which opens this answer alone.
    package let oneTimeKey: Keyset

    /// Seals under a fresh key.
    package init(_ payload: AnswerPayload, of context: AnswerContext, from randomness: Randomness = .system) {
        let key = Keyset(.aes256GCM, from: randomness)
        self.init(payload, of: context, under: key, from: randomness)
    }

    /// An answer that was sealed before, from where it was kept.
    package init(token: SealedToken, commitment: Commitment, oneTimeKey: Keyset) {
        (self.token, self.commitment, self.oneTimeKey) = (token, commitment, oneTimeKey)
    }

    /// Seals under a given key, which must be of one AES-256-GCM key.
    package init(
        _ payload: AnswerPayload, of context: AnswerContext, under key: Keyset, from randomness: Randomness
    ) {
        guard let aead = try? KeysetAEAD(key) else {
            preconditionFailure("a one-time key is an AES-256-GCM key")
        }
        let associatedData = KeyContext.sealedAnswer(context).bytes
        let ciphertext = aead.seal(payload.bytes.span, associatedData: associatedData.span, from: randomness)
        guard let token = try? SealedToken(ciphertext) else {
            preconditionFailure("a payload was too short for a token")
        }
        (self.token, commitment, oneTimeKey) = (token, Commitment(to: payload.bytes), key)
    }

    /// Seals the one-time key to the partner, who can then open the answer.
    ///
    /// - Important: A public key is anonymous. Have it verified first.
    package func release(
        of context: AnswerContext, to recipient: UserID, key: PublicKeyToken,
        from randomness: Randomness = .system
    ) -> KeyboxToken {
        Self.release(oneTimeKey, of: context, to: recipient, key: key, from: randomness)
    }

    /// Seals a one-time key whose text was dropped, as ``release(of:to:key:from:)`` does.
    package static func release(
        _ oneTimeKey: Keyset, of context: AnswerContext, to recipient: UserID, key: PublicKeyToken,
        from randomness: Randomness = .system
    ) -> KeyboxToken {
        let release = KeyContext.release(context, to: recipient).bytes
        let box = InsecureCleartextKeyset.binary(oneTimeKey).withBytes {
            try? HybridBox.seal($0, to: key.keyset, context: release.span, from: randomness)
        }
        guard let box, let token = try? KeyboxToken(box) else {
            preconditionFailure("a keyset fits into a keybox, and four identifiers into HKDF")
        }
        return token
    }
}

/// The key of one answer, as its reader gets it: from the keybox of a release, or from a file.
///
/// It is a Tink keyset of one key, or 32 raw bytes (closer-keys-formats(7), SEALED ANSWERS, Release).
package struct OneTimeKey: Sendable {
    private let aead: KeysetAEAD

    /// Takes a keyset with exactly one AES-256-GCM key.
    ///
    /// - Throws: `.severalKeys` or `.wrongKind`.
    package init(_ keyset: Keyset) throws(KeysetError) {
        guard keyset.entries.count == 1 else { throw .severalKeys }
        aead = try KeysetAEAD(keyset)
    }

    /// Takes what a keybox held: 32 raw bytes, or a binary keyset, read strictly.
    ///
    /// Ciphertexts of a raw key lack a prefix.
    package init(_ content: borrowing SecretBytes) throws(KeysetError) {
        let keyset =
            try content.count == AESGCMKey.byteCount
            ? Keyset(raw: AESGCMKey(adopting: content.withBytes { SecretBytes(copying: $0) }))
            : InsecureCleartextKeyset.read(binary: content, .strict)
        try self.init(keyset)
    }

    /// Reads the content of a file: 32 raw bytes, or a keyset in either form.
    ///
    /// - Throws: Any `KeysetError` of reading, and those of ``init(_:)``.
    package init(file content: borrowing SecretBytes) throws(KeysetError) {
        if content.count == AESGCMKey.byteCount {
            try self.init(content)
        } else {
            try self.init(try InsecureCleartextKeyset.read(content))
        }
    }

    /// The key in a release, for its recipient.
    ///
    /// - Throws: `OpenError` if the box does not open, `KeysetError` if it holds no key.
    package init(
        releasedBy keybox: KeyboxToken, of context: AnswerContext, to recipient: UserID,
        with identity: Keyset
    ) throws {
        let release = KeyContext.release(context, to: recipient).bytes
        let opened = try HybridBox.open(keybox.box, with: identity, context: release)
        try self.init(opened.plaintext)
    }

    /// The bytes that were sealed, before any other check; see ``UncheckedAnswer``.
    func open(_ token: SealedToken, of context: AnswerContext) throws(OpenError) -> [UInt8] {
        try aead.open(token.ciphertext, associatedData: KeyContext.sealedAnswer(context).bytes).plaintext
    }
}
