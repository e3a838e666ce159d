// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that neither users of the library nor its other tests build swift-crypto: hundreds of C files.
// It uses what an app can use, our public API.
let package = Package(
    name: "closer-keys-cryptokit",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "closer-keys", path: "../..", traits: ["SystemLibraries"]),
        .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
    ],
    targets: [
        .testTarget(
            name: "CryptoKitTests",
            dependencies: [
                .product(name: "CloserKeys", package: "closer-keys"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests",
            swiftSettings: [
                .strictMemorySafety(),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ] + (Context.environment["CLOSER_KEYS_STRICT"] != nil ? [.treatAllWarnings(as: .error)] : []))
    ],
    swiftLanguageModes: [.v6]
)
