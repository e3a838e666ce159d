import CloserKeys
import CloserPrimitives
import Foundation
import TestSupport
import Testing

@testable import CloserVault

/// One device of a user: its copy of the vault, and what it remembers.
private final class StandInDevice {
    let folder: VaultFolder
    let server: StandInServer
    let memory = StandInMemory()
    var path: String { folder.path("copy") }

    init(_ server: StandInServer) throws { (folder, self.server) = (try VaultFolder(), server) }

    var storage: VaultServerStorage { VaultServerStorage(server, copyingTo: path) }

    /// A process of the device opens the vault, and remembers its state.
    func open(key: UInt8 = 1) throws -> Vault {
        let vault = try Vault(opening: storage, unlocking: .testOnlyKeyFile(key))
        try vault.remember(in: memory)
        return vault
    }

    var copy: [UInt8]? { try? folder.bytes("copy") }
}

@Suite("One vault of several devices, on a server")
struct VaultServerStorageTests {
    private let server = StandInServer()
    private let phone: StandInDevice
    private let tablet: StandInDevice
    private let made: Vault

    init() throws {
        (phone, tablet) = (try StandInDevice(server), try StandInDevice(server))
        made = try Vault.create(
            in: phone.storage, for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        try made.remember(in: phone.memory)
    }

    private func couples(_ vault: Vault) throws -> [String] { try vault.coupleIDs.map(\.text) }

    private func plant(_ name: String, in vault: Vault) throws { try vault.plant(CoupleID(parsing: name)) }

    @Test("what one device stores, the other one has once it refreshes, and a change refreshes")
    func shared() throws {
        let other = try tablet.open()
        try plant("one", in: made)
        #expect(try couples(other).isEmpty)
        try other.refresh()
        #expect(try couples(other) == ["one"])
        try plant("two", in: made)
        try plant("three", in: other)
        #expect(try couples(other) == ["one", "three", "two"])
        try made.refresh()
        #expect(try couples(made) == ["one", "three", "two"])
    }

    @Test("a change that another device outran runs again on the newer state, ten times at most")
    func outrun() throws {
        let other = try tablet.open()
        let runs = Lock(0)
        func change(outrun count: Int) throws {
            try made.change { (transaction) throws(VaultError) in
                let run = runs.withLock {
                    $0 += 1; return $0
                }
                guard run <= count else { return transaction.put(Policy(requiresPairing: true)) }
                do { try plant("other_\(run)", in: other) } catch { throw .damaged }
                transaction.put(Policy(requiresPairing: true))
            }
        }
        try change(outrun: 9)
        #expect(runs.withLock { $0 } == 10)
        #expect(try made.policy.requiresPairing && couples(made).count == 9)
        runs.withLock { $0 = 0 }
        #expect(throws: VaultError.outdated(path: server.name)) { try change(outrun: 10) }
        #expect(runs.withLock { $0 } == 10)
    }

    @Test("a batch and an accepted older state do not run again")
    func once() throws {
        let other = try tablet.open()
        #expect(throws: VaultError.outdated(path: server.name)) {
            try made.together {
                try? plant("mine", in: made)
                try? plant("other", in: other)
            }
        }
        try made.refresh()
        #expect(try couples(made) == ["other"])
    }

    @Test(
        "a change whose answer is lost or late is made once, and a request that is sent again is not refused by itself",
        arguments: [
            [StandInServer.Fate.storedUnanswered], [.lost], [.late], [.sentTwice], [.lost, .lost],
            [.late, .storedUnanswered], [.lost, .late], [.lost, .lost, .storedUnanswered],
        ])
    fileprivate func unanswered(_ fates: [StandInServer.Fate]) throws {
        let before = server.states.count
        server.meet(fates)
        var runs = 0
        try made.change { (transaction) in
            runs += 1
            transaction.put(Policy(requiresPairing: true))
        }
        #expect(runs == 1 && server.states.count == before + 1)
        #expect(try made.policy.requiresPairing)
        try made.remember(in: phone.memory)
        #expect(try tablet.open().policy.requiresPairing)
    }

    @Test("a change that no answer tells of may be written, and the same change again finds out")
    func mayBeWritten() throws {
        let error = VaultError.mayBeWritten(path: server.name, reason: "no answer")
        server.meet([.lost, .lost, .lost, .lost])
        #expect(throws: error) { try plant("one", in: made) }
        #expect(try couples(made).isEmpty)
        server.meet([.lost, .lost, .lost, .storedUnanswered])
        #expect(throws: error) { try plant("one", in: made) }
        try made.refresh()
        #expect(try couples(made) == ["one"])
    }

    @Test("a change whose answer is lost, and that another device outruns, runs again")
    func unansweredAndOutrun() throws {
        let other = try tablet.open()
        server.meet([.lost])
        var runs = 0
        try made.change { (transaction) throws(VaultError) in
            runs += 1
            if runs == 1 {
                server.meet([])
                do { try plant("other", in: other) } catch { throw .damaged }
                server.meet([.lost])
            }
            transaction.put(Policy(requiresPairing: true))
        }
        #expect(runs == 2)
        #expect(try couples(made) == ["other"] && made.policy.requiresPairing)
    }

    @Test(
        "a new vault whose answer is lost, or whose request is sent again, is made once; where one is, or a copy, another one is not made",
        arguments: [StandInServer.Fate.storedUnanswered, .sentTwice])
    fileprivate func create(_ fate: StandInServer.Fate) throws {
        let server = StandInServer()
        let device = try StandInDevice(server)
        server.meet([fate])
        let vault = try Vault.create(
            in: device.storage, for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        try vault.remember(in: device.memory)
        #expect(server.states.count == 1)
        func again(_ device: StandInDevice) throws {
            _ = try Vault.create(
                in: device.storage, for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        }
        let other = try StandInDevice(server)
        #expect(throws: VaultError.exists(path: server.name)) { try again(other) }
        server.overwrite(nil)
        #expect(throws: VaultError.exists(path: device.path)) { try again(device) }
        try again(other)
    }

    @Test(
        "a request that its own repetition refused, and that is not looked up, may be written, and does not run again"
    )
    func refusedByItself() throws {
        server.meet([.sentTwiceThenOffline])
        var runs = 0
        #expect(
            throws: VaultError.mayBeWritten(path: server.name, reason: "the server was not reached again")
        ) {
            try made.change { (transaction) in
                runs += 1
                transaction.put(Policy(requiresPairing: true))
            }
        }
        server.isReached = true
        try made.refresh()
        #expect(try runs == 1 && made.policy.requiresPairing)
    }

    @Test("of an actor, a result from an older state than another process saw is withheld")
    func olderToTheSecondProcess() async throws {
        let start = try #require(server.states.last)
        let second = try VaultActor(phone.open(), memory: phone.memory)
        let first = try VaultActor(made, memory: phone.memory)
        try await first.use { try $0.setPolicy(Policy(requiresPairing: true)) }
        server.show(start)
        await #expect(throws: VaultError.rolledBack(path: server.name)) {
            try await second.use {
                try $0.refresh()
                return try $0.policy.requiresPairing
            }
        }
    }

    @Test("a device that is linked again opens what the server has, and not its copy under the former key")
    func linkedAgain() throws {
        let former = try tablet.open()
        try made.renew(locking: .testOnlyKeyFile(2))
        let link = try made.link(sharing: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        let opened = try DeviceLink.key(from: link.document, code: link.code)
        let copy = tablet.copy
        let vault = try opened.open(LockedVault(in: tablet.storage), notOlderThan: former.version)
        #expect(vault.version == made.version)
        // The key is kept before the copy.
        #expect(tablet.copy == copy)
    }

    // MARK: - Offline

    @Test("a device that is offline reads its copy, tells a step that was taken before, and changes nothing")
    func offline() throws {
        try plant("one", in: made)
        try made.remember(in: phone.memory)
        server.isReached = false
        let error = VaultError.cannotRead(path: server.name, reason: "offline")
        let vault = try phone.open()
        #expect(try couples(vault) == ["one"])
        #expect(try vault.change { _ in 7 } == 7)
        #expect(throws: error) { try plant("two", in: vault) }
        #expect(throws: error) { try vault.refresh() }
        #expect(try couples(vault) == ["one"])
        // A device without a copy has nothing to read.
        #expect(throws: error) { try tablet.open() }
    }

    @Test("a server that refuses leaves the vault as it was") func refused() throws {
        server.meet([.refused])
        #expect(throws: VaultError.cannotWrite(path: server.name, reason: "quota")) {
            try plant("one", in: made)
        }
        #expect(try couples(made).isEmpty && server.states.count == 1)
    }

    @Test("a copy that cannot be written is no error") func noCopy() throws {
        try FileManager.default.createDirectory(atPath: tablet.path, withIntermediateDirectories: false)
        let storage = tablet.storage
        try storage.refresh()
        let vault = try Vault(opening: storage, unlocking: .testOnlyKeyFile(1))
        try vault.remember(in: tablet.memory)
        try plant("one", in: vault)
        #expect(try couples(vault) == ["one"])
    }

    // MARK: - What a server may not do

    @Test(
        "A: of two processes of a device that were shown two branches, the second has no result, and the copy stays",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"))
    func twoBranches() throws {
        let start = try #require(server.states.last)
        let (first, second) = (try phone.open(), try phone.open())
        try plant("one", in: first)
        try first.remember(in: phone.memory)
        let copy = phone.copy
        server.overwrite(start.bytes)
        let other = try tablet.open()
        for name in ["two", "three"] { try plant(name, in: other) }
        try second.refresh()
        #expect(throws: VaultError.rolledBack(path: server.name)) { try second.remember(in: phone.memory) }
        #expect(phone.memory.versions.last == first.version && phone.copy == copy)
    }

    @Test(
        "C: what the server has was overwritten by bytes that no key opens: the copy opens offline, and comes back",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"))
    func overwritten() throws {
        try plant("one", in: made)
        try made.remember(in: phone.memory)
        let other = VaultMemoryStorage("x")
        _ = try Vault.create(in: other, for: UserID(parsing: "eve"), locking: .testOnlyKeyFile(9))
        for bytes in [Array("noise".utf8), try #require(other.bytes)] {
            server.overwrite(bytes)
            #expect(throws: VaultError.self) { try phone.open().refresh() }
            server.isReached = false
            #expect(try couples(phone.open()) == ["one"])
            server.isReached = true
            #expect(throws: VaultError.exists(path: server.name)) { try phone.storage.restore() }
            #expect(server.bytes == bytes)
            try phone.storage.restore(replacing: true)
            #expect(try couples(tablet.open()) == ["one"])
        }
    }

    @Test("a server that lost the vault is told; the copy is read, and is put back where nothing is")
    func lost() throws {
        try plant("one", in: made)
        try made.remember(in: phone.memory)
        server.overwrite(nil)
        let vault = try phone.open()
        let missing = VaultError.missing(path: server.name)
        #expect(throws: missing) { try vault.refresh() }
        #expect(throws: missing) { try plant("two", in: vault) }
        #expect(try couples(vault) == ["one"])
        try phone.storage.restore()
        try phone.storage.restore()
        try plant("two", in: vault)
        #expect(try couples(tablet.open()) == ["one", "two"])
        let other = try StandInDevice(server)
        #expect(throws: VaultError.missing(path: other.path)) { try other.storage.restore() }
    }

    @Test("a new vault key of one device locks the others out, and their copies open with the former key")
    func newVaultKey() throws {
        try plant("one", in: made)
        let other = try tablet.open()
        try made.changeCredential(to: .testOnlyKeyFile(2), newVaultKey: true)
        try made.remember(in: phone.memory)
        #expect(throws: VaultError.authenticationFailed) { try other.refresh() }
        server.isReached = false
        #expect(try couples(tablet.open()) == ["one"])
        server.isReached = true
        let again = tablet.storage
        try again.refresh()
        let vault = try Vault(opening: again, unlocking: .testOnlyKeyFile(2))
        try vault.remember(in: tablet.memory)
        #expect(vault.version == made.version)
    }

    @Test("forty changes of two devices, from sixteen tasks at once, are all there") func forty() async throws
    {
        let vaults = [try phone.open(), try tablet.open()]
        try await withThrowingTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for index in stride(from: task, to: 40, by: 16) {
                        try vaults[task % 2].plant(CoupleID(parsing: "couple_\(index)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try couples(StandInDevice(server).open()).count == 40)
    }
}
