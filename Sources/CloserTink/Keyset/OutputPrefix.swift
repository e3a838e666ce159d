internal import CloserWire

/// What stands before a ciphertext and names its key: Tink's output prefix.
///
/// It is a hint, not a proof: it is not authenticated.
public enum OutputPrefix: UInt32, CaseIterable, Equatable, Sendable {
    /// `01 ‖ u32be(key id)`.
    case tink = 1
    /// `00 ‖ u32be(key id)`, written before there was ``tink``.
    case legacy = 2
    /// Nothing.
    case raw = 3
    /// `00 ‖ u32be(key id)`.
    case crunchy = 4

    /// 5 bytes for every prefix but ``raw``.
    public static let byteCount = 5

    /// 5, or 0 for ``raw``.
    public var byteCount: Int { self == .raw ? 0 : Self.byteCount }

    /// Appends the prefix of the key `id`.
    func append(keyID id: UInt32, to output: inout OutputSpan<UInt8>) {
        guard self != .raw else { return }
        output.append(self == .tink ? 1 : 0)
        output.append(bigEndian: id)
    }

    /// Whether `ciphertext` begins with the prefix of the key `id`. Never for ``raw``.
    func begins(_ ciphertext: Span<UInt8>, keyID id: UInt32) -> Bool {
        guard self != .raw, ciphertext.count > Self.byteCount else { return false }
        guard ciphertext[0] == (self == .tink ? 1 : 0) else { return false }
        return (0..<4).allSatisfy { ciphertext[1 + $0] == UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) }
    }
}
