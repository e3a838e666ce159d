import CloserWire
import Foundation
import Testing

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

    /// The program that the build of the tests made, or the one that `make` names: the release program starts five times
    /// faster, and is what people run.
    static let binary =
        ProcessInfo.processInfo.environment["CLOSER_KEYS_PROGRAM"].map { URL(filePath: $0) }
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "closer-keys")

    init() throws {
        try self.init(
            in: FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())"))
    }

    init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A folder in which a script has run, which must succeed.
    init(after script: String) throws {
        try self.init()
        let run = try self.script(script)
        try #require(run.exit == 0, "\(run.errors)")
    }

    /// A folder as another one is now, with what that one's machine remembers: what takes long is done once for several tests.
    init(copying other: ClosingProgram) throws {
        try self.init()
        try take(filesOf: other)
    }

    /// Runs with arguments split at spaces.
    func callAsFunction(_ arguments: String, input: String = "") throws -> Run {
        try start(arguments, input: input).wait()
    }

    func run(_ arguments: [String], input: Data) throws -> Run {
        try start(Self.binary, arguments, input: input).wait()
    }

    /// Starts a run without waiting for its end.
    func start(_ arguments: String, input: String = "") throws -> Running {
        try start(Self.binary, arguments.split(separator: " ").map(String.init), input: Data(input.utf8))
    }

    /// Starts it under another program, which gets its path and its arguments behind its own.
    func start(under tool: [String], _ arguments: String, input: String) throws -> Running {
        try start(
            URL(filePath: "/usr/bin/env"),
            tool + [Self.binary.path()] + arguments.split(separator: " ").map(String.init),
            input: Data(input.utf8))
    }

    /// Runs a shell script with the program on its path, and with the functions that a scene left, for so many seconds at most.
    ///
    /// A process that Foundation starts has most signals blocked, so that only SIGKILL ends programs of the system. It also holds a socket,
    /// and Foundation waits until each is closed: the shell closes it, so that what a script leaves behind is not waited for.
    func script(_ text: String, seconds: Int = 60) throws -> Run {
        let alone = #"for fd in /dev/fd/*; do [ ${fd##*/} -le 2 ] || eval "exec ${fd##*/}>&-"; done"#
        let names = "[ ! -f .names ] || . ./.names"
        return try start(
            URL(filePath: "/usr/bin/timeout"),
            ["-k", "5", "\(seconds)", "bash", "-euo", "pipefail", "-c", "\(alone)\n\(names)\n\(text)"],
            input: Data()
        ).wait()
    }

    /// Runs a script that must succeed, and returns the lines that it prints.
    @discardableResult
    func lines(_ script: String) throws -> [String] {
        let run = try self.script(script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The least memory in KiB, in steps of 2 MB, with which the system can load the program at all.
    func leastMemory() throws -> Int {
        let run = try script(
            """
            for size in $(seq 10000 2000 400000); do
                if (ulimit -v $size; exec closer-keys version) > /dev/null 2>&1; then echo $size; exit; fi
            done
            """)
        return try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func start(_ program: URL, _ arguments: [String], input: Data) throws -> Running {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(Self.binary.deletingLastPathComponent().path()):\(environment["PATH"] ?? "")"
        // No test may find the vault of the person who runs it.
        environment["HOME"] = folder.path()
        for name in environment.keys where name.hasPrefix("CLOSER_KEYS_") || name.hasPrefix("XDG_") {
            environment[name] = nil
        }
        process.environment = environment
        return try Running(process, input: input, in: folder)
    }

    /// Copies all files of another one but one, and what that one's machine remembers, as if it had all happened here.
    func take(filesOf other: ClosingProgram, but left: String? = nil) throws {
        for name in try other.files() where name != left {
            try FileManager.default.copyItem(
                at: other.folder.appending(path: name), to: folder.appending(path: name))
        }
        let (old, new) = (other.folder.lastPathComponent, folder.lastPathComponent)
        try lines(
            "for file in .names .local/state/closer-keys/*.json; do [ ! -f $file ] || sed -i 's/\(old)/\(new)/g' $file; done"
        )
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
        return names.filter { !$0.hasPrefix(Running.prefix) }.sorted()
    }
}

/// A process that was started. Several may run at once in one folder.
struct Running {
    static let prefix = ".standard-"
    private let process: Process
    private let files: [URL]

    // Files, not pipes: a pipe that is not emptied would stop a large run.
    fileprivate init(_ process: Process, input: Data, in folder: URL) throws {
        let run = UUID()
        self.process = process
        files = ["in", "out", "error"].map { folder.appending(path: "\(Self.prefix)\($0)-\(run)") }
        for (file, content) in zip(files, [input, Data(), Data()]) { try content.write(to: file) }
        let handles = try files.map { try FileHandle(forUpdating: $0) }
        process.standardInput = handles[0]
        process.standardOutput = handles[1]
        process.standardError = handles[2]
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// `kill -9`; does nothing to a process that has ended.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Waits for the end, which comes by SIGKILL after five minutes. The exit code of a process that was killed is 128 and the signal's
    /// number.
    func wait() throws -> ClosingProgram.Run {
        // Foundation makes it the leader of a group.
        let limit = DispatchWorkItem { [group = process.processIdentifier] in
            _ = Foundation.kill(-group, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: limit)
        process.waitUntilExit()
        limit.cancel()
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        return ClosingProgram.Run(
            exit: process.terminationReason == .exit
                ? process.terminationStatus : 128 + process.terminationStatus,
            output: try Data(contentsOf: files[1]),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
}

/// Two values are equal if their canonical forms are.
extension JSONValue: Equatable {
    static func == (ours: JSONValue, theirs: JSONValue) -> Bool {
        ours.canonicalBytes == theirs.canonicalBytes
    }
}
