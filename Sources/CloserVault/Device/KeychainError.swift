#if canImport(Security)
public import CloserPrimitives
package import CloserWire

/// Why the Keychain has no key or no version for a vault.
public enum KeychainError: Error, Equatable, Sendable {
    /// The device is locked, or was not unlocked since its start. The items may be there: do not make a vault, and try again later.
    case locked
    /// The Keychain has no key of this service: the app has made no vault on this device, or the iCloud Keychain has yet to bring it.
    case noKey
    /// The version that is remembered is damaged. An older state of the vault would open unnoticed: ask the person, then
    /// ``KeychainStore/acceptOlder(_:)``.
    case malformed
    /// The Keychain refused, with a code of Apple's, such as -34018 for a missing entitlement.
    case refused(Int32)
}

extension KeychainError: CloserError {}

extension KeychainError: WordedError {
    package var words: ErrorWords {
        switch self {
        case .locked:
            ErrorWords(
                .notYet, "this device is still locked, so the Keychain is, too", "unlock it, then try again")
        case .noKey:
            ErrorWords(
                .noKey, "the Keychain has no key of this app",
                "wait if another device of yours has it; else recover with your phrase, or pair again")
        case .malformed:
            ErrorWords(.malformed, "what the Keychain has of this app is damaged", "contact the app's makers")
        case .refused(let code):
            ErrorWords(.ioError, "the Keychain refused with the code \(code)", "try again")
        }
    }
}
#endif
