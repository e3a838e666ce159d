/// Why bytes are not a keyset that we take, or a change to a keyset is refused.
public enum KeysetError: Error, Equatable, Sendable {
    /// Not protobuf, or not strict JSON with exactly Tink's members.
    case malformed
    /// Parsed, but written again it is not the same bytes. From a partner or a server only one spelling counts.
    case notCanonical
    /// More bytes than this.
    case tooLarge(maximumByteCount: Int)
    /// More keys than this.
    case tooManyKeys(maximum: Int)
    /// More than the one key that may be there.
    case severalKeys
    /// No keys at all.
    case empty
    /// Two enabled keys have this id: a ciphertext would not say which is meant.
    case duplicateKeyID(UInt32)
    /// No key has the primary's id.
    case primaryMissing(UInt32)
    /// The primary is disabled or destroyed.
    case primaryNotEnabled(UInt32)
    /// A type, curve, hash, point format or inner cipher outside formats §2.2. One such key refuses the whole keyset.
    case unsupportedKeyType
    /// A key version other than 0.
    case unsupportedVersion(UInt32)
    /// A status that is none of enabled, disabled, destroyed.
    case unknownStatus(UInt32)
    /// An output prefix that is none of TINK, LEGACY, RAW, CRUNCHY.
    case unknownPrefix(UInt32)
    /// The key material is of another sort than the type says.
    case wrongMaterialType(UInt32)
    /// An AES key of this many bytes. Only 32 are taken: nobody may talk us down to 16.
    case wrongKeySize(byteCount: Int)
    /// A streaming key whose segments have this many bytes: see ``StreamingParameters/segmentByteCounts``.
    case wrongSegmentSize(byteCount: Int)
    /// A private scalar of 0, or not below the group's order, or a coordinate that does not fit 32 bytes.
    case integerOutOfRange
    /// A public point that is not on the curve.
    case notAPoint
    /// A public point that does not belong to the private scalar beside it.
    case publicKeyMismatch
    /// The keyset holds keys of another kind than this, or of several kinds.
    case wrongKind(expected: KeyMaterial.Kind)
    /// Secret keys where only public ones may be.
    case holdsSecret
    /// No key has this id.
    case noSuchKey(UInt32)
    /// The key is not enabled, so it cannot become the primary.
    case notEnabled(UInt32)
    /// The primary cannot be disabled: another key must take its place first.
    case isPrimary(UInt32)
}
