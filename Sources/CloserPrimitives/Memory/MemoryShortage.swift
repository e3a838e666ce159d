/// Memory that was needed, and that the system refused.
///
/// Argon2id throws it, since it needs much and a caller can do something about it. A secret is made in so many places that
/// nothing throws for it: there the process ends, with a trap.
public struct MemoryShortage: Error, Equatable, Sendable {
    /// What the memory was for.
    package enum Purpose: Equatable, Sendable {
        /// The memory that makes a derivation slow to try: its cost, in one piece.
        case argon2id
        /// Guarded pages for one secret. `byteCount` is that of the secret; some pages around it come on top.
        case secret
    }

    /// What the memory was for.
    package let purpose: Purpose
    /// How much was needed.
    public let byteCount: Int

    package init(_ purpose: Purpose, byteCount: Int) {
        (self.purpose, self.byteCount) = (purpose, byteCount)
    }

    private static let ending = Lock<(@Sendable (MemoryShortage) -> Never)?>(nil)

    /// What the process does, in place of a trap, for want of memory for a secret. For a program; a library in an
    /// app leaves it alone.
    package static func endsProcess(by end: @escaping @Sendable (MemoryShortage) -> Never) {
        ending.withLock { $0 = end }
    }

    func endProcess() -> Never {
        if let end = Self.ending.withLock({ $0 }) { end(self) }
        preconditionFailure("no memory left for \(byteCount) bytes: \(purpose)")
    }
}

extension MemoryShortage: CustomStringConvertible {
    /// What happened, and what to do.
    public var description: String { "\(message); \(advice)" }

    package var message: String {
        let needed =
            switch purpose {
            case .argon2id: "Argon2id needs \(byteCount >> 20) MiB of memory"
            case .secret: "a secret of \(byteCount) bytes needs pages of memory of its own"
            }
        return "\(needed), and the system did not give it"
    }

    package var advice: String { "close other programs, or raise the limit" }
}
