import CPeers

/// What a reader must know before believing the table.
enum Notes {
    static func text(hasTink: Bool) -> String {
        let version = String(cString: peer_libcrypto_version())
        let lines = [
            "µs an operation: the median and the best of \(Race.batchCount) batches of \(Race.batchDuration)",
            "or more; who stands in one row took turns. peer / ours above 1: we are faster.",
            "Release build, libcrypto \(version). The peers in C allocate nothing and give back nothing:",
            "a floor, not a rival.",
        ]
        let tink = [
            "Tink did not take turns: it ran in a process of its own just before. Its times hold Python's",
            "cost of a call.",
        ]
        return (lines + (hasTink ? tink : [])).joined(separator: "\n")
    }
}
