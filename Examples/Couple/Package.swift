// swift-tools-version: 6.3
import PackageDescription

// A package of its own, isolated as a new target of Xcode 26 is.
let features = ["InferIsolatedConformances", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let settings: [SwiftSetting] =
    [.defaultIsolation(MainActor.self)] + features.map { .enableUpcomingFeature($0) }
    + (Context.environment["CLOSER_KEYS_STRICT"] != nil ? [.treatAllWarnings(as: .error)] : [])
let vault = Target.Dependency.product(name: "CloserVault", package: "closer-keys")

let package = Package(
    name: "Couple", platforms: [.iOS(.v17), .macOS(.v14)],
    dependencies: [.package(name: "closer-keys", path: "../..")],
    targets: [
        .target(name: "Sample", dependencies: [vault], path: "Sources", swiftSettings: settings),
        .testTarget(name: "SampleTests", dependencies: ["Sample"], path: "Tests", swiftSettings: settings),
    ]
)
