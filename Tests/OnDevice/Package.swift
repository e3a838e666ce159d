// swift-tools-version: 6.3
import PackageDescription

// A package of its own, to be opened in Xcode: it brings what an app would, and no system library. On Apple's systems the trait
// changes nothing, since CryptoKit computes there anyway; on Linux it stands for that, as swift-crypto.
let settings: [SwiftSetting] =
    [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["CLOSER_KEYS_STRICT"] != nil ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "OnDevice",
    platforms: [.macOS(.v14), .iOS(.v17), .watchOS(.v10), .tvOS(.v17), .visionOS(.v1)],
    // For an app: on an iPhone itself, Xcode runs no tests of a package that has no app around it.
    products: [.library(name: "OnDevice", targets: ["OnDevice"])],
    dependencies: [.package(name: "closer-keys", path: "../..", traits: ["CryptoKit"])],
    targets: [
        .target(
            name: "OnDevice",
            dependencies: ["CloserTink", "CloserVectors"].map { .product(name: $0, package: "closer-keys") },
            path: "Sources", swiftSettings: settings),
        .testTarget(
            name: "OnDeviceTests", dependencies: ["OnDevice"], path: "Tests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
