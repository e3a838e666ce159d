internal import CloserPrimitives
internal import Dispatch

/// Tries your ``VaultServer``, in a test of yours, with the client, the proxies and the server that your app will use.
public enum VaultStorageChecks {
    /// Stores an object where the server has none yet, and replaces it twice. The last one stays there.
    ///
    /// - Returns: A sentence about each fault; none for a server that a vault can use.
    public static func faults(of server: any VaultServer) -> [String] {
        var trial = Trial(server)
        trial.expect(trial.fetched() == .missing, "fetch does not say .missing where nothing is")
        guard let first = trial.store(1, over: nil) else { return trial.faults }
        trial.check(first, is: 1)
        trial.expect(
            trial.answer(0, over: nil) == .outdated, "a new object over one that is there is not .outdated")
        guard let second = trial.store(2, over: first) else { return trial.faults }
        trial.expect(first != second, "another object has the same tag")
        trial.expect(
            trial.answer(0, over: first) == .outdated,
            "an object over a tag that has changed is not .outdated")
        trial.check(second, is: 2)
        trial.race(over: second)
        return trial.faults
    }
}

/// One run of the checks, and what they found.
private struct Trial {
    let server: any VaultServer
    private(set) var faults: [String] = []

    init(_ server: any VaultServer) { self.server = server }

    /// What the server says to a request.
    enum Answer: Equatable {
        case stored(tag: String), object([UInt8], tag: String), unchanged, missing, outdated
        case other(VaultError)
    }

    mutating func expect(_ holds: Bool, _ fault: String) { if !holds { faults.append(fault) } }

    /// 64 KiB of all values of a byte, which a text would not survive.
    private func object(_ number: UInt8) -> [UInt8] {
        [number] + (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
    }

    func fetched(unless tag: String? = nil) -> Answer {
        answer { () throws(VaultError) in
            try server.fetch(unless: tag).map { .object($0.bytes, tag: $0.tag) } ?? .unchanged
        }
    }

    func answer(_ number: UInt8, over tag: String?) -> Answer {
        answer { () throws(VaultError) in .stored(tag: try server.store(object(number), over: tag)) }
    }

    private func answer(_ request: () throws(VaultError) -> Answer) -> Answer {
        do { return try request() } catch {
            switch error {
            case .missing: return .missing
            case .outdated: return .outdated
            default: return .other(error)
            }
        }
    }

    /// Nil, and a fault, if the server refuses.
    mutating func store(_ number: UInt8, over tag: String?) -> String? {
        let answer = answer(number, over: tag)
        if case .stored(let tag) = answer { return tag }
        faults.append("an object was not stored, although the tag fits: \(answer)")
        return nil
    }

    /// Checks that the object is there, with the tag that `store` returned.
    mutating func check(_ tag: String, is number: UInt8) {
        guard case .object(let bytes, let now) = fetched() else {
            return faults.append("an object that was stored is not there")
        }
        expect(bytes == object(number), "fetch returns other bytes than were stored last")
        expect(now == tag, "fetch returns another tag than store did: a proxy may have changed it")
        expect(!now.hasPrefix("W/"), "the tag is a weak one: a proxy may have changed it")
        expect(fetched(unless: tag) == .unchanged, "fetch returns an object again whose tag is known")
    }

    /// Checks that one of several writers wins.
    mutating func race(over tag: String) {
        let winners = Lock<[(number: UInt8, tag: String)]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { [self] index in
            let number = UInt8(index + 3)
            guard case .stored(let new) = answer(number, over: tag) else { return }
            winners.withLock { $0.append((number, new)) }
        }
        let won = winners.withLock { $0 }
        expect(won.count == 1, "of 8 writers at once, \(won.count) replaced one object")
        if let winner = won.first, won.count == 1 { check(winner.tag, is: winner.number) }
    }
}
