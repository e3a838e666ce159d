internal import CloserFiles
internal import CloserPrimitives

/// A vault in the memory of this process, for a test or a preview, or for bytes that you keep yourself.
public final class VaultMemoryStorage: VaultStorage {
    /// The name, for messages.
    public let name: String
    private let content: Lock<[UInt8]?>
    private let isLocked = Lock(false)

    /// Holds the bytes of a vault, or is still empty.
    public init(_ name: String = "a vault in memory", holding bytes: [UInt8]? = nil) {
        self.name = name
        content = Lock(bytes)
    }

    /// The vault as its file would be; nil before it is made.
    public var bytes: [UInt8]? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    /// All bytes as they are at one moment.
    public func read() throws(VaultError) -> [UInt8] {
        guard let bytes else { throw .missing(path: name) }
        return bytes
    }

    /// Puts `new` in the place of `old`, or fails and leaves what is there.
    public func replace(_ old: [UInt8]?, by new: [UInt8]) throws(VaultError) {
        try content.withLock { (now) throws(VaultError) in
            guard old != nil || now == nil else { throw .exists(path: name) }
            guard now == old else { throw .outdated(path: name) }
            now = new
        }
    }

    /// Runs `body` while this caller alone changes the vault.
    public func lock<Result>(
        patience: Duration, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let isMine = Patience.retry(for: patience) {
            isLocked.withLock { isHeld -> Bool? in
                defer { isHeld = true }
                return isHeld ? nil : true
            }
        }
        guard isMine == true else { throw .busy(path: name) }
        defer { isLocked.withLock { $0 = false } }
        return try body()
    }
}
