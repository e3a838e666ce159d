// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "adapter",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2")],
    targets: [
        .executableTarget(name: "adapter", dependencies: [.product(name: "Crypto", package: "swift-crypto")])
    ]
)
