import FlyingFox
import FlyingSocks
import Foundation

/// An app's server, over HTTP on a port of this machine: an object at each path, conditional requests of RFC 9110 §13.1, and a switch for
/// what may go wrong.
final class ObjectServer: Sendable {
    /// What the server, or a proxy before it, does wrong.
    enum Fault: CaseIterable, Sendable {
        /// The gateway answers 503: the app is offline, as far as the vault can tell.
        case offline
        /// An object is stored, and the gateway answers 504.
        case lostAnswers
        /// The gateway answers 504 to what was never stored.
        case lostRequests
        /// An object is stored, and no answer comes for 50 seconds.
        case silence
        /// A request to store is passed on twice: the second one finds what the first one stored.
        case sentTwice
        case weakTags, changedTags, ignoredIfMatch, ignoredIfNoneMatch, unconditionalGet
        /// A cache shows the state before the newest one.
        case olderState
    }

    let port: UInt16
    private let objects: Objects
    private let run: Task<Void, any Error>

    init() async throws {
        let objects = Objects()
        let server = try HTTPServer(
            address: .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled,
            handler: ClosureHTTPHandler { try await objects.answer(to: $0) })
        // Tests that compute fill the threads of their priority: at a higher one, requests are answered meanwhile.
        run = Task.detached(priority: .high) { try await server.run() }
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port) = await server.listeningAddress else { throw NoPort() }
        (self.port, self.objects) = (port, objects)
    }

    deinit { run.cancel() }

    /// The server listens nowhere.
    struct NoPort: Error {}

    /// Where a client finds a user's object. On another port than the server's there is no server.
    func url(of user: String = "alice", on port: UInt16? = nil) -> URL? {
        URL(string: "http://127.0.0.1:\(port ?? self.port)/vaults/\(user)")
    }

    /// Goes wrong in these ways until the next call; without one, it is sound again.
    func show(_ faults: Fault...) { objects.set { $0.faults = Set(faults) } }

    /// Replaces an object behind the vault's back; nil deletes it.
    func overwrite(_ bytes: [UInt8]?, of user: String = "alice") {
        objects.set { $0.objects["/vaults/\(user)"] = bytes.map { [Objects.Object(Data($0))] } }
    }

    /// What was stored, the oldest first.
    func states(of user: String = "alice") -> [[UInt8]] {
        objects.get { $0.objects["/vaults/\(user)"] ?? [] }.map { Array($0.bytes) }
    }
}

/// The objects by their paths, and the answers of RFC 9110.
private final class Objects: @unchecked Sendable {
    struct Object {
        let bytes: Data
        /// A strong validator: other bytes have another one.
        let tag = "\"\(UUID().uuidString)\""

        init(_ bytes: Data) { self.bytes = bytes }
    }

    struct Content {
        /// All states of each object.
        var objects: [String: [Object]] = [:]
        var faults: Set<ObjectServer.Fault> = []
    }

    private let lock = NSLock()
    private var content = Content()

    func get<Value>(_ body: (Content) -> Value) -> Value { lock.withLock { body(content) } }

    func set(_ body: (inout Content) -> Void) { lock.withLock { body(&content) } }

    func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        let faults = get { $0.faults }
        if faults.contains(.offline) { return HTTPResponse(statusCode: .serviceUnavailable) }
        switch request.method {
        case .GET: return fetched(request, faults)
        case .PUT: return try await stored(request, faults)
        default: return HTTPResponse(statusCode: .methodNotAllowed)
        }
    }

    private func fetched(_ request: HTTPRequest, _ faults: Set<ObjectServer.Fault>) -> HTTPResponse {
        let states = get { $0.objects[request.path] ?? [] }
        guard let object = (faults.contains(.olderState) ? states.dropLast() : states[...]).last else {
            return HTTPResponse(statusCode: .notFound)
        }
        let tag = Self.shown(object.tag, faults)
        let isKnown = request.headers[.ifNoneMatch] == tag && !faults.contains(.unconditionalGet)
        return HTTPResponse(
            statusCode: isKnown ? .notModified : .ok, headers: HTTPHeaders([.eTag: tag]),
            body: isKnown ? Data() : object.bytes)
    }

    private func stored(_ request: HTTPRequest, _ faults: Set<ObjectServer.Fault>) async throws
        -> HTTPResponse
    {
        let bytes = try await request.bodyData
        if faults.contains(.lostRequests) { return HTTPResponse(statusCode: .gatewayTimeout) }
        var response = put(bytes, request, faults)
        if faults.contains(.sentTwice) { response = put(bytes, request, faults) }
        if faults.contains(.silence) { try await Task.sleep(for: .seconds(50)) }
        return faults.contains(.lostAnswers) ? HTTPResponse(statusCode: .gatewayTimeout) : response
    }

    /// Compares and replaces in one step.
    private func put(_ bytes: Data, _ request: HTTPRequest, _ faults: Set<ObjectServer.Fault>) -> HTTPResponse
    {
        lock.withLock {
            let tag = content.objects[request.path]?.last?.tag
            switch (request.headers[.ifMatch], request.headers[.ifNoneMatch]) {
            case (let match?, nil):
                guard tag == match || faults.contains(.ignoredIfMatch) else {
                    return HTTPResponse(statusCode: .preconditionFailed)
                }
            case (nil, "*"):
                guard tag == nil || faults.contains(.ignoredIfNoneMatch) else {
                    return HTTPResponse(statusCode: .preconditionFailed)
                }
            default: return HTTPResponse(statusCode: .preconditionRequired)
            }
            let object = Object(bytes)
            content.objects[request.path, default: []].append(object)
            let shown = faults.contains(.weakTags) ? "W/\(object.tag)" : object.tag
            return HTTPResponse(
                statusCode: tag == nil ? .created : .noContent, headers: HTTPHeaders([.eTag: shown]))
        }
    }

    /// As a proxy that packs what it passes on shows a tag: as a weak one, or as another one.
    private static func shown(_ tag: String, _ faults: Set<ObjectServer.Fault>) -> String {
        if faults.contains(.weakTags) { return "W/\(tag)" }
        return faults.contains(.changedTags) ? "\(tag.dropLast())-gzip\"" : tag
    }
}

extension HTTPHeader {
    fileprivate static let ifMatch = HTTPHeader("If-Match")
}
