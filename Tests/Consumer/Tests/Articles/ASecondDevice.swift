import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// doc: ASecondDevice
/// The vault's object on the app's server, over HTTP.
nonisolated struct HTTPVaultServer: VaultServer {
    let name = "your account"
    let url: URL
    let session: URLSession
    /// How long a request may take.
    var seconds = 8.0

    func fetch(unless tag: String?) throws(VaultError) -> (bytes: [UInt8], tag: String)? {
        let answer = answer(to: "GET", tag.map { ("If-None-Match", $0) })
        switch answer.status {
        case 200: if let tag = answer.tag { return (Array(answer.body), tag) }
        case 304: return nil
        case 404: throw .missing(path: name)
        default: break
        }
        throw .cannotRead(path: name, reason: answer.reason)
    }

    func store(_ bytes: [UInt8], over tag: String?) throws(VaultError) -> String {
        let answer = answer(to: "PUT", tag.map { ("If-Match", $0) } ?? ("If-None-Match", "*"), Data(bytes))
        switch answer.status {
        case 200..<300: if let tag = answer.tag { return tag }
        case 412: throw .outdated(path: name)
        case 400..<500: throw .cannotWrite(path: name, reason: answer.reason)
        default: break
        }
        // No answer, or a gateway's: the server may have stored the object.
        throw .mayBeWritten(path: name, reason: answer.reason)
    }

    private func answer(to method: String, _ condition: (field: String, value: String)?, _ body: Data? = nil)
        -> Answer
    {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        (request.httpMethod, request.httpBody) = (method, body)
        // A proxy that packs a body changes its tag.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let condition { request.setValue(condition.value, forHTTPHeaderField: condition.field) }
        let (answer, done) = (Answer(), DispatchSemaphore(value: 0))
        let task = session.dataTask(with: request) { data, response, error in
            answer.take(data, response as? HTTPURLResponse, error)
            done.signal()
        }
        task.resume()
        guard done.wait(timeout: .now() + seconds) == .success else {
            task.cancel()
            return Answer()
        }
        return answer
    }

    /// What came back: written before the semaphore is signalled, and read after that.
    private final class Answer: @unchecked Sendable {
        private(set) var status = 0
        private(set) var tag: String?
        private(set) var body = Data()
        private(set) var reason = "no answer"

        func take(_ data: Data?, _ response: HTTPURLResponse?, _ error: (any Error)?) {
            if let error { reason = error.localizedDescription }
            guard let response, error == nil else { return }
            (status, body) = (response.statusCode, data ?? Data())
            (tag, reason) = (response.value(forHTTPHeaderField: "ETag"), "status \(status)")
        }
    }
}
// doc: end

// doc: ASecondDevice
/// Runs what blocks on a thread of its own, and not on one of the few that all tasks share.
nonisolated func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
    -> Value
{
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

/// A device's own door to the vault that all devices of a user open.
nonisolated struct SharedHome: Sendable {
    let storage: VaultServerStorage
    let store: SecretStore

    /// At each start: opens the copy, or else what the server has, or else makes the vault.
    func open(for user: UserID) async throws -> VaultActor {
        try await onThread {
            do { return try unlock(LockedVault(in: storage)) } catch VaultError.missing {
                return try create(for: user)
            } catch VaultError.authenticationFailed {
                // This device was linked again: its copy is under the former key.
                try storage.refresh()
                return try unlock(LockedVault(in: storage))
            }
        }
    }

    private func unlock(_ locked: LockedVault) throws -> VaultActor {
        guard let key = try store.value("key") else { throw Home.NoKey() }
        return try room(locked.unlock(with: .key(SecretBytes(copying: key))))
    }

    private func create(for user: UserID) throws -> VaultActor {
        // A key that is here stays: it may open the copy of another device, or an earlier call was ended.
        let former = try store.value("key")
        let key = former ?? Data(InsecureCopy.bytes(SecretBytes.random(count: 32)))
        try store.keep(key, as: "key")
        do {
            return try room(Vault.create(in: storage, for: user, locking: .key(SecretBytes(copying: key))))
        } catch {
            // Another device was faster. After each other error this key may protect a vault.
            if case VaultError.exists = error, former == nil { try store.remove("key") }
            throw error
        }
    }

    fileprivate func room(_ vault: Vault) throws -> VaultActor {
        try VaultActor(vault, memory: Remembered(store: store, id: vault.id))
    }
}
// doc: end

// doc: ASecondDevice
nonisolated extension SharedHome {
    /// On a device that has the key: a document for the server, and a code to show.
    func share(_ room: VaultActor) async throws -> (document: Data, code: String) {
        guard let key = try store.value("key") else { throw Home.NoKey() }
        return try await room.use { vault in
            let link = try vault.link(sharing: SecretBytes(copying: key))
            return (Data(link.document), InsecureCopy.string(link.code.text))
        }
    }

    /// On a new device: opens the vault with the key that the link brings, and keeps the key.
    func join(_ document: Data, code typed: String) async throws -> VaultActor {
        try await onThread {
            let code = try DeviceLink.Code(typed: SecretBytes(utf8: typed))
            let link = try DeviceLink.key(from: document, code: code)
            let key = Data(InsecureCopy.bytes(link.key))
            try storage.refresh()
            let vault = try Vault(
                opening: storage, unlocking: .key(SecretBytes(copying: key)), notOlderThan: link.version)
            try store.keep(key, as: "key")
            return try room(vault)
        }
    }
}
// doc: end

// doc: ASecondDevice
/// Seals a text under the couple's newest key; offline, under the one that this device has.
nonisolated func seal(_ text: String, of couple: CoupleID, in room: VaultActor) async throws -> FieldToken {
    try await room.use { vault in
        do { try vault.refresh() } catch VaultError.cannotRead {}
        return try vault.couple(couple).fieldKey().seal(Data(text.utf8))
    }
}
// doc: end

// doc: ASecondDevice
/// What to say when a vault on a server does not do as it was asked.
nonisolated func advice(forSharedVault error: any Error) -> String {
    switch error {
    case VaultError.cannotRead: "You are offline. You can read what this device has."
    case VaultError.outdated: "Nothing was changed: another device of yours was faster. Please try again."
    case VaultError.mayBeWritten: "This may be stored: the server did not answer. Please try again."
    case VaultError.rolledBack, VaultError.replaced:
        "The server shows older or different data. Did you restore a backup?"
    case VaultError.authenticationFailed, is Home.NoKey: "Please link this device to your other one."
    case DeviceLink.Failure.authenticationFailed, is DeviceLink.Code.FormatError:
        "This code does not fit. Please type it again."
    case VaultError.exists: "You have data on another device already. Please link this device."
    case VaultError.missing: "The server has lost your data. Shall this device put its copy back?"
    case VaultError.notAVault, VaultError.damaged:
        "Your data on the server was changed. Shall this device put its copy back?"
    default: "Please try again, or contact us."
    }
}
// doc: end
