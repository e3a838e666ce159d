/// Who computes AES-GCM, P-256 and SHA-2 in this build, as the table names it.
enum Provider {
    static let first = "closer-keys"
    static let second = "closer-keys on swift-crypto"

    #if CLOSER_BENCH_SECOND
    static let ours = second
    #else
    static let ours = first
    #endif
}
