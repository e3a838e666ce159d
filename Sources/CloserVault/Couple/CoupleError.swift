public import CloserKeys

/// Why nothing was done with a couple. The vault holds what it held.
public enum CoupleError: Error, Equatable, Sendable {
    /// This vault has no couple of that name.
    case unknown
    /// It has one already.
    case exists
    /// The couple stores no wrapped key: there is nothing to recover.
    case notEncrypted
    /// The document has a lower version than this device has seen (SECURITY.md, W9).
    case lowered(to: EncryptionVersion, from: EncryptionVersion)
    /// The key lacks one that this device holds: taking it would lose what that one opens.
    case lacksKey
    /// The key is this device's, before the last rekey.
    case olderKey
    /// The phrase under the code did not open.
    case invite(UnwrapError)
    /// The wrap did not open with the phrase.
    case wrap(UnwrapError)
    /// The couple was rekeyed: an invite would hand out the key that no server has seen.
    case neverInvited
    /// Something else changed the couple's keys at the same time.
    case changedMeanwhile
    /// No invite was made here.
    case noInvite
}
