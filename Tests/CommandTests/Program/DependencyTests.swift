import CloserWire
import Foundation
import TestSupport
import Testing

/// What the packages of this repository name, what SECURITY.md and CHANGELOG.md say of it, and what the program prints.
@Suite("Dependencies")
struct DependencyTests {
    /// The name and the version in each row of SECURITY.md's list.
    private let listed: [String: String]
    private let manifests: [String]

    init() throws {
        let rows = try Self.text("SECURITY.md").components(separatedBy: "\n## What it stands on\n").last?
            .components(separatedBy: "\n## ").first?.matches(of: /(?m)^\| `([^`]+)` \| ([^ |]+) \|/)
        listed = try Dictionary(
            #require(rows).map { (String($0.1), String($0.2)) }, uniquingKeysWith: { _, last in last })
        manifests = try [
            "Package.swift", "Benchmarks/Package.swift", "Tests/CryptoKit/Package.swift",
            "vectors/adapters/swift-cryptokit/Package.swift",
        ].map(Self.text)
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
    }

    /// The packages and the C libraries that a manifest names.
    private func dependencies(in manifest: String) -> Set<String> {
        let packages = manifest.matches(of: /url: "[^"]+\/([\w-]+?)(?:\.git)?"/).map { String($0.1) }
        return Set(packages + manifest.matches(of: /pkgConfig: "([\w-]+)"/).map { String($0.1) })
    }

    /// The build of the tests does, so that it finds Swift's own.
    private static let isRelease = ProcessInfo.processInfo.environment["CLOSER_KEYS_PROGRAM"] != nil

    @Test("the program takes none from its own folder", .enabled(if: isRelease))
    func beside() throws {
        let program = try ClosingProgram()
        let run = try program.script(
            """
            mkdir downloads; cp \(ClosingProgram.binary.path()) downloads/closer-keys
            for library in libsodium.so.23 libcrypto.so.3 libargon2.so.1 libqrencode.so.4 libc.so.6; do
                echo "no library" > downloads/$library
            done
            downloads/closer-keys version
            """)
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "every one is in SECURITY.md's list, and the list has no other but Swift",
        .proves("The list of dependencies is complete, and the C libraries are linked dynamically"))
    func list() {
        let named = Set(manifests.flatMap(dependencies))
        #expect(named.count == 8)
        #expect(Set(listed.keys) == named.union(["Swift"]))
    }

    @Test(
        "one that is planted in a package is not in the list",
        arguments: [
            #".package(url: "https://example.org/planted", exact: "1.0.0"),"#,
            #".package(url: "https://example.org/planted.git", from: "1.0.0"),"#,
            #".systemLibrary(name: "CPlanted", pkgConfig: "planted"),"#,
        ])
    func planted(_ line: String) {
        let manifest = manifests[0].replacing("dependencies: [\n", with: "dependencies: [\n\(line)\n")
        #expect(dependencies(in: manifest).subtracting(listed.keys) == ["planted"])
    }

    @Test("each package takes fixes of the version that is listed, and no other")
    func versions() throws {
        for manifest in manifests {
            let named = manifest.matches(of: /url: "[^"]+\/([\w-]+?)(?:\.git)?", (\.\w+\([^)]*\)|[^,)]*)/)
            #expect(!named.isEmpty && named.count == manifest.components(separatedBy: "url: \"").count - 1)
            for package in named {
                let version = try #require(listed[String(package.1)])
                #expect(package.2 == ".upToNextMinor(from: \"\(version)\")", "\(package.1)")
            }
        }
    }

    @Test("the program and CHANGELOG.md name the versions of the list")
    func tested() throws {
        let json = try JSONValue(parsing: ClosingProgram()("version --json").output.dropLast())
        let tested = try #require(json["testedWith"]?.members)
        #expect(tested.count == 6)
        for part in tested { #expect(listed[part.name] == part.value.string, "\(part.name)") }
        let line = tested.map { "\($0.name) \($0.value.string ?? "")" }.joined(separator: ", ")
        #expect(try Self.text("CHANGELOG.md").replacing("\n", with: " ").contains("tested with \(line)."))
    }

    @Test(
        "the C libraries are the system's, and say which they are",
        .proves("The list of dependencies is complete, and the C libraries are linked dynamically"))
    func loaded() throws {
        let lines = try ClosingProgram()("version").text.split(separator: "\n").dropFirst().dropLast()
        #expect(
            lines.map { $0.prefix { $0 != " " } } == ["libsodium", "libcrypto", "libargon2", "libqrencode"])
        #if os(Linux)
        let linked = try ClosingProgram().script("ldd \(ClosingProgram.binary.path())").text
        for line in lines { #expect(linked.contains("\(line.prefix { $0 != " " }).so.")) }
        #endif
    }

    @Test(
        "an action of others is named by its commit",
        arguments: ["action.yml", "README.md", "vectors/README.md", ".github/workflows/tests.yml"])
    func actions(_ path: String) throws {
        for use in try Self.text(path).matches(of: /(?m)^ *- uses: ([\w\/-]+)@(\S+)(.*)$/)
        where use.1 != "OWNER/closer-keys" {
            #expect(use.2.wholeMatch(of: /[0-9a-f]{40}/) != nil, "\(use.0)")
            #expect(use.3.wholeMatch(of: /\ # v\d+\.\d+\.\d+/) != nil, "\(use.0)")
        }
    }
}
