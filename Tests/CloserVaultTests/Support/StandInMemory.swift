import CloserPrimitives
import CloserVault

/// What a device remembers, in the memory of a test.
final class StandInMemory: VaultMemory {
    private let list = Lock<[VaultVersion]>([])
    /// Each version that was remembered, the last one last.
    var versions: [VaultVersion] { list.withLock { $0 } }

    func exchange(_ next: (VaultVersion?) throws -> VaultVersion) throws {
        try list.withLock { list in
            let new = try next(list.last)
            if new != list.last { list.append(new) }
        }
    }
}
