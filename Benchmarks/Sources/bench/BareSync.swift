import CPeers

/// What the disk takes to keep one page: no commit can leave it out, and disks differ a hundredfold.
struct BareSync: Contestant {
    let name = "one page, written and synced"
    let path: String

    func run(_ times: Int) throws {
        guard peer_write_synced(path, times) else {
            throw PeerFailure(description: "\(path) was not written")
        }
    }
}
