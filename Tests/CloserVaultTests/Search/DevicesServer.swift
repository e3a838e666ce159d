import CloserPrimitives

@testable import CloserVault

/// A server that shows each device what it likes: states that it once had, on as many branches, and loses and delays what it is told.
final class DevicesServer: Sendable {
    /// One state of the vault, as it was stored.
    struct State {
        let bytes: [UInt8]
        let tag: String
        /// The place of the state that it replaced, among all; nil for the first.
        let parent: Int?
    }

    struct Content {
        var states: [State] = []
        /// Which state each branch has.
        var branches = [0]
        /// The branch that a device is shown.
        var shown: [Int]
        /// What becomes of the next requests to store.
        var fates: [StandInServer.Fate] = []
        var late: [(device: Int, bytes: [UInt8], tag: String?)] = []
        var isReached = true
    }

    let content: Lock<Content>

    init(devices count: Int) { content = Lock(Content(shown: Array(repeating: 0, count: count))) }

    var states: [State] { content.withLock { $0.states } }

    /// What a device is given as its server.
    func door(of device: Int) -> Door { Door(server: self, device: device) }

    struct Door: VaultServer {
        let server: DevicesServer
        let device: Int
        var name: String { "the server" }

        func fetch(unless tag: String?) throws(VaultError) -> (bytes: [UInt8], tag: String)? {
            try server.content.withLock { (content) throws(VaultError) in
                guard content.isReached else { throw .cannotRead(path: name, reason: "offline") }
                guard let state = content.state(of: device) else { throw .missing(path: name) }
                for late in content.late { _ = content.put(late.bytes, over: late.tag, for: late.device) }
                content.late = []
                return state.tag == tag ? nil : (state.bytes, state.tag)
            }
        }

        func store(_ bytes: [UInt8], over tag: String?) throws(VaultError) -> String {
            try server.content.withLock { (content) throws(VaultError) in
                guard content.isReached else { throw .cannotRead(path: name, reason: "offline") }
                let fate = content.fates.popLast() ?? .stored
                switch fate {
                case .refused: throw .cannotWrite(path: name, reason: "quota")
                case .late: content.late.append((device, bytes, tag))
                case .storedUnanswered: _ = content.put(bytes, over: tag, for: device)
                case .lost: break
                case .stored, .sentTwice, .sentTwiceThenOffline:
                    content.isReached = fate != .sentTwiceThenOffline
                    if fate != .stored { _ = content.put(bytes, over: tag, for: device) }
                    guard let new = content.put(bytes, over: tag, for: device) else {
                        throw .outdated(path: name)
                    }
                    return new
                }
                throw .mayBeWritten(path: name, reason: "no answer")
            }
        }
    }
}

extension DevicesServer.Content {
    func state(of device: Int) -> DevicesServer.State? {
        states.isEmpty ? nil : states[branches[shown[device]]]
    }

    /// Nil if the tag does not fit.
    mutating func put(_ bytes: [UInt8], over tag: String?, for device: Int) -> String? {
        guard state(of: device)?.tag == tag else { return nil }
        let parent = states.isEmpty ? nil : branches[shown[device]]
        states.append(DevicesServer.State(bytes: bytes, tag: "\(states.count)", parent: parent))
        branches[shown[device]] = states.count - 1
        return states.last?.tag
    }
}
