public import CloserKeys
public import CloserTink

/// Why a couple was not rekeyed. The vault holds what it held.
public enum RekeyError: Error, Equatable, Sendable {
    /// The partner is ourselves.
    case partnerIsSelf
    /// Nobody compared this partner's key on this device.
    case notVerified
    /// Of the two, the partner sends.
    case partnerSends
    /// Of the two, this device sends.
    case weSend
    /// It is for another user.
    case forAnother
    /// Another user than the partner sent it.
    case fromAnother
    /// It did not open, or was not made by the device that was verified.
    case opening(Rekey.OpenError)
    /// It is not the next one: an old one, or one before it is missing.
    case epoch(UInt32, expected: UInt32)
    /// A key that this device holds is not in it.
    case losesKeys
    /// Its primary is one that this device holds already.
    case oldPrimary
    /// No key can be added or taken away.
    case keyset(KeysetError)
    /// Something else changed the couple at the same time.
    case changedMeanwhile
}
