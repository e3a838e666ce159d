import Foundation
import Testing

/// One of the calls by which a command changes files: the third `fsync`, say.
struct SystemCall: Sendable, CustomStringConvertible {
    let name: String
    let number: Int

    var description: String { "\(name) \(number)" }

    private static let names = [
        "openat", "write", "fsync", "flock", "?link", "linkat", "?unlink", "unlinkat", "?rename", "renameat",
        "renameat2", "?mkdir", "mkdirat",
    ]

    /// Those of a command, in their order. What comes before the program denies that it is traced belongs to the loader.
    static func all(of arguments: String, input: String, in program: ClosingProgram) throws -> [SystemCall] {
        let log = program.folder.deletingLastPathComponent().appending(path: "calls-\(UUID())")
        defer { try? FileManager.default.removeItem(at: log) }
        let tool = [
            "strace", "-f", "-qq", "-o", log.path(), "-e", "trace=prctl,\(names.joined(separator: ","))",
        ]
        let run = try program.start(under: tool, arguments, input: input).wait()
        try #require(run.exit == 0, "\(run.errors)")
        var (counts, calls, isOurs) = ([String: Int](), [SystemCall](), false)
        for line in try String(contentsOf: log, encoding: .utf8).split(separator: "\n") {
            guard let name = line.firstMatch(of: /^\d+ +(\w+)\(/).map({ String($0.1) }) else { continue }
            counts[name, default: 0] += 1
            isOurs = isOurs || line.contains("PR_SET_DUMPABLE")
            if isOurs, name != "prctl" { calls.append(SystemCall(name: name, number: counts[name] ?? 0)) }
        }
        return calls
    }
}

/// What happens at a system call.
struct Fault: Sendable, CustomStringConvertible {
    /// The process ends before the call, or the call is not made and gives this error.
    enum Effect: String, CaseIterable, Sendable {
        case kill
        case isFull = "ENOSPC"
        case isBroken = "EIO"
        case isReadOnly = "EROFS"
    }

    let call: SystemCall
    let effect: Effect

    /// How many there are in all; as many as there are calls for `all`.
    static let wanted: Int = {
        let text = ProcessInfo.processInfo.environment["CLOSER_KEYS_FAULTS"] ?? ""
        return text == "all" ? .max : Int(text) ?? 0
    }()

    /// What the drawn ones follow from: `CLOSER_KEYS_FAULT_SEED` repeats a run.
    static let seed =
        ProcessInfo.processInfo.environment["CLOSER_KEYS_FAULT_SEED"].flatMap(UInt64.init)
        ?? .random(in: 0 ... .max)

    var description: String { "\(effect.rawValue) at \(call)" }

    /// Runs a command in which it happens.
    func run(_ arguments: String, input: String, in program: ClosingProgram) throws -> ClosingProgram.Run {
        let what = effect == .kill ? "signal=KILL" : "error=\(effect.rawValue)"
        // Faster with seccomp, which delivers no signal.
        let tool =
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call.name)"]
            + (effect == .kill ? [] : ["--seccomp-bpf"])
            + ["-e", "inject=\(call.name):\(what):when=\(call.number)"]
        return try program.start(under: tool, arguments, input: input).wait()
    }
}
