import CPeers

/// libcrypto's AES-256-GCM called from C, with one context that is kept.
final class BareGCM {
    fileprivate let gcm: OpaquePointer

    /// With one box sealed, so that there is something to open.
    init(_ message: Message) throws {
        gcm = peer_gcm_new(message.plaintext.count, message.associatedData, message.associatedData.count)
        try BareGCM.check(peer_gcm_seal(gcm, 1))
    }

    deinit { peer_gcm_free(gcm) }

    fileprivate static func check(_ isDone: Bool) throws {
        guard isDone else { throw PeerFailure(description: "libcrypto's AES-GCM failed") }
    }

    struct Seal: Contestant {
        let name = "libcrypto EVP in C"
        let peer: BareGCM

        func run(_ times: Int) throws { try BareGCM.check(peer_gcm_seal(peer.gcm, times)) }
    }

    struct Open: Contestant {
        let name = "libcrypto EVP in C"
        let peer: BareGCM

        func run(_ times: Int) throws { try BareGCM.check(peer_gcm_open(peer.gcm, times)) }
    }
}
