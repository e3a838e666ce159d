/// What assurance.md §6 wants of us: alone, or against a peer.
///
/// The table says whether we are there. Nothing fails if we are not.
enum Goal {
    /// At most this many microseconds.
    case time(Double)
    /// At least this many times as fast as the peer.
    case faster(Double)
    /// At most this share of the peer's time.
    case share(Double)

    /// The goal and how near we are: `≤ 1.2 µs: 0.612 met`.
    func verdict(ours: Timing, peer: Timing) -> String {
        switch self {
        case .time(let most):
            line("≤ \(most.plain) µs", ours.median, ours.median <= most)
        case .faster(let least):
            line("≥ \(least.plain)×", peer.median / ours.median, peer.median / ours.median >= least)
        case .share(let most):
            line("≤ \(most.plain) of it", ours.median / peer.median, ours.median / peer.median <= most)
        }
    }

    private func line(_ goal: String, _ reached: Double, _ isMet: Bool) -> String {
        "\(goal): \(reached.digits) \(isMet ? "met" : "NOT MET")"
    }
}
