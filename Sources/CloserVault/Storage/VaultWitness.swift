/// Somebody who remembers in which state a vault was seen, in a place that whoever writes the vault's file cannot write.
///
/// The vault asks before it reads its file, each time, so that also what another process saw counts.
public struct VaultWitness: Sendable {
    let known: @Sendable () throws(VaultError) -> VaultVersion?
    let saw: @Sendable (_ version: VaultVersion) -> Void
    /// Is told of each change before anything of it is on the disk: from then on somebody else may have its file.
    let prepares: @Sendable (_ version: VaultVersion) -> Void
    let note: @Sendable (_ version: VaultVersion, _ base: VaultVersion) throws(VaultError) -> Void
    /// Waits until no other process of this machine reads or changes the vault; nil if there is nothing to wait at.
    let turn: @Sendable (VaultTurn.Purpose) throws(VaultError) -> VaultTurn?

    /// A witness of the app's own. Its closures are run on the thread of the verb that asks, which waits for them.
    ///
    /// - Parameters:
    ///   - known: The newest state that anybody saw; nil if nobody did.
    ///   - saw: Is told of each state that was read and is newer than the known one, before anything of it is given to the caller. Then
    ///     `known` is asked once more: if the state cannot follow what it says by then, the verb throws `.rolledBack`.
    ///   - note: Is told of each change and of the state that it was written over, on the thread that makes it, once it is in the file
    ///     and before others may change it again. It must not change the vault. If it knows by then of another state that the one
    ///     below cannot follow, somebody who took no turn has written, and it throws `.diverged`; so does the verb then. It is also
    ///     told of the same state anew, with a newer one given up, when a change failed whose file was begun; keep the value that it is
    ///     given, or a ``VaultMemory`` of it, since its count and digest alone would accept that file later. Then the verb throws
    ///     `.unsettled`; if this throws `.diverged`, so does the verb.
    ///     See ``VaultMemories/see(_:over:)``.
    public init(
        known: @escaping @Sendable () throws(VaultError) -> VaultVersion?,
        saw: @escaping @Sendable (_ version: VaultVersion) -> Void = { _ in },
        note: @escaping @Sendable (_ version: VaultVersion, _ base: VaultVersion) throws(VaultError) -> Void
    ) {
        self.init(
            known: known, saw: saw, prepares: { _ in }, note: note, turn: { (_) throws(VaultError) in nil })
    }

    package init(
        known: @escaping @Sendable () throws(VaultError) -> VaultVersion?,
        saw: @escaping @Sendable (_ version: VaultVersion) -> Void,
        prepares: @escaping @Sendable (_ version: VaultVersion) -> Void,
        note: @escaping @Sendable (_ version: VaultVersion, _ base: VaultVersion) throws(VaultError) -> Void,
        turn: @escaping @Sendable (VaultTurn.Purpose) throws(VaultError) -> VaultTurn?
    ) {
        (self.known, self.saw, self.prepares, self.note, self.turn) = (known, saw, prepares, note, turn)
    }

    /// Knows one state, and is told nothing.
    public static func ofOne(_ version: VaultVersion?) -> VaultWitness {
        VaultWitness(known: { () throws(VaultError) in version }, note: { _, _ in })
    }
}
