import CPeers
import Foundation

/// A program with its arguments.
struct Command {
    let arguments: [String]

    /// Runs it to its end, and throws unless that was a good one.
    func run(times: Int = 1, output: String = "/dev/null") throws {
        try withArguments { copies in
            for _ in 0..<times {
                let status = peer_spawn(copies, output)
                guard status == 0 else {
                    let end = status < 0 ? "did not start, or was killed" : "exit \(status)"
                    throw PeerFailure(description: "\(arguments.joined(separator: " ")): \(end)")
                }
            }
        }
    }

    /// What it writes to standard output.
    func output() throws -> String {
        try ScratchFolder.with { folder in
            try run(output: folder + "/output")
            return try String(contentsOf: URL(filePath: folder + "/output"), encoding: .utf8)
        }
    }

    /// The most memory that a run of it has, as `bench --peak` finds out in a small process.
    func peakBytes() throws -> Int? {
        Int(
            try Command(arguments: [CommandLine.arguments[0], "--peak"] + arguments).output()
                .trimmingCharacters(in: .newlines))
    }

    /// The side of that small process.
    func printPeak() throws {
        let peak = withArguments(peer_peak)
        guard peak >= 0 else {
            throw PeerFailure(description: "\(arguments.joined(separator: " ")): no good end")
        }
        print(peak)
    }

    /// Lends them as C has them.
    func withArguments<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) throws -> Result)
        rethrows -> Result
    {
        let copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return try body(copies)
    }
}
