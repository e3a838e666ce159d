internal import CloserKeys
internal import CloserTink

/// A change of a couple that is prepared outside of the vault's lock: all that takes long is done, and the vault is as before.
///
/// The caller brings its phrase to paper or to a file first: if that fails, the vault is as before.
protocol CoupleStep: ~Copyable {
    associatedtype Outcome = Void

    /// The recovery phrase that the change brings the couple; nil if the couple keeps its own.
    borrowing func newPhrase() -> StoredPhrase?

    /// Checks that the vault is as it was when the step was prepared, and makes the change.
    borrowing func apply(to transaction: inout Transaction) throws(VaultError) -> Outcome
}

extension Vault {
    /// Makes the change, in one transaction. Where the vault keeps a phrase, the step's takes its place.
    func carryOut<Step: CoupleStep & ~Copyable>(_ step: borrowing Step) throws(VaultError) -> Step.Outcome {
        try change { (transaction) throws(VaultError) in
            let outcome = try step.apply(to: &transaction)
            if let phrase = step.newPhrase() { try transaction.replaceKept(by: phrase) }
            return outcome
        }
    }
}

/// The couple that a step was prepared for, as it was then.
@usableFromInline struct CoupleBasis: Sendable {
    let id: CoupleID
    /// Nil if there was none.
    let couple: Couple?
    /// What was forgotten of one of that name.
    let former: ForgottenCouple?

    /// Whether the couple came, went, or got other keys since.
    func hasChanged(in transaction: Transaction) throws(VaultError) -> Bool {
        let now = try transaction.record(Couple.self, Couple.id(id))
        guard let now, let couple else { return (now == nil) != (couple == nil) }
        return !now.hasSameKeys(as: couple) || now.origins != couple.origins
    }
}

extension Transaction {
    func basis(of id: CoupleID) throws(VaultError) -> CoupleBasis {
        CoupleBasis(
            id: id, couple: try record(Couple.self, Couple.id(id)),
            former: try record(ForgottenCouple.self, ForgottenCouple.id(id)))
    }
}

extension Couple {
    /// Whether the couple is as it was: both hold the same keys, and the same one seals.
    func hasSameKeys(as other: Couple) -> Bool {
        epoch == other.epoch && retired == other.retired && key.hasSameKeys(as: other.key)
            && key.keyset.primaryID == other.key.keyset.primaryID
    }
}

extension CoupleKey {
    func hasSameKeys(as other: CoupleKey) -> Bool { hasAllKeys(of: other) && other.hasAllKeys(of: self) }
}
