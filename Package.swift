// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "closer-keys",
    platforms: [.macOS(.v15)],
    products: [
        // CloserPrimitives stands beside for SecretBytes, Randomness and MemoryShortage, all it has in public.
        .library(name: "CloserKeys", targets: ["CloserKeys", "CloserTink", "CloserPrimitives"]),
        .library(name: "CloserTink", targets: ["CloserTink", "CloserPrimitives"]),
        .library(
            name: "CloserVault", targets: ["CloserVault", "CloserKeys", "CloserTink", "CloserPrimitives"]),
        // Vectors of its own and of others, and what this library makes of them. It starts no other program.
        .library(name: "CloserVectors", targets: ["CloserVectors"]),
        .executable(name: "closer-keys", targets: ["closer-keys"]),
    ],
    dependencies: [
        // Fixes only: whoever wants another minor version of it in their own package is not in conflict with an exact one.
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2"))
    ],
    targets: [
        // C, behind module maps. Only CloserPrimitives and CloserSystem import these.
        .systemLibrary(
            name: "CCloserSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CCloserArgon2", pkgConfig: "libargon2",
            providers: [.apt(["libargon2-dev"]), .brew(["argon2"])]),
        .systemLibrary(
            name: "CCloserLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CCloserQRencode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .target(name: "CCloserFiles"),
        .target(name: "CCloserSystem", dependencies: ["CCloserFiles"]),
        // The files of vectors/v1, as they are. Imported by one file of CloserVectors.
        .target(name: "CCloserVectors"),

        .target(
            name: "CloserPrimitives",
            dependencies: ["CCloserSodium", "CCloserArgon2", "CCloserLibcrypto"]),
        .target(name: "CloserWire"),
        .target(name: "CloserTink", dependencies: ["CloserPrimitives", "CloserWire"]),
        .target(name: "CloserKeys", dependencies: ["CloserTink", "CloserPrimitives", "CloserWire"]),
        .target(name: "CloserFiles", dependencies: ["CCloserFiles"]),
        .target(name: "CloserSystem", dependencies: ["CloserFiles", "CCloserSystem", "CCloserQRencode"]),
        .target(
            name: "CloserVault",
            dependencies: [
                "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire", "CloserFiles",
            ]),
        .target(
            name: "CloserVectors",
            dependencies: [
                "CCloserVectors", "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire",
            ]),
        .target(name: "CloserJudge", dependencies: ["CloserVectors", "CloserWire", "CloserSystem"]),
        .target(
            name: "CloserCLI",
            dependencies: [
                "CloserJudge", "CloserVectors", "CloserVault", "CloserKeys", "CloserTink", "CloserPrimitives",
                "CloserWire",
                "CloserFiles", "CloserSystem",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(name: "closer-keys", dependencies: ["CloserCLI"]),

        .target(
            name: "TestSupport", dependencies: ["CloserWire", "CloserPrimitives"], path: "Tests/TestSupport"),
        .target(
            name: "FuzzTargets",
            dependencies: ["CloserVectors", "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire"],
            path: "Tests/FuzzTargets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "CloserWire", "TestSupport"]),
        .testTarget(
            name: "CloserPrimitivesTests",
            dependencies: ["CloserPrimitives", "CloserWire", "TestSupport"]),
        .testTarget(name: "CloserWireTests", dependencies: ["CloserWire", "TestSupport"]),
        .testTarget(
            name: "CloserTinkTests",
            dependencies: ["CloserTink", "CloserPrimitives", "CloserWire", "TestSupport"]),
        .testTarget(
            name: "CloserKeysTests",
            dependencies: [
                "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire", "TestSupport",
            ]),
        .testTarget(
            name: "CloserVaultTests",
            dependencies: [
                "CloserVault", "CloserVectors", "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire",
                "CloserFiles", "TestSupport",
            ]),
        .testTarget(
            name: "CloserVectorsTests",
            dependencies: [
                "CloserVectors", "CloserCLI", "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire",
                "TestSupport",
            ]),
        .testTarget(
            name: "CloserJudgeTests",
            dependencies: [
                "CloserJudge", "CloserVectors", "CloserKeys", "CloserTink", "CloserPrimitives", "CloserWire",
                "CloserSystem", "TestSupport",
            ]),
        .testTarget(name: "CloserFilesTests", dependencies: ["CloserFiles", "CloserSystem", "TestSupport"]),
        .testTarget(name: "CloserSystemTests", dependencies: ["CloserSystem", "CloserFiles", "TestSupport"]),
        .testTarget(
            name: "CommandTests", dependencies: ["closer-keys", "CloserKeys", "CloserWire", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings its own main: this is built by `make fuzz`, with its sanitizers, and by nothing else.
if Context.environment["CLOSER_KEYS_FUZZ"] != nil {
    package.targets.append(.executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz"))
}

// `make memory` builds with the optimiser what holds secrets, and its tests. Nothing else, since that takes minutes.
if Context.environment["CLOSER_KEYS_MEMORY"] != nil {
    let modules = ["CloserPrimitives", "CloserWire", "CloserTink", "CloserKeys"]
    let libraries = ["CCloserSodium", "CCloserArgon2", "CCloserLibcrypto"]
    let built = modules + libraries + modules.map { "\($0)Tests" } + ["TestSupport"]
    package.products = []
    package.targets.removeAll { !built.contains($0.name) }
}

// Warnings stop CI, not a user whose compiler is newer than ours.
let strict = Context.environment["CLOSER_KEYS_STRICT"] != nil
for target in package.targets where ![.system, .plugin].contains(target.type) {
    guard !["CCloserFiles", "CCloserSystem", "CCloserVectors"].contains(target.name) else { continue }
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .strictMemorySafety(),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (strict ? [.treatAllWarnings(as: .error)] : [])
}
