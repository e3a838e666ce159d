public import CloserKeys

/// Why nothing was done with a couple. The vault holds what it held.
public enum CoupleError: Error, Equatable, Sendable {
    /// This vault has no couple of that name.
    case unknown
    /// It has one already.
    case exists
    /// The couple stores no wrapped key: there is nothing to recover.
    case notEncrypted
    /// The document has a lower version than this device has seen (security §2, W9).
    case lowered(to: EncryptionVersion, from: EncryptionVersion)
    /// The key lacks one that this device holds: taking it would lose what that one opens.
    case lacksKey
    /// The invite has no code, and none was given.
    case codeMissing
    /// The phrase under the code did not open.
    case invite(UnwrapError)
    /// The wrap did not open with the phrase.
    case wrap(UnwrapError)
    /// No invite was made here.
    case noInvite
}
