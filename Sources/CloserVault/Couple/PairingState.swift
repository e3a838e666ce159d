internal import CloserKeys

/// Whether the server may hold a couple's key (closer-keys-trust(7), STATES).
public enum PairingState: String, Sendable {
    /// The server could have read the invite, so it may hold the key.
    case serverKnown
    /// Safety numbers were compared.
    case verified
    /// The key was replaced by a private one.
    case rekeyed
    /// The key is new, and only this device has it.
    case alone
    /// The key came by a pairing: it is private, and the partner's keys are from a party that knew the code.
    case paired

    /// Whether the key is private: unseen by any server.
    public var isPrivate: Bool { self == .rekeyed || self == .alone || self == .paired }
}

extension Transaction {
    func state(of couple: Couple) throws(VaultError) -> PairingState {
        let partners = try partners(of: couple.id)
        let isVerified = partners.contains { $0.isVerified }
        switch couple.primaryOrigin {
        case .rekey: return .rekeyed
        case .pairing where partners.contains { $0.isVerified && $0.verifiedBy == .code }: return .paired
        case .pairing where partners.allSatisfy({ $0.key == nil }): return .alone
        case .pairing, .invite, .given, .exposed: return isVerified ? .verified : .serverKnown
        }
    }

    /// Whether the key is this device's own, and its partner is still to come.
    func isNotYetPaired(_ couple: Couple) throws(VaultError) -> Bool {
        guard couple.primaryOrigin == .pairing else { return false }
        return try state(of: couple) != .paired
    }
}
