internal import CloserVault

/// A vault that was opened, and whether this machine remembers what becomes of it: of an older copy that a person accepts at
/// another place, it remembers nothing.
struct OpenedVault {
    let vault: Vault
    private let isRemembered: Bool

    init(_ vault: Vault, isRemembered: Bool) { (self.vault, self.isRemembered) = (vault, isRemembered) }

    /// Remembers the vault's new lock: this key file, or a passphrase.
    func remember(keyFile: String?) {
        if isRemembered { KnownVault.remember(vault, keyFile: keyFile) }
    }
}
