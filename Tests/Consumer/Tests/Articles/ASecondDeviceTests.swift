import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A device of the user: its copy, its key and what it remembers.
private struct UserDevice {
    let folder: TemporaryFolder
    let store = SecretStore()
    let server: HTTPVaultServer

    /// Requests may take a minute here, where many tests share the machine.
    init(_ server: ObjectServer, on port: UInt16? = nil, seconds: Double = 60) throws {
        folder = try TemporaryFolder()
        let url = try #require(server.url(on: port))
        self.server = HTTPVaultServer(
            url: url, session: URLSession(configuration: .ephemeral), seconds: seconds)
    }

    var copy: String { folder.path("copy") }

    /// As if the app was started again: nothing is fetched yet.
    var storage: VaultServerStorage { VaultServerStorage(server, copyingTo: copy) }

    func open() async throws -> VaultActor {
        try await home.open(for: UserID(parsing: "alice"))
    }

    func restore(replacing: Bool = false) async throws {
        let storage = storage
        try await onThread { try storage.restore(replacing: replacing) }
    }

    var home: SharedHome { SharedHome(storage: storage, store: store) }

    /// Brings the key of another device here.
    func link(to other: UserDevice, _ room: VaultActor) async throws {
        let link = try await other.home.share(room)
        _ = try await home.join(link.document, code: link.code.lowercased())
    }

    func faults() async throws -> [String] {
        let server = server
        return try await onThread { VaultStorageChecks.faults(of: server) }
    }
}

extension VaultActor {
    /// Answers a question of the couple, which is one change.
    fileprivate func answer(_ question: String) throws {
        try use { vault in
            _ = try vault.seal(
                answer: Data(#"{"answer":"yes"}"#.utf8), to: QuestionID(parsing: question),
                at: AnswerPlace(parsing: "daily:2026-11-20"), of: CoupleID(parsing: "couple_1"))
        }
    }

    fileprivate var answers: [String] {
        get throws {
            try use { vault in
                try vault.answers(of: CoupleID(parsing: "couple_1")).map(\.name.question.text).sorted()
            }
        }
    }

    fileprivate func refresh() throws { try use { try $0.refresh() } }
}

/// The error that `body` throws.
private func failure(_ body: () async throws -> Void) async -> VaultError? {
    do { try await body() } catch { return error as? VaultError }
    return nil
}

@Suite("A client over HTTP, and the server's faults")
struct HTTPVaultServerTests {
    private let server: ObjectServer

    init() async throws { server = try await ObjectServer() }

    @Test("a server with a strong tag, If-Match and If-None-Match is sound") func sound() async throws {
        #expect(try await UserDevice(server).faults() == [])
        #expect(server.states().count == 3)
    }

    @Test(
        "a server's fault, or a proxy's, is named",
        arguments: [
            (ObjectServer.Fault.weakTags, "the tag is a weak one: a proxy may have changed it"),
            (.changedTags, "fetch returns another tag than store did: a proxy may have changed it"),
            (.ignoredIfMatch, "an object over a tag that has changed is not .outdated"),
            (.ignoredIfNoneMatch, "a new object over one that is there is not .outdated"),
            (.unconditionalGet, "fetch returns an object again whose tag is known"),
            (.olderState, "an object that was stored is not there"),
            (.offline, "fetch does not say .missing where nothing is"),
            (.lostAnswers, "an object was not stored, although the tag fits"),
            (.lostRequests, "an object was not stored, although the tag fits"),
        ])
    func faulty(_ fault: ObjectServer.Fault, _ words: String) async throws {
        server.show(fault)
        let faults = try await UserDevice(server).faults()
        #expect(faults.contains { $0.hasPrefix(words) }, "\(faults)")
    }

    @Test("a request ends in time, and one that nobody answers may be stored") func silence() async throws {
        let device = try UserDevice(server, seconds: 0.5).server
        server.show(.silence)
        let start = ContinuousClock.now
        let error = await failure { _ = try await onThread { try device.store([1], over: nil) } }
        guard case .mayBeWritten = error else { throw try #require(error) }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("where no server listens, the device is offline") func unreached() async throws {
        let device = try UserDevice(server, on: 1).server
        let error = await failure { _ = try await onThread { try device.fetch(unless: nil) } }
        guard case .cannotRead = error else { throw try #require(error) }
    }
}

@Suite("The article: A second device")
struct ASecondDeviceTests {
    private let server: ObjectServer
    private let phone: UserDevice
    private let tablet: UserDevice
    /// The phone's vault, which has a couple.
    private let made: VaultActor

    init() async throws {
        server = try await ObjectServer()
        (phone, tablet) = (try UserDevice(server), try UserDevice(server))
        made = try await phone.open()
        try await made.use { vault in
            try vault.store(vault.draftCouple(of: CoupleID(parsing: "couple_1"), beginningAt: .strict))
        }
        try await tablet.link(to: phone, made)
    }

    @Test("what one device changes, the other one has once it refreshes, and a change refreshes")
    func shared() async throws {
        let other = try await tablet.open()
        try await made.answer("one")
        #expect(try await other.answers.isEmpty)
        try await other.refresh()
        #expect(try await other.answers == ["one"])
        try await made.answer("two")
        try await other.answer("three")
        try await made.refresh()
        #expect(try await made.answers == ["one", "three", "two"])
    }

    // proves: W8: changes of two devices at once are all in their one vault
    @Test("forty changes of two devices at once are all there") func forty() async throws {
        try await withThrowingTaskGroup { group in
            for (room, name) in [(made, "phone"), (try await tablet.open(), "tablet")] {
                group.addTask {
                    for index in 0..<20 { try await room.answer("\(name)_\(index)") }
                }
            }
            try await group.waitForAll()
        }
        try await made.refresh()
        #expect(try await made.answers.count == 40)
        #expect(Set(server.states()).count == server.states().count)
    }

    @Test("a text is sealed under the key that another device brought, and offline under the last one")
    func field() async throws {
        let (couple, other) = (try CoupleID(parsing: "couple_1"), try await tablet.open())
        try await made.use { vault in
            try vault.store(vault.draftCouple(of: CoupleID(parsing: "couple_2"), beginningAt: .strict))
        }
        let token = try await seal("good morning", of: CoupleID(parsing: "couple_2"), in: other)
        let opened = try await made.use { vault in
            try vault.couple(CoupleID(parsing: "couple_2")).fieldKey().open(token).plaintext
        }
        #expect(opened == Array("good morning".utf8))
        server.show(.offline)
        _ = try await seal("good night", of: couple, in: other)
    }

    // MARK: - What a screen says

    @Test("offline, a device reads its copy and changes nothing") func offline() async throws {
        try await made.answer("one")
        server.show(.offline)
        let again = try await phone.open()
        #expect(try await again.answers == ["one"])
        for body in [{ try await again.answer("two") }, { try await again.refresh() }] {
            let error = try #require(await failure(body))
            #expect(advice(forSharedVault: error) == "You are offline. You can read what this device has.")
        }
        server.show()
        try await again.answer("two")
        #expect(try await again.answers == ["one", "two"])
    }

    @Test(
        "a change whose answer is lost, or that is sent twice, is made once",
        arguments: [ObjectServer.Fault.lostAnswers, .sentTwice])
    func lostAnswer(_ fault: ObjectServer.Fault) async throws {
        let before = server.states().count
        server.show(fault)
        try await made.answer("one")
        #expect(try await made.answers == ["one"] && server.states().count == before + 1)
    }

    @Test("a change that never arrives may be stored, says the app, and is made once when it is tried again")
    func lostRequest() async throws {
        server.show(.lostRequests)
        let error = try #require(await failure { try await made.answer("one") })
        #expect(advice(forSharedVault: error).hasPrefix("This may be stored"))
        server.show()
        #expect(try await made.answers.isEmpty)
        try await made.answer("one")
        #expect(try await made.answers == ["one"])
    }

    @Test("a device that a proxy with weak tags keeps from storing is told that others were faster")
    func outdated() async throws {
        server.show(.weakTags)
        let error = try #require(await failure { try await made.answer("one") })
        #expect(advice(forSharedVault: error).contains("another device of yours was faster"))
        server.show()
        try await made.answer("one")
        #expect(try await made.answers == ["one"])
    }

    @Test("an older state is refused, and so is one that lacks a change of this device")
    func rolledBack() async throws {
        let other = try await tablet.open()
        try await made.answer("one")
        server.show(.olderState)
        for body in [{ try await made.refresh() }, { try await made.answer("two") }] {
            let error = try #require(await failure(body))
            #expect(advice(forSharedVault: error).hasPrefix("The server shows older"))
        }
        server.show()
        server.overwrite(server.states().dropLast().last)
        try await other.answer("three")
        let error = try #require(await failure { try await made.refresh() })
        #expect(advice(forSharedVault: error).hasPrefix("The server shows older"))
    }

    @Test(
        "a cache keeps a device from changing; where If-Match is ignored, too, the one whose change is lost is told"
    )
    func ignored() async throws {
        let other = try await tablet.open()
        try await made.answer("one")
        server.show(.olderState)
        let error = try #require(await failure { try await other.answer("two") })
        #expect(advice(forSharedVault: error).contains("another device of yours was faster"))
        server.show(.olderState, .ignoredIfMatch)
        try await other.answer("two")
        server.show()
        let lost = try #require(await failure { try await made.refresh() })
        #expect(advice(forSharedVault: lost).hasPrefix("The server shows older"))
    }

    @Test("a device without the key waits, and makes no second vault") func noKey() async throws {
        let device = try UserDevice(server)
        await #expect(throws: Home.NoKey.self) { try await device.open() }
        #expect(advice(forSharedVault: Home.NoKey()) == "Please link this device to your other one.")
        let link = try await phone.home.share(made)
        let wrong = await #expect(throws: DeviceLink.Failure.authenticationFailed) {
            try await device.home.join(link.document, code: String(link.code.reversed()))
        }
        #expect(try advice(forSharedVault: #require(wrong)).hasPrefix("This code does not fit"))
        #expect(try device.store.value("key") == nil)
        try await device.link(to: phone, made)
        #expect(try await device.open().answers.isEmpty)
    }

    // MARK: - What the server may lose

    // proves: W8: what the server lost, or an attacker replaced, comes back from a device's copy
    @Test("what the server lost, or an attacker replaced, is put back from a device's copy")
    func restored() async throws {
        try await made.answer("one")
        for (bytes, words) in [
            (nil, "The server has lost"), (Array("noise".utf8), "Your data on the server was changed"),
        ] {
            server.overwrite(bytes)
            let again = try await phone.open()
            #expect(try await again.answers == ["one"])
            let error = try #require(await failure { try await again.refresh() })
            #expect(advice(forSharedVault: error).hasPrefix(words))
            try await phone.restore(replacing: bytes != nil)
            let other = try await tablet.open()
            try await other.refresh()
            #expect(try await other.answers == ["one"])
        }
    }

    @Test("a new key of one device asks for a link of the other one, and its copy opens until then")
    func newKey() async throws {
        try await made.answer("one")
        let (other, key) = (try await tablet.open(), Data((0..<32).map { _ in UInt8.random(in: 0...255) }))
        try await other.refresh()
        try await made.use { vault in
            try vault.changeCredential(to: .key(SecretBytes(copying: key)), newVaultKey: true)
        }
        try phone.store.keep(key, as: "key")
        let error = try #require(await failure { try await other.refresh() })
        #expect(advice(forSharedVault: error) == "Please link this device to your other one.")
        await #expect(throws: VaultError.authenticationFailed) { try await other.answers }
        #expect(try await tablet.open().answers == ["one"])
        try await tablet.link(to: phone, made)
        try await tablet.open().answer("two")
        #expect(try await phone.open().answers == ["one"])
        try await made.refresh()
        #expect(try await made.answers == ["one", "two"])
    }

    @Test("of two devices that make the vault at once one does, and the other one has no key left")
    func twoMade() async throws {
        let server = try await ObjectServer()
        let devices = [try UserDevice(server), try UserDevice(server)]
        let room = try await devices[0].open()
        // The second device has looked before that.
        server.show(.olderState)
        let error = try #require(await failure { _ = try await devices[1].open() })
        #expect(advice(forSharedVault: error).hasPrefix("You have data on another device"))
        #expect(try devices[0].store.value("key") != nil && devices[1].store.value("key") == nil)
        server.show()
        try await devices[1].link(to: devices[0], room)
        _ = try await devices[1].open()
    }

    @Test("a key that is there stays, as after a start that was killed, and the vault is made under it")
    func formerKey() async throws {
        let (server, key) = (try await ObjectServer(), Data(repeating: 7, count: 32))
        let device = try UserDevice(server)
        try device.store.keep(key, as: "key")
        _ = try await device.open()
        #expect(try device.store.value("key") == key)
        _ = try await device.open()
    }

    @Test(
        "a vault whose answer is lost, or whose request is sent twice, is made once and keeps its key",
        arguments: [ObjectServer.Fault.lostAnswers, .sentTwice])
    func made(_ fault: ObjectServer.Fault) async throws {
        let server = try await ObjectServer()
        let device = try UserDevice(server)
        server.show(fault)
        _ = try await device.open()
        #expect(server.states().count == 1)
        #expect(try device.store.value("key") != nil)
    }
}
