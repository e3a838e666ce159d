/// Your app's server, as far as a vault needs it: one object of this user, and a tag that changes with it.
///
/// The server replaces the object only if the tag still fits, in one step: over HTTP a strong `ETag` with `If-Match`, and
/// `If-None-Match: *` for a new object (RFC 9110 §13.1), in Cloud Storage the generation. The object has at most
/// ``Vault/maximumByteCount`` bytes, and belongs to its user alone. Keep the last 20 states for 30 days.
///
/// Both functions block, and end within 8 seconds. ``VaultStorageChecks`` tries yours.
public protocol VaultServer: Sendable {
    /// For messages, such as "your account".
    var name: String { get }

    /// Fetches the object and its tag; nil if the object still has `tag`.
    ///
    /// - Throws: ``VaultError``: `.missing` if there is no object, and `.cannotRead` if the server was not reached.
    func fetch(unless tag: String?) throws(VaultError) -> (bytes: [UInt8], tag: String)?

    /// Stores an object over the one that has `tag`, or where none is, and returns the new tag.
    ///
    /// - Throws: ``VaultError``: `.outdated` if the tag does not fit, or if there is an object and `tag` is nil; `.cannotWrite` if the server
    ///   refused; and `.mayBeWritten` if no answer came.
    func store(_ bytes: [UInt8], over tag: String?) throws(VaultError) -> String
}
