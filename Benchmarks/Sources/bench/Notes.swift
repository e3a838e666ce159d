import CPeers

/// What a reader must know before believing the table.
enum Notes {
    private static let second = [
        "\(Provider.second) is this program, built with the trait CryptoKit. It runs in a process of its own,",
        "is asked over a pipe when its turn comes, and takes the time itself; both share one processor.",
    ]

    static func text(of rows: [Row]) -> String {
        let crypto = String(cString: peer_libcrypto_version())
        let sodium = String(cString: peer_libsodium_version())
        let always = [
            "µs an operation: the median and the best of \(Race.batchCount) batches of \(Race.batchDuration)",
            "or more; who stands in one row took turns. peer / ours above 1: we are faster.",
            "Release build, libcrypto \(crypto), libsodium \(sodium). Around their one call the peers in C",
            "allocate nothing and give back nothing: a floor, not a rival.",
        ]
        let lines = always + (rows.contains(where: \.hasSecond) ? second : [])
        return rows.flatMap(\.notes).reduce(into: lines) { said, note in
            if !said.contains(note) { said.append(note) }
        }.joined(separator: "\n")
    }
}
