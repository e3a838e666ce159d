import CloserPrimitives

@testable import CloserVault

/// A server in the memory of a test. It keeps each state, and answers as it is told: late, twice, never, or with an older state.
final class StandInServer: VaultServer {
    /// What becomes of one request to store.
    enum Fate: CaseIterable {
        case stored
        /// The server stores it, and the answer is lost.
        case storedUnanswered
        /// The request is lost.
        case lost
        /// The request arrives after the next fetch, and again no answer does.
        case late
        /// A client sends it a second time once its first answer was lost.
        case sentTwice
        /// The same, and then the network is down.
        case sentTwiceThenOffline
        /// The server says no.
        case refused
    }

    struct State: Equatable {
        let bytes: [UInt8]
        let tag: String
    }

    private struct Content {
        var states: [State] = []
        /// Whose tag is the object's; nil if there is none.
        var current: State?
        /// Shown in its place.
        var shown: State?
        var fates: [Fate] = []
        var late: [(bytes: [UInt8], tag: String?)] = []
        var isReached = true
    }

    let name = "the server"
    private let content = Lock(Content())

    var states: [State] { content.withLock { $0.states } }
    var bytes: [UInt8]? { content.withLock { $0.current?.bytes } }
    /// False while the network is down.
    var isReached: Bool {
        get { content.withLock { $0.isReached } }
        set { content.withLock { $0.isReached = newValue } }
    }

    /// What becomes of the next requests to store; later ones are stored.
    func meet(_ fates: [Fate]) { content.withLock { $0.fates = fates } }

    /// Shows a state in the place of its newest one; nil ends that.
    func show(_ state: State?) { content.withLock { $0.shown = state } }

    /// Puts an object there behind the vault's back; nil deletes it.
    func overwrite(_ bytes: [UInt8]?) {
        content.withLock { content in
            content.current = bytes.map {
                State(bytes: $0, tag: "other \(content.states.count)")
            }
        }
    }

    func fetch(unless tag: String?) throws(VaultError) -> (bytes: [UInt8], tag: String)? {
        try content.withLock { (content) throws(VaultError) in
            guard content.isReached else { throw offline }
            guard let state = content.shown ?? content.current else { throw .missing(path: name) }
            for late in content.late { _ = Self.put(late.bytes, over: late.tag, in: &content) }
            content.late = []
            return state.tag == tag ? nil : (state.bytes, state.tag)
        }
    }

    func store(_ bytes: [UInt8], over tag: String?) throws(VaultError) -> String {
        try content.withLock { (content) throws(VaultError) in
            guard content.isReached else { throw offline }
            let fate = content.fates.isEmpty ? .stored : content.fates.removeFirst()
            switch fate {
            case .refused: throw .cannotWrite(path: name, reason: "quota")
            case .late: content.late.append((bytes, tag))
            case .storedUnanswered: _ = Self.put(bytes, over: tag, in: &content)
            case .lost: break
            case .stored, .sentTwice, .sentTwiceThenOffline:
                content.isReached = fate != .sentTwiceThenOffline
                if fate != .stored { _ = Self.put(bytes, over: tag, in: &content) }
                guard let new = Self.put(bytes, over: tag, in: &content) else { throw .outdated(path: name) }
                return new
            }
            throw .mayBeWritten(path: name, reason: "no answer")
        }
    }

    private var offline: VaultError { .cannotRead(path: name, reason: "offline") }

    /// Nil if the tag does not fit.
    private static func put(_ bytes: [UInt8], over tag: String?, in content: inout Content) -> String? {
        guard content.current?.tag == tag else { return nil }
        let state = State(bytes: bytes, tag: "\(content.states.count)")
        content.states.append(state)
        content.current = state
        return state.tag
    }
}
