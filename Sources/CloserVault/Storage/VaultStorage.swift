/// Where the bytes of one vault are: ``VaultFileStorage``, ``VaultMemoryStorage``, or yours, such as a row of a database.
///
/// A vault calls ``replace(_:by:)`` only within ``lock(patience:_:)``, and ``read()`` at any time, from any thread. What you throw for a
/// store that fails is ``VaultError/cannotRead(path:reason:)`` or ``VaultError/cannotWrite(path:reason:)``.
public protocol VaultStorage: Sendable {
    /// For messages: a file's path as it was named.
    var name: String { get }

    /// All bytes as they are at one moment; `.missing` if there are none.
    func read() throws(VaultError) -> [UInt8]

    /// Puts `new` in the place of `old`, or fails and leaves what is there. Returns once `new` is durable.
    ///
    /// Other bytes than `old` are `.cannotWrite`. With nil there must be nothing, else `.exists`.
    func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError)

    /// Runs `body` while this process alone changes the vault; `.busy` if that takes longer than `patience`.
    func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result
}
