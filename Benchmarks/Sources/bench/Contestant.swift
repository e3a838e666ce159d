/// Someone who does a piece of work again and again while the clock runs.
///
/// All that is prepared once, keys and what shall be opened, is prepared before.
protocol Contestant {
    var name: String { get }

    func run(_ times: Int) throws

    /// How long that takes.
    func time(_ times: Int) throws -> Duration

    /// The most memory that the work takes once it is warm; nil if nobody can tell.
    func peakBytes() throws -> Int?
}

extension Contestant {
    func time(_ times: Int) throws -> Duration {
        try ContinuousClock().measure { try run(times) }
    }

    func peakBytes() throws -> Int? { try Memory.growth { try run(1) } }
}

/// Takes a result so that the optimiser cannot find out that nobody wants it.
@inline(never)
func keep<Result: ~Copyable>(_ result: borrowing Result) {}

/// A peer did not do its work: what it would have measured means nothing.
struct PeerFailure: Error, CustomStringConvertible {
    let description: String
}
