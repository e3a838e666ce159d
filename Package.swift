// swift-tools-version: 6.3
import PackageDescription

// Every Xcode build has a Mac as its host, also one for an iPhone. There, no library of the system is used but CryptoKit, and
// libsodium comes as swift-sodium's binary. A condition on the target's platform would not do: SwiftPM clones a package behind
// such a condition on Linux, too. On a Mac that builds for Linux or Android, set CLOSER_KEYS_LINUX=1: a manifest cannot ask what it is
// built for, and CCloserSync/Counter.c stops such a build with an error.
#if os(macOS)
let isApple = Context.environment["CLOSER_KEYS_LINUX"] == nil
#else
let isApple = false
#endif

/// swift-crypto stands in for CryptoKit where the system has none.
let crypto: [Target.Dependency] =
    isApple
    ? [] : [.product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["CryptoKit"]))]

let package = Package(
    name: "closer-keys",
    platforms: [.macOS(.v14), .iOS(.v17), .watchOS(.v10), .tvOS(.v17), .visionOS(.v1)],
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
    // Whoever names traits drops the defaults: `--traits default,CryptoKit` adds one. A package that depends on this one and
    // names `traits: ["SystemLibraries"]` resolves nothing else. This package by itself builds with CommandLine alone: a build of all its
    // targets reaches the program.
    traits: [
        .trait(
            name: "SystemLibraries",
            description:
                "AES-GCM, P-256 and SHA-2 by libcrypto, and Argon2id also by libargon2 (nothing on Apple's systems)"
        ),
        .trait(
            name: "CryptoKit",
            description:
                "AES-GCM, P-256 and SHA-2 by CryptoKit's API, also beside SystemLibraries (always on Apple's systems)"
        ),
        .trait(name: "CommandLine", description: "the program closer-keys"),
        .default(enabledTraits: ["SystemLibraries", "CommandLine"]),
    ],
    // Fixes only: whoever wants another minor version in their own package is not in conflict with an exact one. What belongs
    // to a trait that is off is not fetched.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        isApple
            ? .package(url: "https://github.com/jedisct1/swift-sodium", .upToNextMinor(from: "0.10.0"))
            : .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
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
        // The App Store asks why an app calls `fstat`. The answer belongs to a target of C: for a resource of a Swift target SwiftPM
        // writes a file that imports Foundation.
        .target(
            name: "CCloserFiles", exclude: isApple ? [] : ["PrivacyInfo.xcprivacy"],
            resources: isApple ? [.copy("PrivacyInfo.xcprivacy")] : []),
        // In Swift an import that fails would hide the error.
        .target(name: "CCloserSync", cSettings: isApple ? [.define("CLOSER_APPLE")] : []),
        .target(name: "CCloserSystem", dependencies: ["CCloserFiles"]),
        // The files of vectors/v1, as they are. Imported by one file of CloserVectors.
        .target(name: "CCloserVectors"),

        // libsodium has no trait: guarded memory, constant time and Argon2id come from it with every provider. On Linux it is a
        // library of the system, which nobody has to fetch.
        .target(
            name: "CloserPrimitives",
            dependencies: isApple
                ? ["CCloserSync", .product(name: "Clibsodium", package: "swift-sodium")]
                : [
                    "CCloserSync", "CCloserSodium",
                    .target(name: "CCloserArgon2", condition: .when(traits: ["SystemLibraries"])),
                    .target(name: "CCloserLibcrypto", condition: .when(traits: ["SystemLibraries"])),
                ] + crypto),
        .target(name: "CloserWire"),
        .target(name: "CloserTink", dependencies: ["CloserPrimitives", "CloserWire"]),
        .target(name: "CloserKeys", dependencies: ["CloserTink", "CloserPrimitives", "CloserWire"]),
        .target(name: "CloserFiles", dependencies: ["CCloserFiles"]),
        .target(
            name: "CloserSystem",
            dependencies: ["CloserFiles", "CCloserSystem"] + (isApple ? [] : ["CCloserQRencode"])),
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
        .target(name: "CloserConformance", dependencies: ["CloserVectors", "CloserWire", "CloserSystem"]),
        .target(
            name: "CloserCLI",
            dependencies: [
                "CloserConformance", "CloserVectors", "CloserVault", "CloserKeys", "CloserTink",
                "CloserPrimitives",
                "CloserWire",
                "CloserFiles", "CloserSystem",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
            ]),
        .executableTarget(name: "closer-keys", dependencies: ["CloserCLI"]),

        .target(
            name: "TestSupport", dependencies: ["CloserWire", "CloserPrimitives"], path: "Tests/TestSupport"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CloserConformance", "CloserVault", "CloserVectors", "CloserKeys", "CloserTink",
                "CloserPrimitives",
                "CloserWire",
            ],
            path: "Tests/FuzzTargets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "CloserWire", "TestSupport"]),
        .testTarget(
            name: "CloserPrimitivesTests",
            dependencies: ["CloserPrimitives", "CloserWire", "TestSupport"] + crypto),
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
            name: "CloserConformanceTests",
            dependencies: [
                "CloserConformance", "CloserVectors", "CloserKeys", "CloserTink", "CloserPrimitives",
                "CloserWire",
                "CloserSystem", "TestSupport",
            ]),
        .testTarget(name: "CloserFilesTests", dependencies: ["CloserFiles", "CloserSystem", "TestSupport"]),
        .testTarget(name: "CloserSystemTests", dependencies: ["CloserSystem", "CloserFiles", "TestSupport"]),
        .testTarget(
            name: "CommandTests", dependencies: ["closer-keys", "CloserKeys", "CloserWire", "TestSupport"],
            exclude: ["Scripts"]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings its own main: this is built by `make check-fuzz`, with its sanitizers, and by nothing else.
if Context.environment["CLOSER_KEYS_FUZZ"] != nil {
    package.targets.append(.executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz"))
}

// What valgrind runs has its header, and what is timed is not for the whole build: `make check-constant-time` and `make check-dudect`.
if Context.environment["CLOSER_KEYS_VALGRIND"] != nil {
    package.targets += [
        .target(name: "CMemcheck", path: "Tests/CMemcheck"),
        .executableTarget(
            name: "constant-time", dependencies: ["CMemcheck", "CloserKeys", "CloserPrimitives"],
            path: "Tests/ConstantTime"),
        .target(name: "CCycles", path: "Tests/CCycles"),
        .executableTarget(
            name: "dudect", dependencies: ["CCycles", "CloserKeys", "CloserPrimitives"], path: "Tests/Dudect"),
    ]
}

// `make check-memory` builds with the optimiser what holds secrets, and its tests. Nothing else, since that takes minutes.
if Context.environment["CLOSER_KEYS_MEMORY"] != nil {
    let modules = ["CloserPrimitives", "CloserWire", "CloserTink", "CloserKeys", "CloserVault"]
    let libraries = [
        "CCloserSync", "CCloserSodium", "CCloserArgon2", "CCloserLibcrypto", "CCloserFiles", "CloserFiles",
    ]
    let built = modules + libraries + modules.map { "\($0)Tests" } + ["TestSupport"]
    package.products = []
    package.targets.removeAll { !built.contains($0.name) }
    // One suite of the vault's: with the optimiser, the compiler ends at another.
    for target in package.targets where target.name == "CloserVaultTests" {
        target.sources = ["Device/DeviceLinkOwnershipTests.swift"]
        target.dependencies = ["CloserVault", "CloserKeys", "CloserPrimitives", "TestSupport"]
    }
}

// `make check-sanitize` builds the modules of the library and their tests with a sanitizer, and the faults that it must tell of.
if Context.environment["CLOSER_KEYS_SANITIZE"] != nil {
    let others = [
        "closer-keys", "CloserCLI", "CloserConformance", "CloserConformanceTests", "CloserVectorsTests",
        "CommandTests",
    ]
    package.products = []
    package.targets.removeAll { others.contains($0.name) || $0.name.hasPrefix("Fuzz") }
    package.targets += [
        .target(name: "CPlanted", path: "Tests/CPlanted"),
        .executableTarget(
            name: "planted", dependencies: ["CPlanted", "CloserPrimitives"], path: "Tests/Planted"),
    ]
}

// `make check-kit` runs what the providers of primitives can break, and builds no other tests.
if Context.environment["CLOSER_KEYS_KIT"] != nil {
    let others = [
        "CommandTests", "CloserConformanceTests", "CloserFilesTests", "CloserSystemTests", "FuzzTests",
    ]
    package.targets.removeAll { others.contains($0.name) }
}

// `make check-foundation` builds on Linux what the library has for Foundation, and runs the tests of the vault with it.
let foundation = Context.environment["CLOSER_KEYS_FOUNDATION"] != nil
if foundation {
    let others = ["closer-keys", "CloserCLI", "CloserConformance", "CloserSystem", "FuzzTargets"]
    package.products.removeAll { $0.name == "closer-keys" }
    package.targets.removeAll {
        others.contains($0.name) || $0.type == .test && $0.name != "CloserVaultTests"
    }
    // Stands in for Apple's.
    package.targets.append(.target(name: "Security", path: "Tests/Keychain"))
    for target in package.targets
    where ["CloserFiles", "CloserVault", "CloserVaultTests"].contains(target.name) {
        target.dependencies.append("Security")
    }
}

// `make docs` renders the documentation with DocC's plugin. Whoever depends on this package does not resolve it.
if Context.environment["CLOSER_KEYS_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", .upToNextMinor(from: "1.5.0")))
}

// Which providers are built: CloserPrimitives/Provider.swift picks one of them.
let providers: [SwiftSetting] =
    isApple
    ? [.define("CLOSER_APPLE"), .define("CLOSER_KIT")]
    : [
        .define("CLOSER_KIT", .when(traits: ["CryptoKit"])),
        .define("CLOSER_LIBCRYPTO", .when(traits: ["SystemLibraries"])),
        .define("CLOSER_LIBARGON2", .when(traits: ["SystemLibraries"])),
    ]

// No iPhone has these. Xcode looks for the pkg-config file of each library of the system in the package, also of one that no product
// of the app uses, and warns of a missing one: so the Mac's program draws no QR codes.
if isApple { package.targets.removeAll { $0.type == .system } }

// Warnings stop CI, not a user whose compiler is newer than ours.
let strict = Context.environment["CLOSER_KEYS_STRICT"] != nil
for target in package.targets where ![.system, .plugin].contains(target.type) {
    guard !["CCloserFiles", "CCloserSync", "CCloserSystem", "CCloserVectors"].contains(target.name) else {
        continue
    }
    target.swiftSettings =
        (target.swiftSettings ?? []) + providers + (foundation ? [.define("CLOSER_KEYS_FOUNDATION")] : []) + [
            .strictMemorySafety(),
            .enableExperimentalFeature("Lifetimes"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (strict ? [.treatAllWarnings(as: .error)] : [])
}
