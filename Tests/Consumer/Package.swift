// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a stranger's app or server would be: it sees the public API alone, and holds `Data`.
let package = Package(
    name: "closer-keys-consumer",
    platforms: [.macOS(.v14)],
    // FlyingFox is the HTTP server on which the client of the article "A second device" is tried.
    dependencies: [
        .package(name: "closer-keys", path: "../.."),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        .testTarget(
            name: "ConsumerTests",
            dependencies: ["CloserKeys", "CloserTink", "CloserVault", "CloserVectors"].map {
                .product(name: $0, package: "closer-keys")
            } + ["FlyingFox", "FlyingSocks"].map { .product(name: $0, package: "FlyingFox") },
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
