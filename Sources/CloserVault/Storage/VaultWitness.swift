/// Somebody who remembers in which state a vault was seen, in a place that whoever writes the vault's file cannot write.
///
/// The vault asks before it reads its file, each time, so that also what another process saw counts.
public struct VaultWitness: Sendable {
    let known: @Sendable () throws(VaultError) -> VaultVersion?
    let note: @Sendable (VaultVersion) throws(VaultError) -> Void

    /// - Parameters:
    ///   - known: The newest state that anybody saw; nil if nobody did.
    ///   - note: Is told of each change, on the thread that makes it, once it is in the file and others may change it again: what
    ///     it is told may be older than what it knows. If it throws, because it was told of another file with the same count, so does
    ///     the verb that made the change.
    public init(
        known: @escaping @Sendable () throws(VaultError) -> VaultVersion?,
        note: @escaping @Sendable (VaultVersion) throws(VaultError) -> Void
    ) {
        (self.known, self.note) = (known, note)
    }

    /// Knows one state, and is told nothing.
    public static func ofOne(_ version: VaultVersion?) -> VaultWitness {
        VaultWitness(known: { () throws(VaultError) in version }, note: { _ in })
    }
}
