public import CloserPrimitives
public import CloserTink
internal import CloserWire

// Fields with the bare key: without what a device knows of how each key came, which ``FieldKey`` adds.

extension CoupleKey {
    /// The most that one field holds: 1 MiB.
    public static let maximumFieldByteCount = 1 << 20

    /// Seals `plaintext` as it is; empty is legal. The token opens for this couple only, and for this place only if there is one.
    ///
    /// Pass `Randomness.pooledForNonces()` to seal many texts faster.
    ///
    /// - Throws: `.plaintextTooLarge`.
    public func seal(
        field plaintext: some Collection<UInt8>, couple: CoupleID, place: FieldPlace? = nil,
        from randomness: Randomness = .system
    ) throws(FieldError) -> FieldToken {
        let plaintext = Array(plaintext)
        guard plaintext.count <= Self.maximumFieldByteCount else { throw .plaintextTooLarge }
        let data = FieldPlace.associatedData(of: couple.bytes, at: place)
        let ciphertext = aead.seal(plaintext.span, associatedData: data.span, from: randomness)
        do { return try FieldToken(ciphertext, .init(for: place)) } catch {
            preconditionFailure("a ciphertext was too short for a token")
        }
    }

    /// Opens a field of this couple, at the place that it was sealed for if there is one.
    ///
    /// - Throws: `.token(.placed)` for an `enc:v2:` token without a place, and `.token(.unbound)` for an `enc:v1:` token at one;
    ///   `.opening(.authenticationFailed)` for a field of another couple or place, and the rest of ``/CloserTink/OpenError``.
    public func open(
        _ token: FieldToken, couple: CoupleID, place: FieldPlace? = nil
    ) throws(FieldError) -> Opened {
        let binding: FieldPlace?
        do { binding = try token.form.binding(at: place) } catch { throw .token(error) }
        let data = FieldPlace.associatedData(of: couple.bytes, at: binding)
        do { return try aead.open(token.ciphertext.span, associatedData: data.span) } catch {
            throw .opening(error)
        }
    }
}
