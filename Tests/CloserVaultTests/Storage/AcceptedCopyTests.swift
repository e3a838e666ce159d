import CloserKeys
import Synchronization
import TestSupport
import Testing

@testable import CloserVault

/// An older state that a person accepted and that nobody remembers. Whoever writes the folder has forks of it with more changes, too.
@Suite("A copy that is used as it was when it was accepted")
struct AcceptedCopyTests {
    private let folder: VaultFolder
    private let couple: CoupleID
    private let refusal: VaultError

    init() throws {
        folder = try VaultFolder()
        couple = try CoupleID(parsing: "couple_1")
        refusal = .rolledBack(path: folder.path("v"))
        try folder.make("v").plant(couple)
    }

    /// The same vault with more changes than it.
    private func fork() throws -> [UInt8] {
        let before = try folder.bytes("v")
        let vault = try folder.open("v")
        for _ in 0..<3 { try vault.plant(couple) }
        let fork = try folder.bytes("v")
        try folder.write(before, to: "v")
        return fork
    }

    @Test(
        "a newer file is refused, also in the turn of a change, and stays as it is", arguments: [false, true])
    func forked(mayChange: Bool) throws {
        let fork = try fork()
        let vault = try folder.open("v")
        vault.treatAsOlderCopy(only: try #require(vault.version), mayChange: mayChange)
        #expect(try vault.couples.count == 1)
        try folder.write(fork, to: "v")
        #expect(throws: refusal) { _ = try vault.couples }
        if mayChange { #expect(throws: refusal) { try vault.plant(couple) } }
        #expect(throws: (any Error).self) { try vault.lock(with: .testOnlyKeyFile(2)) }
        #expect(try folder.bytes("v") == fork)
    }

    @Test("what is made of it here goes on")
    func changed() throws {
        let vault = try folder.open("v")
        vault.treatAsOlderCopy(only: try #require(vault.version), mayChange: true)
        for _ in 0..<2 { try vault.plant(couple) }
        try vault.lock(with: .testOnlyKeyFile(2))
        #expect(try vault.couples.count == 1)
    }

    @Test("it is not changed if that is not allowed")
    func readAlone() throws {
        let (before, vault) = (try folder.bytes("v"), try folder.open("v"))
        vault.treatAsOlderCopy(only: try #require(vault.version), mayChange: false)
        let reason = "A file that is not the vault is only read"
        let refusal = VaultError.cannotWrite(path: folder.path("v"), reason: reason)
        try refuses(refusal, vault) { try vault.forget(couple) }
        try refuses(refusal, vault) { try vault.lock(with: .testOnlyKeyFile(2)) }
        #expect(try vault.couples.count == 1 && folder.bytes("v") == before)
    }

    // Otherwise it would be the newest for whoever finds it in the vault's place.
    @Test("a witness knows of a change before anything of it is on the disk")
    func prepared() throws {
        let before = try folder.bytes("v")
        let prepared = Mutex<[VaultVersion]>([])
        let witness = VaultWitness(
            known: { () throws(VaultError) in nil }, saw: { _ in },
            prepares: { [folder] version in
                #expect((try? folder.names()) == ["v", "v.lock"] && (try? folder.bytes("v")) == before)
                prepared.withLock { $0.append(version) }
            }, note: { _, _ in }, turn: { (_) throws(VaultError) in nil })
        let vault = try Vault(opening: folder.path("v"), unlocking: .testOnlyKeyFile(1), witness: witness)
        try vault.plant(couple)
        #expect(try prepared.withLock { $0 } == [#require(vault.version)])
    }
}
