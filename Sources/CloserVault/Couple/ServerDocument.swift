public import CloserKeys

/// Whether the document that the app's server has of a couple is this vault's.
public enum ServerDocument: String, Sendable {
    /// It holds the wrap that this vault gives the server.
    case ours
    /// It holds another wrap: the partner's device made it, perhaps under a new phrase, or it is an old one, or an attacker's. Only the
    /// phrase can tell which.
    case other
}

extension Vault {
    /// Compares the document that the server has with this vault's, without the phrase. It leaves the vault unchanged.
    ///
    /// - Throws: ``VaultError``: `.couple(.missing)`, `.pairing(.answerWaiting)`, `.migration(.lowered)`.
    public func compare(_ document: CoupleDocument, of id: CoupleID) throws(VaultError) -> ServerDocument {
        try read { (transaction) throws(VaultError) in
            let couple = try transaction.couple(id)
            _ = try transaction.migration(of: id, seeing: document, beginningAt: .strict)
            return document.wrap == couple.wrap ? .ours : .other
        }
    }
}
