/// Why bytes are not a keyset that we take, or a change to a keyset is refused.
public enum KeysetError: Error, Equatable, Sendable {
    /// The bytes are neither protobuf nor strict JSON with exactly Tink's members.
    case malformed
    /// The bytes parse, but the keyset is not written again as the same bytes. From a partner or a server only that
    /// spelling is accepted.
    case notCanonical
    /// There are more bytes than this.
    case tooLarge(maximumByteCount: Int)
    /// There are more keys than this.
    case tooManyKeys(maximum: Int)
    /// There are several keys where only one may be.
    case severalKeys
    /// There is no key at all.
    case empty
    /// Two enabled keys have this id, so that a ciphertext would not say which is meant.
    case duplicateKeyID(UInt32)
    /// No key has the primary's id.
    case primaryMissing(UInt32)
    /// The primary is disabled or destroyed.
    case primaryNotEnabled(UInt32)
    /// A type, curve, hash, point format or inner cipher that we do not take (closer-keys-formats(7), TINK, Keysets). One
    /// such key refuses the whole keyset.
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
    /// A private scalar is 0 or not below the group's order, or a coordinate does not fit into 32 bytes.
    case integerOutOfRange
    /// A public point is not on the curve.
    case notAPoint
    /// A public point does not belong to the private scalar beside it.
    case publicKeyMismatch
    /// The keyset holds keys of another kind than this, or of several kinds.
    case wrongKind(expected: KeyMaterial.Kind)
    /// There are secret keys where only public ones may be.
    case holdsSecret
    /// No key has this id.
    case noSuchKey(UInt32)
    /// The key is not enabled, so it cannot become the primary.
    case notEnabled(UInt32)
    /// The primary cannot be disabled: another key must take its place first.
    case isPrimary(UInt32)
}
