/// All that a vault says of itself, at one moment.
package struct DeviceOverview: Sendable {
    package let device: Device
    package let protection: Protection
    package let coupleCount: Int
    package let changeCount: UInt64
}

extension Vault {
    /// The file is read once for all of it: a large one takes milliseconds.
    package var overview: DeviceOverview {
        get throws(VaultError) {
            let now = try current()
            let transaction = Transaction(now.index, now.key)
            return DeviceOverview(
                device: try transaction.device, protection: now.slot.protection,
                coupleCount: transaction.count(.couple), changeCount: now.version.changeCount)
        }
    }
}
