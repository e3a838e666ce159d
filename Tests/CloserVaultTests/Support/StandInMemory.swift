import CloserPrimitives
import CloserVault

/// What a device remembers, in the memory of a test.
final class StandInMemory: VaultMemory {
    private let list = Lock<[VaultVersion]>([])
    /// Each version that was remembered, the last one last.
    var versions: [VaultVersion] { list.withLock { $0 } }

    func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws {
        try list.withLock { $0.append(try next($0.last)) }
    }
}
