import CloserKeys
import Foundation
import TestSupport
import Testing

@testable import CloserVault

/// Somebody takes the temporary file of a change away, which then fails, and puts it in the vault's place later.
@Suite("A change whose file was taken away")
struct StolenChangeTests {
    private static let reason = "No such file or directory"
    private let folder: VaultFolder
    private let memories: VaultMemories

    init() throws {
        folder = try VaultFolder()
        _ = try folder.make("v")
        memories = VaultMemories(in: folder.path("state"))
    }

    /// The vault, with whoever remembers it.
    private func open(_ witness: VaultWitness) throws -> Vault {
        try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
    }

    private func remembering(_ id: VaultID) -> VaultWitness {
        VaultWitness { [memories] () throws(VaultError) in
            try memories.memory(of: id)?.version
        } note: { [memories] (version, base) throws(VaultError) in
            try memories.see(version, over: base)
        }
    }

    /// How the first run ended that a thief disturbed: they may be too late for others.
    private func disturbed(_ body: () throws -> Void) throws -> VaultError {
        try disturbed(by: Thief(in: folder.url.path(), taking: folder.path("stolen")), body)
    }

    private func disturbed(by thief: @autoclosure () -> Thief, _ body: () throws -> Void) throws -> VaultError
    {
        for _ in 0..<5000 {
            do { try thief().lurking(body) } catch { return try #require(error as? VaultError) }
        }
        throw Missed()
    }

    private struct Missed: Error {}

    private func change(_ vault: Vault, _ couple: String = "couple_1") throws {
        try vault.plant(CoupleID(parsing: couple))
    }

    @Test("is refused from then on, and the next one is counted after it")
    func remembered() throws {
        let vault = try open(remembering(folder.open("v").id))
        let error = try disturbed { try change(vault) }
        #expect(error == .unsettled(path: vault.path, reason: Self.reason))
        let (before, count) = (try folder.bytes("v"), try vault.changeCount)
        try folder.write(folder.bytes("stolen"), to: "v")
        let refusal = VaultError.rolledBack(path: vault.path)
        #expect(throws: refusal) { try vault.device }
        #expect(throws: refusal) { try open(remembering(vault.id)) }
        try folder.write(before, to: "v")
        let again = try open(remembering(vault.id))
        #expect(try again.changeCount == count)
        try change(again)
        #expect(try vault.changeCount == count + 2)
        try folder.write(folder.bytes("stolen"), to: "v")
        #expect(throws: refusal) { try open(remembering(vault.id)) }
    }

    @Test("is told to be in the file if they put it there themselves")
    func putInPlace() throws {
        let vault = try open(remembering(folder.open("v").id))
        let thief = { Thief(in: folder.url.path(), taking: folder.path("v")) }
        let error = try disturbed(by: thief()) { try change(vault) }
        #expect(error == .diverged(path: vault.path))
    }

    @Test("is refused, too, if they only copied it, and the change failed for another reason")
    func copied() throws {
        let vault = try open(remembering(folder.open("v").id))
        let before = try folder.bytes("v")
        var copy: [UInt8] = []
        for _ in 0..<5000 where copy.isEmpty {
            let thief = Thief(in: folder.url.path(), taking: folder.path("stolen"), copies: true)
            #expect(throws: VaultError.busy.unsettled(path: vault.path)) {
                try thief.lurking { try loseTurn(in: vault) }
            }
            copy = (try? folder.bytes("stolen")) ?? []
        }
        try #require(copy.count > before.count)
        try folder.write(copy, to: "v")
        let refusal = VaultError.rolledBack(path: vault.path)
        #expect(throws: refusal) { try vault.device }
        #expect(throws: refusal) { try open(remembering(vault.id)) }
        try folder.write(before, to: "v")
        try change(open(remembering(vault.id)))
    }

    @Test("is made, and the error says so, if another writer has built on a copy of it by then")
    func followed() throws {
        let id = try folder.open("v").id
        let witness = VaultWitness { [memories] () throws(VaultError) in
            try memories.memory(of: id)?.version
        } note: { [memories] (version, base) throws(VaultError) in
            // A change is given up: the copy comes into the vault's place before anybody knows of that.
            if version.digest == base.digest { try? buildOnCopy(id) }
            try memories.see(version, over: base)
        }
        let vault = try open(witness)
        let tooLate = VaultError.busy.unsettled(path: vault.path)
        var error = tooLate
        for _ in 0..<5000 where error == tooLate {
            try? FileManager.default.removeItem(atPath: folder.path("stolen"))
            let thief = Thief(in: folder.url.path(), taking: folder.path("stolen"), copies: true)
            error = try #require(throws: VaultError.self) {
                try thief.lurking { try loseTurn(in: vault) }
            }
        }
        #expect(error == .diverged(path: vault.path))
        #expect(try open(remembering(id)).couples.map(\.id.text) == ["couple_2"])
    }

    /// Another writer's change, of the copy in the vault's place; if there is none, all is as it was.
    private func buildOnCopy(_ id: VaultID) throws {
        let (before, copy) = (try folder.bytes("v"), try folder.bytes("stolen"))
        do {
            try folder.write(copy, to: "v")
            try change(open(remembering(id)), "couple_2")
        } catch { try folder.write(before, to: "v") }
    }

    /// A change that fails because its lock file is removed.
    private func loseTurn(in vault: Vault) throws {
        let couple = try CoupleID(parsing: "couple_1")
        try vault.change { (transaction) throws(VaultError) in
            try? FileManager.default.removeItem(atPath: folder.path("v.lock"))
            transaction.put(VersionPin(.strict, of: couple))
        }
    }

    @Test("of which nobody takes note may still come, and the error says so")
    func unremembered() throws {
        let vault = try open(.ofOne(folder.open("v").version))
        let error = try disturbed { try change(vault) }
        #expect(error == .unsettled(path: vault.path, reason: Self.reason))
        let before = try folder.bytes("v")
        try folder.write(folder.bytes("stolen"), to: "v")
        #expect(throws: VaultError.rolledBack(path: vault.path)) { try vault.device }
        #expect(try folder.open("v").device.userID.text == "alice")
        try folder.write(before, to: "v")
        #expect(try vault.device.userID.text == "alice")
    }

    @Test("may be the one that makes a vault")
    func making() throws {
        let path = folder.path("new")
        let error = try disturbed {
            _ = try folder.make("new")
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(error == .unsettled(path: path, reason: Self.reason))
    }

    @Test("or the one that does not make it, since another file came into its place")
    func notMaking() throws {
        let path = folder.path("new")
        let error = try disturbed(
            by: Thief(in: folder.url.path(), taking: folder.path("stolen"), copies: true) {
                try? Data().write(to: URL(filePath: path))
            }
        ) {
            // One that came too late in the round before.
            try? FileManager.default.removeItem(atPath: path)
            _ = try folder.make("new")
        }
        #expect(error.mayBeStored, "\(error)")
    }

    @Test(
        "what somebody gave up meanwhile is not news, and is no reason to refuse another change of the same base"
    )
    func givenUpMeanwhile() throws {
        func version(_ count: Int) throws -> VaultVersion {
            let digest = [UInt8](repeating: UInt8(count), count: 32)
            return try #require(VaultVersion(of: folder.open("v").id, changeCount: count, digest: digest))
        }
        let (base, next) = (try version(7), try version(8))
        try memories.see(base, over: base)
        let kept = base.giving(up: try version(9))
        try memories.see(kept, over: base)
        #expect(try memories.memory(of: base.vaultID)?.version == kept)
        // Whoever knows less takes nothing back.
        try memories.see(base, over: base)
        #expect(try memories.memory(of: base.vaultID)?.version == kept)
        #expect(throws: VaultError.self) { try memories.see(version(9), over: version(8)) }
        #expect(try memories.memory(of: base.vaultID)?.version == kept)
        // Of the same base, what is in the file is another state than what was given up.
        try memories.see(next, over: base)
        let seen = try #require(try memories.memory(of: base.vaultID)?.version)
        #expect(try seen.digest == next.digest && !version(10).mayFollow(seen) && version(11).mayFollow(seen))
        try memories.see(version(11), over: seen)
        #expect(try memories.memory(of: base.vaultID)?.version == version(11))
    }
}
