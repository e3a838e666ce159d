import CPeers

/// What a reader must know before believing the table.
enum Notes {
    static func text(of rows: [Row]) -> String {
        let crypto = String(cString: peer_libcrypto_version())
        let sodium = String(cString: peer_libsodium_version())
        let lines = [
            "µs an operation: the median and the best of \(Race.batchCount) batches of \(Race.batchDuration)",
            "or more; who stands in one row took turns. peer / ours above 1: we are faster.",
            "Release build, libcrypto \(crypto), libsodium \(sodium). Around their one call the peers in C",
            "allocate nothing and give back nothing: a floor, not a rival.",
        ]
        return rows.flatMap(\.notes).reduce(into: lines) { said, note in
            if !said.contains(note) { said.append(note) }
        }.joined(separator: "\n")
    }
}
