/// The policy of this device.
public struct Policy: Equatable, Sendable {
    /// Whether a couple needs a pairing: legacy invites, and releases to an unverified key, are refused.
    public var requiresPairing: Bool

    /// The policy of a new device allows everything.
    public init(requiresPairing: Bool = false) { self.requiresPairing = requiresPairing }
}

extension Policy: Record {
    static let kind = RecordKind.policy
    static let id = RecordID()
    var recordID: RecordID { Self.id }
    var maximumByteCount: Int { 16 }

    init(_ fields: inout RecordFields, in bytes: Span<UInt8>) throws(VaultError) {
        requiresPairing = try fields.flag(in: bytes)
    }

    func write(to output: inout OutputSpan<UInt8>) { output.append(field: requiresPairing) }
}

extension Vault {
    /// The policy of this device.
    ///
    /// - Throws: ``VaultError``, as each verb that reads.
    public var policy: Policy {
        get throws(VaultError) { try read { (transaction) throws(VaultError) in try transaction.policy } }
    }

    /// Changes the policy of this device.
    ///
    /// - Throws: ``VaultError``, as each verb that changes.
    public func setPolicy(_ policy: Policy) throws(VaultError) {
        try change { (transaction) throws(VaultError) in
            guard try transaction.policy != policy else { return }
            transaction.put(policy)
        }
    }
}

extension Transaction {
    var policy: Policy {
        get throws(VaultError) { try record(Policy.self, Policy.id) ?? Policy() }
    }

    /// Refuses what a server could read.
    func checkAllowsInvites() throws(VaultError) {
        guard try !policy.requiresPairing else { throw .pairing(.required) }
    }
}
