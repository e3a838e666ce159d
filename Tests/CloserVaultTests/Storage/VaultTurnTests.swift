import CloserKeys
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CloserVault

/// The lock beside the vault is removed by somebody who can write its folder. The one in the folder of the machine's memory is not.
@Suite("Turns at a vault on one machine")
struct VaultTurnTests {
    private let folder: VaultFolder
    private let memories: VaultMemories
    private let id: VaultID
    private let couple: CoupleID

    init() throws {
        folder = try VaultFolder()
        memories = VaultMemories(in: folder.path("state/closer-keys"))
        let vault = try folder.make("v")
        id = vault.id
        couple = try CoupleID(parsing: "couple_1")
        try memories.remember(VaultMemory(of: id, at: vault.places, keyFile: nil, seen: vault.version))
    }

    /// Opens the vault as a process of its own would.
    private func open(
        patience: Duration = Vault.patience, noting note: @escaping @Sendable () -> Void = {}
    ) throws -> Vault {
        let (memories, id) = (memories, id)
        return try Vault(
            LockedVault(at: folder.path("v")), .testOnlyKeyFile(1),
            witness: VaultWitness(
                known: { () throws(VaultError) in try memories.memory(of: id)?.version },
                saw: { try? memories.see($0) }, prepares: { _ in },
                note: { (version, base) throws(VaultError) in
                    note()
                    try memories.see(version, over: base)
                }, turn: { (_) throws(VaultError) in try memories.turn(at: id, patience: patience) }),
            patience: patience)
    }

    /// Starts `body` in another thread, and says whether it has ended after a while.
    private func isDone(_ body: @escaping @Sendable () throws -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? body()
            done.signal()
        }
        return done.wait(timeout: .now() + 0.3) == .success
    }

    @Test("nobody reads or changes it before a change is remembered, though its lock file is removed")
    func change() throws {
        let (reader, writer) = (try open(), try open())
        let early = Mutex<[Bool]>([])
        let vault = try open(noting: {
            try? FileManager.default.removeItem(atPath: folder.path("v.lock"))
            early.withLock {
                $0 = [
                    isDone { _ = try reader.changeCount },
                    isDone { try writer.plant(couple) },
                ]
            }
        })
        try vault.plant(couple)
        #expect(early.withLock { $0 } == [false, false])
        // The one that waited is done soon.
        for _ in 0..<1000 where try reader.changeCount < 3 { Thread.sleep(forTimeInterval: 0.01) }
        #expect(try reader.changeCount == 3)
    }

    @Test(
        "who links the lock's file to that of the turn makes a change wait as long as it may, and no longer")
    func linked() throws {
        let vault = try open(patience: .milliseconds(20))
        try FileManager.default.removeItem(atPath: folder.path("v.lock"))
        try FileManager.default.linkItem(
            atPath: folder.path("state/closer-keys/\(id).turn"), toPath: folder.path("v.lock"))
        #expect(throws: VaultError.busy) { try vault.plant(couple) }
        #expect(try vault.changeCount == 1)
    }

    @Test("who waits too long is told, and has done nothing")
    func impatient() throws {
        let vault = try open(patience: .milliseconds(20))
        let before = try folder.bytes("v")
        let turn = try #require(try memories.turn(at: id))
        #expect(throws: VaultError.busy) { try vault.plant(couple) }
        #expect(throws: VaultError.busy) { _ = try vault.changeCount }
        #expect(throws: VaultError.busy) { _ = try memories.turn(at: id, patience: .milliseconds(20)) }
        withExtendedLifetime(turn) {}
        #expect(try folder.bytes("v") == before)
    }

    @Test("a folder that takes no lock is none to wait at")
    func nowhere() throws {
        try folder.write([], to: "file")
        #expect(try VaultMemories(in: folder.path("file/closer-keys")).turn(at: id) == nil)
    }

    @Test("where changes are remembered and nobody can take a turn, nothing is read or changed")
    func obstructed() throws {
        let vault = try open()
        let place = memories.turnPath(of: id)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let refusal = VaultError.cannotWrite(path: place, reason: "is not a regular file")
        #expect(throws: refusal) { _ = try vault.changeCount }
        #expect(throws: refusal) { try vault.plant(couple) }
        try memories.forget(id)
        #expect(try memories.memory(of: id) == nil && vault.changeCount == 1)
    }

    @Test("what is forgotten leaves no file, and ends nobody's turn")
    func forgotten() throws {
        var turn = try memories.turn(at: id)
        let (memories, id) = (memories, id)
        #expect(!isDone { try memories.forget(id) })
        #expect(try memories.memory(of: id) != nil)
        #expect(turn != nil)
        turn = nil
        let names = { try FileManager.default.contentsOfDirectory(atPath: folder.path("state/closer-keys")) }
        for _ in 0..<1000 where try names() != [] { Thread.sleep(forTimeInterval: 0.01) }
        #expect(try names() == [])
    }
}
