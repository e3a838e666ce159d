import Foundation

/// The binary as scripts see it.
struct ClosingProgram {
    /// What a run left behind.
    struct Run {
        let exit: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// A folder of its own for each test.
    let folder: URL

    static let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "closer-keys")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Runs with arguments split at spaces.
    func callAsFunction(_ arguments: String, input: String = "") throws -> Run {
        try run(arguments.split(separator: " ").map(String.init), input: Data(input.utf8))
    }

    func run(_ arguments: [String], input: Data) throws -> Run {
        try run(Self.binary, arguments, input: input)
    }

    /// Runs a shell script with the program on its path.
    func script(_ text: String) throws -> Run {
        try run(
            URL(filePath: "/usr/bin/timeout"), ["60", "bash", "-euo", "pipefail", "-c", text], input: Data())
    }

    private func run(_ program: URL, _ arguments: [String], input: Data) throws -> Run {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(Self.binary.deletingLastPathComponent().path()):\(environment["PATH"] ?? "")"
        // No test may find the vault of whoever runs it.
        environment["HOME"] = folder.path()
        for name in ["CLOSER_KEYS_VAULT", "XDG_DATA_HOME"] { environment[name] = nil }
        process.environment = environment
        // Files, not pipes: a pipe that nobody empties would stop a large run.
        process.standardInput = try file("stdin", input)
        process.standardOutput = try file("stdout", Data())
        process.standardError = try file("stderr", Data())
        try process.run()
        process.waitUntilExit()
        return Run(
            exit: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: try Data(contentsOf: folder.appending(path: ".stdout")),
            errors: String(decoding: try Data(contentsOf: folder.appending(path: ".stderr")), as: UTF8.self))
    }

    private func file(_ name: String, _ content: Data) throws -> FileHandle {
        let url = folder.appending(path: ".\(name)")
        try content.write(to: url)
        return try FileHandle(forUpdating: url)
    }

    func write(_ bytes: Data, to name: String) throws {
        let path = folder.appending(path: name).path()
        try bytes.write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    func content(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// The files that a run left, without those of this helper.
    func files() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        return names.filter { ![".stdin", ".stdout", ".stderr"].contains($0) }.sorted()
    }
}
