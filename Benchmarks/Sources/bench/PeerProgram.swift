import CPeers
import Foundation

/// Another program that does the same work in a process of its own, and waits between its turns: this one built with the
/// other provider, since one process holds one provider, or Tink in Python.
final class PeerProgram {
    /// As it calls itself.
    let name: String
    private let server: OpaquePointer

    init(_ command: Command) throws {
        guard let server = command.withArguments(peer_server_new) else {
            throw PeerFailure(description: "\(command.arguments[0]) did not start")
        }
        self.server = server
        name = Self.line(from: server)
    }

    deinit { peer_server_free(server) }

    fileprivate func time(_ work: Work, _ times: Int) throws -> Duration {
        guard peer_server_ask(server, "\(work.rawValue) \(times)\n"),
            let taken = Double(Self.line(from: server))
        else {
            throw PeerFailure(description: "\(name) did not do its work")
        }
        return .nanoseconds(1) * taken
    }

    private static func line(from server: OpaquePointer) -> String {
        String(cString: peer_server_line(server)).trimmingCharacters(in: .newlines)
    }
}

extension PeerProgram {
    /// This program, built with the trait CryptoKit.
    static func second(path: String) throws -> PeerProgram {
        let program = try PeerProgram(Command(arguments: [path, "--serve"]))
        guard program.name == Provider.second else {
            throw PeerFailure(description: "\(path) is not built with the trait CryptoKit")
        }
        return program
    }

    /// Google's Tink. Its times hold Python's cost of a call; underneath is its C++.
    static func tink(python: String) throws -> PeerProgram {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../tink_peer.py"
        ).path
        return try PeerProgram(
            Command(arguments: [python, script, text(.field), text(.key)]))
    }

    /// How many bytes to seal, and what they are tied to.
    private static func text(_ message: Message) -> String {
        "\(message.plaintext.count):" + String(decoding: message.associatedData, as: UTF8.self)
    }
}

extension PeerProgram? {
    /// The program at this work; none if there is no such program.
    func lane(_ work: Work, _ goal: Goal? = nil) -> [(any Contestant, Goal?)] {
        map { [(PeerWork(program: $0, work: work), goal)] } ?? []
    }
}

private struct PeerWork: Contestant {
    let program: PeerProgram
    let work: Work

    var name: String { program.name }

    func run(_ times: Int) throws { _ = try time(times) }

    /// By its own clock, so that the pipe does not count.
    func time(_ times: Int) throws -> Duration { try program.time(work, times) }

    func peakBytes() -> Int? { nil }
}
