#if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
public import Foundation
/// An error that Foundation shows, too: as `localizedDescription`, in an alert, and with the domain and the code of an `NSError`.
public typealias ShownError = LocalizedError & CustomNSError
#else
/// An error that Foundation shows, too, where it is there.
public typealias ShownError = Error
#endif

/// What each public error of this library has: an id that never changes, and sentences for a person who uses an app.
///
/// `description` says what happened and what to do to a developer, without a byte of the input. An app that shows an error compares
/// ``id``, and brings words of its own in each of its languages.
public protocol CloserError: ShownError, CustomStringConvertible {
    /// Its name, such as `authFailed`, also in the JSON of the program. It stays, and names are added. Several errors share one.
    var id: String { get }
    /// The number of ``id`` as the code of an `NSError`, from 1. It stays.
    var code: Int { get }
    /// What happened: an English sentence for a person who uses an app.
    var summary: String { get }
    /// What to do: an English sentence; nil where the summary says it.
    var remedy: String? { get }
}

#if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
extension CloserError {
    /// ``summary``, for `localizedDescription` and alerts.
    public var errorDescription: String? { summary }
    /// ``remedy``, for the second line of an alert.
    public var recoverySuggestion: String? { remedy }
    /// None: the summary has it.
    public var failureReason: String? { nil }
    /// None.
    public var helpAnchor: String? { nil }
    /// The name of the type, such as `CloserVault.VaultError`.
    public static var errorDomain: String { String(reflecting: Self.self) }
    /// ``code``.
    public var errorCode: Int { code }
    /// Both sentences: not every Foundation asks for them where there is a domain.
    public var errorUserInfo: [String: Any] {
        var texts = [NSLocalizedDescriptionKey: summary]
        texts[NSLocalizedRecoverySuggestionErrorKey] = remedy
        return texts
    }
}
#endif
