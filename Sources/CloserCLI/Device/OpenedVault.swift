internal import CloserFiles
internal import CloserVault
internal import Synchronization

/// A vault that was opened, and whether this machine remembers what becomes of it: of an older copy that a person accepts at
/// another place, it remembers nothing.
struct OpenedVault {
    let vault: Vault
    private let isRemembered: Bool
    /// The absolute path of the key file that opened it; nil if a passphrase did.
    let keyFile: String?
    private let lock: LockNote

    init(_ vault: Vault, isRemembered: Bool, keyFile: String?, lock: LockNote = LockNote()) {
        (self.vault, self.isRemembered) = (vault, isRemembered)
        (self.keyFile, self.lock) = (keyFile, lock)
    }

    /// The next change is a new lock: this key file, or a passphrase. It is remembered with the change, before anybody else's turn.
    func willRemember(keyFile: String?) { lock.set(keyFile: keyFile) }

    /// Whether this opens the vault as it is now.
    func isLocked(with lock: borrowing Unlocking) -> Bool {
        (try? LockedVault(at: vault.path))?.opens(with: lock) ?? false
    }

    /// Remembers the vault's new lock: this key file, or a passphrase.
    func remember(keyFile: String?) {
        if isRemembered { KnownVault.remember(vault, keyFile: keyFile) }
    }
}

/// What this run has done to a vault: an output that fails afterwards must not look as if nothing had happened.
enum VaultDeed: String {
    case made, changed

    private static let last = Mutex<VaultDeed?>(nil)

    func note() {
        Self.last.withLock { $0 = self }
        Endings.prepareLastWords()
    }

    static var isNone: Bool { last.withLock { $0 == nil } }

    /// The failure to give a result, and what was done before it.
    static func told(with failure: Failure) -> Failure {
        last.withLock { $0 }.map { failure.adding("the vault was \($0.rawValue) before that") } ?? failure
    }
}

/// What a vault is about to be locked with, for whoever notes its changes.
final class LockNote: Sendable {
    private let keyFile = Mutex<VaultMemory.KeyFile>(.unchanged)

    var value: VaultMemory.KeyFile { keyFile.withLock { $0 } }

    /// An absolute path.
    func set(keyFile path: String?) { keyFile.withLock { $0 = .changed(to: path) } }
}
