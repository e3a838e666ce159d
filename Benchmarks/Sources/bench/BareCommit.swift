import CPeers

/// What no command that stores something can leave out: a start, and a page that is on the disk. Disks differ a hundredfold.
struct BareCommit: Contestant {
    let name = "a start, and a page synced"
    let start: Command
    let path: String

    func run(_ times: Int) throws {
        for _ in 0..<times {
            try start.run()
            guard peer_write_synced(path, 1) else {
                throw PeerFailure(description: "the page was not written")
            }
        }
    }

    func peakBytes() throws -> Int? { try start.peakBytes() }
}
