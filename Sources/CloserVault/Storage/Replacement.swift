/// A new state of a vault that takes the place of another one, or of nothing.
struct Replacement {
    let storage: any VaultStorage
    /// The bytes that are to be there; nil for nothing.
    let old: [UInt8]?
    let new: Snapshot

    /// How often a state is fetched to find out what became of a request.
    private static let attempts = 3

    /// Returns once the new state is stored.
    ///
    /// - Throws: ``VaultError``: `.outdated` or `.exists` if another state is there, `.mayBeWritten` if that stays open, and what it throws.
    func store() throws(VaultError) {
        do { try storage.replace(old, by: new.bytes) } catch {
            switch error {
            // A client that sends a request again may have been refused by its own success.
            case .outdated, .exists(path: storage.name), .mayBeWritten: try settle(error)
            default: throw error
            }
        }
    }

    /// Looks what is there, and sends the same bytes again where that is the old state: of two such requests the storage refuses one. After
    /// refusals alone the new state is outdated; after a request that had no answer it may be written.
    private func settle(_ first: VaultError) throws(VaultError) {
        var failure = first
        for _ in 0..<Self.attempts {
            let there: [UInt8]?
            do { there = try fetched() } catch {
                failure = unanswered(after: failure)
                continue
            }
            if there == old {
                do { return try storage.replace(old, by: new.bytes) } catch {
                    switch error {
                    case .outdated, .exists(path: storage.name): break
                    default: failure = unanswered(after: failure)
                    }
                    continue
                }
            }
            if let there, isFollowed(by: there) { return }
            throw old == nil ? .exists(path: storage.name) : .outdated(path: storage.name)
        }
        throw failure
    }

    private func unanswered(after failure: VaultError) -> VaultError {
        if case .mayBeWritten = failure { return failure }
        return .mayBeWritten(path: storage.name, reason: "the server was not reached again")
    }

    private func fetched() throws(VaultError) -> [UInt8]? {
        try unlessMissing { () throws(VaultError) in
            try storage.refresh()
            return try storage.read()
        }
    }

    private func isFollowed(by bytes: [UInt8]) -> Bool {
        guard let file = try? VaultFile(bytes, path: storage.name) else { return false }
        return (try? Snapshot(file, new.key))?.lists(new.version) ?? false
    }
}
