/// Where the bytes of one vault are: ``VaultFileStorage``, ``VaultServerStorage``, ``VaultMemoryStorage``, or yours, such as a row of a
/// database.
///
/// A vault calls ``replace(_:by:)`` only within ``lock(patience:_:)``, and the other functions at any time, from any thread. What you throw
/// for a store that fails is ``VaultError/cannotRead(path:reason:)`` or ``VaultError/cannotWrite(path:reason:)``.
public protocol VaultStorage: Sendable {
    /// For messages: a file's path as it was named.
    var name: String { get }

    /// All bytes as they are at one moment, or as ``refresh()`` fetched them last; `.missing` if there are none.
    func read() throws(VaultError) -> [UInt8]

    /// Fetches what other devices have stored, for ``read()`` to return. A vault calls it before each change. By default it does nothing.
    func refresh() throws(VaultError)

    /// Keeps a copy of these bytes for a device that is offline: the vault has opened them, and they follow the version that the device
    /// remembers. By default it does nothing.
    func keep(_ bytes: [UInt8])

    /// Puts `new` in the place of `old`, or fails and leaves what is there. Returns once `new` is durable.
    ///
    /// Other bytes than `old` are `.outdated`. With nil there must be nothing, else `.exists`. If the store does not say whether it has
    /// replaced them, throw `.mayBeWritten`: the vault looks. After every other error nothing may have changed.
    func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError)

    /// Runs `body` while this process alone changes the vault; `.busy` if that takes longer than `patience`.
    func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result
}

extension VaultStorage {
    /// Fetches nothing: the bytes are at hand.
    public func refresh() throws(VaultError) {}

    /// Keeps no copy: the bytes are at hand.
    public func keep(_ bytes: [UInt8]) {}
}

/// Nil where nothing is.
func unlessMissing<Content>(_ body: () throws(VaultError) -> Content?) throws(VaultError) -> Content? {
    do { return try body() } catch {
        guard case .missing = error else { throw error }
        return nil
    }
}
