public import CloserPrimitives
internal import CloserWire

/// An encrypted value of Fond: the standard base64 of `iv12 ‖ ct ‖ tag16`, CryptoKit's `combined` (formats §6).
public struct FondField: Equatable, Sendable {
    /// 28 bytes more than the plaintext.
    public let combined: [UInt8]

    /// Takes the one spelling in standard base64, in ASCII, without white space.
    public init(parsing text: some Collection<UInt8>) throws(ChatFormatError) {
        do { combined = try Base64.standard.decode(Array(text).span) } catch { throw .malformed }
    }

    fileprivate init(combined: [UInt8]) { self.combined = combined }

    /// Standard base64, in ASCII.
    public var text: [UInt8] { Base64.standard.encodedBytes(combined.span) }
}

extension FondField: CustomStringConvertible {
    /// Takes the one spelling in standard base64, without white space.
    public init(parsing text: String) throws(ChatFormatError) { try self.init(parsing: text.utf8) }

    /// The text.
    public var description: String { Base64.standard.encode(combined) }
}

extension ChatKey {
    /// Seals `plaintext` verbatim; empty is legal. For what Fond knows by type, see ``FondValue``.
    public func seal(
        field plaintext: some Collection<UInt8>, from randomness: Randomness = .system
    ) throws(ChatSealError) -> FondField {
        FondField(combined: try seal(Array(plaintext).span, from: randomness))
    }

    /// Gives back the plaintext. It does not say who wrote it, or when; see ``ChatKey``.
    public func open(_ field: FondField) throws(ChatOpenError) -> [UInt8] {
        // Cut so short that no vector is left, it is still only a field that somebody cut.
        guard field.combined.count >= AESGCM.nonceByteCount else { throw .authenticationFailed }
        return try open(
            field.combined.span.extracting(droppingFirst: AESGCM.nonceByteCount),
            iv: field.combined.span.extracting(first: AESGCM.nonceByteCount))
    }
}
