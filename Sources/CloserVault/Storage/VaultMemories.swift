internal import CloserFiles
internal import CloserWire

/// The folder in which a machine remembers vaults: a small file for each, mode 0600, named by the vault's id.
///
/// Each file is changed in place under an advisory lock, so that of several processes the one that saw the newest vault is
/// believed. Nothing waits for the disk: after a power failure the machine may remember less, which is said when it is
/// missed.
public struct VaultMemories: Sendable {
    private static let suffix = ".json"
    /// Two paths of 4 KiB, with each of their bytes escaped.
    private static let maximumByteCount = 64 * 1024

    private let folder: String

    /// The folder need not be there; ``remember(_:forgettingNewer:)`` makes it, for its owner alone.
    public init(in folder: String) { self.folder = folder }

    /// What is remembered of a vault; nil if nothing is, or nothing that can be read.
    public func memory(of id: VaultID) -> VaultMemory? {
        let bytes = try? SharedFile.read(path(of: id), maximumByteCount: Self.maximumByteCount)
        return bytes.flatMap { VaultMemory(of: id, parsing: $0) }
    }

    /// All that is remembered, in the order of the ids.
    public func all() -> [VaultMemory] {
        Folder.names(in: folder).compactMap { name in
            guard name.hasSuffix(Self.suffix),
                let bytes = try? Hex.decode(String(name.dropLast(Self.suffix.count)))
            else { return nil }
            return VaultID(bytes).flatMap(memory)
        }
    }

    /// All vaults that were seen at a path.
    public func memories(at vaultPath: String) -> [VaultMemory] {
        all().filter { $0.vaultPath.map { $0.utf8.elementsEqual(vaultPath.utf8) } ?? false }
    }

    /// Remembers a vault from now on. Of its states the newest that anybody saw is kept, unless `forgettingNewer`: then a person
    /// has said that an older one is the vault.
    ///
    /// - Throws: ``VaultError/cannotWrite(path:reason:)``.
    public func remember(_ memory: VaultMemory, forgettingNewer: Bool = false) throws(VaultError) {
        do throws(FileError) {
            try Folder.make(folder)
            try SharedFile.update(path(of: memory.id), maximumByteCount: Self.maximumByteCount) { old in
                let known = forgettingNewer ? nil : VaultMemory(of: memory.id, parsing: old)
                return memory.merging(known?.version).bytes
            }
        } catch { throw VaultError(error) }
    }

    /// Remembers nothing more of a vault.
    public func forget(_ id: VaultID) { Folder.removeFile(path(of: id)) }

    private func path(of id: VaultID) -> String { "\(folder)/\(id)\(Self.suffix)" }
}
