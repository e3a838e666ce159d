internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the versions of the program and its libraries.")

    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let loaded = LibraryVersions.all + (QRCode.libraryVersion.map { [("libqrencode", $0)] } ?? [])
        let lines = ["closer-keys \(Program.version)"] + loaded.map { "\($0.name) \($0.version)" }
        let tested = TestedWith.all.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        try Output(output).report(
            (lines + ["tested with \(tested)"]).joined(separator: "\n"),
            json: .object(
                [.init("closer-keys", .string(Program.version))] + loaded.map(Self.member)
                    + [.init("testedWith", .object(TestedWith.all.map(Self.member)))]))
    }

    private static func member(_ part: (name: String, version: String)) -> JSONValue.Member {
        .init(part.name, .string(part.version))
    }
}

/// What this version was built and tested with.
///
/// The C libraries are the system's, and also say for themselves which version is loaded: it may be another one. The last
/// two are part of the program and cannot be asked. SECURITY.md and CHANGELOG.md name the same versions.
enum TestedWith {
    static let all: [(name: String, version: String)] = [
        ("libsodium", "1.0.18"), ("libcrypto", "3.0.19"), ("libargon2", "20171227"), ("libqrencode", "4.1.1"),
        ("Swift", "6.3.1"), ("swift-argument-parser", "1.8.2"),
    ]
}
