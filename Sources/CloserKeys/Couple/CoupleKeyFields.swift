public import CloserPrimitives
public import CloserTink
package import CloserWire

// Fields with the bare key: without what a device knows of how each key came, which ``FieldKey`` adds.

extension CoupleKey {
    /// The most that one field holds: 1 MiB.
    public static let maximumFieldByteCount = 1 << 20

    /// Seals `plaintext` as it is; empty is legal. The token opens for this couple only.
    ///
    /// Pass `Randomness.pooledForNonces()` to seal many texts faster.
    ///
    /// - Throws: `.plaintextTooLarge`.
    public func seal(
        field plaintext: some Collection<UInt8>, couple: CoupleID, from randomness: Randomness = .system
    ) throws(FieldSealError) -> FieldToken {
        try seal(field: Array(plaintext).span, couple: couple, from: randomness)
    }

    /// Seals `plaintext` as it is; empty is legal. The token opens for this couple and this place only.
    ///
    /// - Throws: `.plaintextTooLarge`.
    public func seal(
        field plaintext: some Collection<UInt8>, couple: CoupleID, place: FieldPlace,
        from randomness: Randomness = .system
    ) throws(FieldSealError) -> PlacedFieldToken {
        try seal(field: Array(plaintext).span, couple: couple, place: place, from: randomness)
    }

    /// Opens a field of this couple.
    ///
    /// - Throws: `OpenError`.
    public func open(_ token: FieldToken, couple: CoupleID) throws(OpenError) -> Opened {
        try open(field: token.ciphertext.span, boundTo: couple.bytes)
    }

    /// Opens a field of this couple that was sealed for this place.
    ///
    /// - Throws: `OpenError`: `.authenticationFailed` for a field of another place.
    public func open(
        _ token: PlacedFieldToken, couple: CoupleID, place: FieldPlace
    ) throws(OpenError) -> Opened {
        let binding = FieldBinding.place(place)
        return try open(field: token.ciphertext.span, boundTo: binding.associatedData(of: couple.bytes))
    }

    /// Seals with the randomness of the caller's; a test gives a scripted one.
    package func seal(
        field plaintext: Span<UInt8>, couple: CoupleID, from randomness: Randomness
    ) throws(FieldSealError) -> FieldToken {
        try token(sealing: plaintext, boundTo: couple.bytes, from: randomness)
    }

    /// Seals for a place with the randomness of the caller's.
    package func seal(
        field plaintext: Span<UInt8>, couple: CoupleID, place: FieldPlace, from randomness: Randomness
    ) throws(FieldSealError) -> PlacedFieldToken {
        let binding = FieldBinding.place(place)
        return try token(
            sealing: plaintext, boundTo: binding.associatedData(of: couple.bytes), from: randomness)
    }

    func open(field ciphertext: Span<UInt8>, boundTo data: [UInt8]) throws(OpenError) -> Opened {
        try aead.open(ciphertext, associatedData: data.span)
    }

    private func token<Kind: CiphertextKind>(
        sealing plaintext: Span<UInt8>, boundTo data: [UInt8], from randomness: Randomness
    ) throws(FieldSealError) -> Token<Kind> {
        guard plaintext.count <= Self.maximumFieldByteCount else { throw .plaintextTooLarge }
        let ciphertext = aead.seal(plaintext, associatedData: data.span, from: randomness)
        do { return try Token(ciphertext) } catch {
            preconditionFailure("a ciphertext was too short for a token")
        }
    }
}

/// Why sealing a field failed.
public enum FieldSealError: Error, Equatable, Sendable {
    /// More than ``CoupleKey/maximumFieldByteCount`` bytes.
    case plaintextTooLarge
}

extension FieldSealError: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { words.text }
}

extension FieldSealError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.limit, "a field holds at most \(CoupleKey.maximumFieldByteCount) bytes")
    }
}
