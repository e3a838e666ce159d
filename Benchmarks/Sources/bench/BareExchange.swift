import CPeers

/// The lines of a run over vectors between two programs in C: sent, waited for, and not looked at.
struct BareExchange: Contestant {
    let name = "lines there and back in C"
    let command: Command
    let count: Int

    private static let text = String(repeating: "5b", count: 64)

    func run(_ times: Int) throws {
        for _ in 0..<times {
            guard let server = command.withArguments(peer_server_new) else {
                throw PeerFailure(description: "\(command.arguments[0]) did not start")
            }
            defer { peer_server_free(server) }
            for number in 0...count { try ask(server, number) }
        }
    }

    private func ask(_ server: OpaquePointer, _ number: Int) throws {
        let line = #"{"seq":\#(number),"cmd":"run","op":"canonical","case":{"text":"\#(Self.text)"}}"# + "\n"
        guard peer_server_ask(server, line), peer_server_line(server).pointee != 0 else {
            throw PeerFailure(description: "\(command.arguments[0]) did not answer")
        }
    }
}
