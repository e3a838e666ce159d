import Foundation

/// A server that carries documents, each under its path, and reads none of what two people write. A new document replaces a former one.
nonisolated protocol AppServer: Sendable {
    /// Nil where there is none.
    func document(at path: String) async throws -> Data?
    func store(_ document: Data, at path: String) async throws
}

/// A server in this process. It may lose what comes to a path the first time, as in a tunnel.
actor MemoryServer: AppServer {
    private var documents: [String: Data] = [:]
    private var lost: Set<String>?

    init(losingFirst: Bool = false) { lost = losingFirst ? [] : nil }
    func document(at path: String) -> Data? { documents[path] }
    func store(_ document: Data, at path: String) throws {
        if lost?.insert(path).inserted == true { throw URLError(.networkConnectionLost) }
        documents[path] = document
    }
}
