import CPeers
import Foundation

/// A program with its arguments.
struct Command {
    let arguments: [String]

    /// The same without what it says on standard error, for one that warns as it should.
    var silenced: Command {
        Command(arguments: ["sh", "-c", #"exec "$@" 2>/dev/null"#, "sh"] + arguments)
    }

    /// Runs it to its end, and throws unless that was a good one.
    func run(times: Int = 1, output: String = "/dev/null") throws {
        var copies = arguments.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        for _ in 0..<times {
            let status = peer_spawn(&copies, output)
            guard status == 0 else {
                let end = status < 0 ? "did not start, or was killed" : "exit \(status)"
                throw PeerFailure(description: "\(arguments.joined(separator: " ")): \(end)")
            }
        }
    }
}
