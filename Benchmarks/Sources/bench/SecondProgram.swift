import CPeers
import Foundation

/// This program, built with the other provider. One process holds one provider, so it runs in another, and waits between its turns.
final class SecondProgram {
    private let server: OpaquePointer

    init(path: String) throws {
        guard let server = peer_server_new(path) else {
            throw PeerFailure(description: "\(path) did not start")
        }
        self.server = server
        guard line() == Provider.second else {
            throw PeerFailure(description: "\(path) is not built with the trait CryptoKit")
        }
    }

    deinit { peer_server_free(server) }

    fileprivate func time(_ work: Work, _ times: Int) throws -> Duration {
        guard peer_server_ask(server, "\(work.rawValue) \(times)\n"), let taken = Double(line()) else {
            throw PeerFailure(description: "the second program did not do its work")
        }
        return .nanoseconds(1) * taken
    }

    private func line() -> String {
        String(cString: peer_server_line(server)).trimmingCharacters(in: .newlines)
    }
}

extension SecondProgram? {
    /// The second program at this work, without a goal; none if there is no such program.
    func lane(_ work: Work) -> [(any Contestant, Goal?)] {
        map { [(SecondProvider(program: $0, work: work), nil)] } ?? []
    }
}

private struct SecondProvider: Contestant {
    let name = Provider.second
    let program: SecondProgram
    let work: Work

    func run(_ times: Int) throws { _ = try time(times) }

    /// By its own clock, so that the pipe does not count.
    func time(_ times: Int) throws -> Duration { try program.time(work, times) }
}
