import CPeers

/// What libcrypto takes on P-256 for an ECIES: the products alone, and with the points read and written,
/// which no implementation can leave out.
final class BareCurve {
    fileprivate let curve = peer_curve_new()

    deinit { peer_curve_free(curve) }

    fileprivate static func check(_ isDone: Bool) throws {
        guard isDone else { throw PeerFailure(description: "libcrypto did not multiply") }
    }

    struct Seal: Contestant {
        let name = "EC_POINT_mul, k·G and k·P"
        let peer: BareCurve

        func run(_ times: Int) throws { try BareCurve.check(peer_curve_seal(peer.curve, times)) }
    }

    struct WholeSeal: Contestant {
        let name = "the same, points in bytes"
        let peer: BareCurve

        func run(_ times: Int) throws { try BareCurve.check(peer_curve_whole_seal(peer.curve, times)) }
    }

    struct Open: Contestant {
        let name = "EC_POINT_mul, k·P"
        let peer: BareCurve

        func run(_ times: Int) throws { try BareCurve.check(peer_curve_open(peer.curve, times)) }
    }

    struct WholeOpen: Contestant {
        let name = "the same, points in bytes"
        let peer: BareCurve

        func run(_ times: Int) throws { try BareCurve.check(peer_curve_whole_open(peer.curve, times)) }
    }
}
