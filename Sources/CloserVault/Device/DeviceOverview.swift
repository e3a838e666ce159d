/// All that a vault says of itself, at one moment.
package struct DeviceOverview: Sendable {
    package let device: Device
    package let protection: Protection
    package let coupleCount: Int
    /// How often the vault was changed.
    package let changeCount: Int
}

extension Vault {
    /// The file is read once for all of it: a large one takes milliseconds.
    ///
    /// - Throws: ``VaultError``, as whatever reads a vault.
    package var overview: DeviceOverview {
        get throws(VaultError) {
            let now = try current()
            let transaction = try transaction(of: now)
            return DeviceOverview(
                device: try transaction.device, protection: now.lock.protection,
                coupleCount: transaction.count(.couple), changeCount: now.version.changeCount)
        }
    }
}
