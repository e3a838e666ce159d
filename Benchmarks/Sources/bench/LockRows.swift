import Synchronization

/// What it costs to take a lock that nobody holds. Lock.swift is the library's own file, beside this one by a link.
enum LockRows {
    static func all() throws -> [Row] {
        [
            try Row(
                "lock and unlock", OurLock(name: "closer-keys"), against: [(Theirs(), .share(1.1))])
        ]
    }
}

private struct OurLock: Contestant {
    let name: String
    private let lock = Owner()

    init(name: String) { self.name = name }

    private final class Owner: Sendable { let count = Lock(0) }

    func run(_ times: Int) throws {
        for _ in 0..<times { lock.count.withLock { $0 &+= 1 } }
    }
}

private struct Theirs: Contestant {
    let name = "Synchronization.Mutex"
    private let lock = Owner()

    private final class Owner: Sendable { let count = Mutex(0) }

    func run(_ times: Int) throws {
        for _ in 0..<times { lock.count.withLock { $0 &+= 1 } }
    }
}
