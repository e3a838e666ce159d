// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never resolve what only a comparison needs.
let package = Package(
    name: "closer-keys-benchmarks",
    platforms: [.macOS(.v15)],
    // With it the same program is built a second time, to be the peer of the first.
    traits: [.trait(name: "CryptoKit", description: "closer-keys computes with CryptoKit's API")],
    dependencies: [
        .package(
            name: "closer-keys", path: "..",
            traits: ["SystemLibraries", .trait(name: "CryptoKit", condition: .when(traits: ["CryptoKit"]))]),
        .package(url: "https://github.com/apple/swift-crypto.git", .upToNextMinor(from: "4.5.2")),
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    ],
    targets: [
        .systemLibrary(
            name: "CBenchLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CBenchLibsodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CBenchLibargon2", pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
        .target(name: "CPeers", dependencies: ["CBenchLibcrypto", "CBenchLibsodium", "CBenchLibargon2"]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CPeers",
                .product(name: "CloserKeys", package: "closer-keys"),
                .product(name: "CloserTink", package: "closer-keys"),
                .product(name: "CloserVault", package: "closer-keys"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: [.define("CLOSER_BENCH_SECOND", .when(traits: ["CryptoKit"]))]),
        // What a run over vectors costs when the program that is asked does nothing.
        .executableTarget(name: "answerer"),
        // What a command line costs before it does anything.
        .executableTarget(
            name: "empty", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    ],
    swiftLanguageModes: [.v6]
)
