// swift-tools-version: 6.0
import PackageDescription

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let package = Package(
    name: "adapter",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", .upToNextMinor(from: "4.5.2"))],
    targets: [
        .executableTarget(name: "adapter", dependencies: [crypto]),
        .executableTarget(name: "sealer", dependencies: [crypto]),
    ]
)
