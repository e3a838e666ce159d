import CPeers

/// How much memory work in this process takes.
enum Memory {
    /// By how many bytes the process is larger at the height of `body` than before it; nil where the system does not tell.
    static func growth(_ body: () throws -> Void) throws -> Int? {
        let before = peer_memory_reset()
        try body()
        let peak = peer_memory_peak()
        return before < 0 || peak < 0 ? nil : max(0, Int(peak - before))
    }
}
