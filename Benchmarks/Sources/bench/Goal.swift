/// What is wanted of us: alone, or against a peer.
///
/// The table says whether we are there. Nothing fails if we are not.
enum Goal {
    /// At most this many microseconds.
    case time(Double)
    /// At least this many times as fast as the peer.
    case faster(Double)
    /// At most this share of the peer's time.
    case share(Double)
    /// At most this many microseconds more than the peer.
    case more(Double)
    /// At most this many microseconds more than the peer for each of the so many more pieces that we have than it.
    case growth(Double, pieces: Int, of: String)

    /// The goal as a person reads it: `≤ 1.2 µs`.
    var words: String {
        switch self {
        case .time(let most): "≤ \(most.plain) µs"
        case .faster(let least): "≥ \(least.plain)×"
        case .share(let most): "≤ \(most.plain) of it"
        case .more(let most): "≤ \(most.plain) µs more"
        case .growth(let most, _, let piece): "≤ \(most.digits) µs a \(piece)"
        }
    }

    /// What stands against the goal.
    func reached(ours: Timing, peer: Timing) -> Double {
        switch self {
        case .time: ours.median
        case .faster: peer.ratios(to: ours).median
        case .share: ours.ratios(to: peer).median
        case .more: ours.differences(to: peer).median
        case .growth(_, let pieces, _): ours.differences(to: peer).median / Double(pieces)
        }
    }

    func isMet(ours: Timing, peer: Timing) -> Bool {
        let reached = reached(ours: ours, peer: peer)
        return switch self {
        case .faster(let least): reached >= least
        case .time(let most), .share(let most), .more(let most), .growth(let most, _, _): reached <= most
        }
    }
}
