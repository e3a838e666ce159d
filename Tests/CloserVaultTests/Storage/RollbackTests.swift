import CloserKeys
import CloserPrimitives
import Synchronization
import TestSupport
import Testing

@testable import CloserVault

/// Somebody puts back a whole file that was the vault once, or a copy that was changed apart from it.
@Suite("An older file in the vault's place")
struct RollbackTests {
    private let folder: VaultFolder
    private let couple: CoupleID

    init() throws {
        folder = try VaultFolder()
        couple = try CoupleID(parsing: "couple_1")
        _ = try folder.make("v")
    }

    /// The file after one more change, and what it is.
    private func change() throws -> (bytes: [UInt8], version: VaultVersion) {
        let vault = try folder.open("v")
        try vault.plant(couple)
        return (try folder.bytes("v"), try #require(vault.version))
    }

    /// What comes of opening `bytes` for somebody who has seen `known`.
    private func open(_ bytes: [UInt8], noOlderThan known: VaultVersion?) throws -> VaultError? {
        try folder.write(bytes, to: "v")
        do throws(VaultError) {
            _ = try Vault(opening: folder.path("v"), unlocking: .testOnlyKeyFile(1), witness: .ofOne(known))
            return nil
        } catch { return error }
    }

    @Test("is refused by whoever saw a newer one, or another of the same age, and by nobody else")
    func known() throws {
        let states = try (0..<4).map { _ in try change() }
        try folder.write(states[2].bytes, to: "v")
        let fork = try change()
        #expect(fork.version.changeCount == states[3].version.changeCount)
        let all = states + [fork]
        for (index, state) in all.enumerated() {
            #expect(try open(state.bytes, noOlderThan: nil) == nil)
            for (knownIndex, known) in all.enumerated() {
                let isRefused = index < knownIndex || index == 4 && knownIndex == 3
                let expected = isRefused ? VaultError.rolledBack(path: folder.path("v")) : nil
                #expect(
                    try open(state.bytes, noOlderThan: known.version) == expected, "\(index) \(knownIndex)")
            }
        }
    }

    @Test("is refused, too, if its state was given up, or followed by another one, while it was read")
    func givenUpMeanwhile() throws {
        let (before, read) = (try change().version, try change())
        try folder.write(read.bytes, to: "v")
        let fork = try change().version
        try folder.write(read.bytes, to: "v")
        for now in [before.giving(up: read.version), fork.giving(up: fork)] {
            let known = Mutex(before)
            let witness = VaultWitness { () throws(VaultError) in
                known.withLock { $0 }
            } saw: { _ in
                known.withLock { $0 = now }
            } note: { _, _ in
            }
            #expect(throws: VaultError.rolledBack(path: folder.path("v"))) {
                try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
            }
        }
    }

    // With the id, which stands in the file, and a key file that the forger wrote over the user's.
    @Test(
        "is refused if it is another vault that somebody made with the same id, however often that was changed"
    )
    func forged() throws {
        let known = try change().version
        let key = VaultKey(.random(count: 32), of: known.vaultID)
        let forged = try Vault.make(at: folder.path("w"), key, locking: .testOnlyKeyFile(1)) { _ in }
        for _ in 0..<5 { try forged.plant(couple) }
        let bytes = try folder.bytes("w")
        let version = try #require(forged.version)
        #expect(version.changeCount > known.changeCount)
        #expect(try open(bytes, noOlderThan: known) == .replaced(path: folder.path("v")))
        #expect(try open(bytes, noOlderThan: nil) == nil)
        #expect(version.newer(of: known) == known && !version.isOfSameVault(as: known))
        // A state that was kept without a check of the key tells less, and is completed.
        let former = try #require(
            VaultVersion(of: known.vaultID, changeCount: known.changeCount, digest: known.digest))
        #expect(try open(bytes, noOlderThan: former) == nil)
        #expect(known.newer(of: former) == known)
    }

    @Test("is followed, once a person took it, by more changes than the newer one had")
    func givenUp() throws {
        let states = try (0..<4).map { _ in try change() }
        let taken = states[0].version.giving(up: states[3].version)
        for (index, state) in states.enumerated() {
            let expected = index == 0 ? nil : VaultError.rolledBack(path: folder.path("v"))
            #expect(try open(state.bytes, noOlderThan: taken) == expected, "\(index)")
        }
        try folder.write(states[0].bytes, to: "v")
        let vault = try LockedVault(at: folder.path("v")).unlock(
            with: .testOnlyKeyFile(1), witness: .ofOne(taken))
        try vault.plant(couple)
        #expect(try vault.changeCount == states[3].version.changeCount + 1)
        try vault.plant(couple)
        #expect(try vault.changeCount == states[3].version.changeCount + 2)
    }

    @Test("is refused by a vault that is open, whether it reads or changes, and what is there stays")
    func whileOpen() throws {
        let old = try change()
        let vault = try folder.open("v")
        try vault.plant(couple)
        let newer = try folder.bytes("v")
        try folder.write(old.bytes, to: "v")
        let refusal = VaultError.rolledBack(path: folder.path("v"))
        #expect(throws: refusal) { _ = try vault.couples }
        #expect(throws: refusal) { try vault.plant(couple) }
        #expect(throws: refusal) { try vault.lock(with: .testOnlyKeyFile(2)) }
        #expect(try folder.bytes("v") == old.bytes)
        try folder.write(newer, to: "v")
        #expect(try vault.couples.count == 1)
    }

    @Test(
        "is refused by a vault that is open as soon as its witness was told of a newer one by somebody else")
    func toldByOthers() throws {
        let known = Mutex<VaultVersion?>(nil)
        let witness = VaultWitness { () throws(VaultError) in
            known.withLock { $0 }
        } note: { _, _ in
        }
        let vault = try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
        let old = try folder.bytes("v")
        let newer = try change()
        known.withLock { $0 = newer.version }
        try folder.write(old, to: "v")
        #expect(throws: VaultError.rolledBack(path: folder.path("v"))) { try vault.plant(couple) }
        #expect(try folder.bytes("v") == old)
    }

    @Test("what is read is told to whoever wants to remember it, before it is given to anybody")
    func seen() throws {
        let told = Mutex<[VaultVersion]>([])
        let witness = VaultWitness {
            () throws(VaultError) in
            told.withLock { $0.last }
        } saw: { version in
            told.withLock { $0.append(version) }
        } note: { _, _ in
        }
        let vault = try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
        let old = try folder.bytes("v")
        // On another machine.
        let newer = try change()
        #expect(try vault.couples.count == 1)
        _ = try vault.couples
        #expect(told.withLock { $0 }.map(\.changeCount) == [1, 2])
        #expect(told.withLock { $0.last } == newer.version)
        try folder.write(old, to: "v")
        #expect(throws: VaultError.rolledBack(path: folder.path("v"))) {
            _ = try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
        }
    }

    @Test("each change is told to whoever wants to remember it, once it is in the file")
    func told() throws {
        let told = Mutex<[VaultVersion]>([])
        let inFile = Mutex<[Bool]>([])
        let path = folder.path("v")
        let witness = VaultWitness {
            () throws(VaultError) in
            told.withLock { $0.last }
        } note: { version, _ in
            told.withLock { $0.append(version) }
            // It is in the file, and the vault may be used.
            inFile.withLock {
                $0.append((try? LockedVault(at: path).unlock(with: .testOnlyKeyFile(1)).version) == version)
            }
        }
        let vault = try LockedVault(at: folder.path("v")).unlock(with: .testOnlyKeyFile(1), witness: witness)
        for _ in 0..<3 { try vault.plant(couple) }
        try vault.lock(with: .testOnlyKeyFile(2))
        _ = try vault.couples
        let versions = told.withLock { $0 }
        #expect(versions.map(\.changeCount) == [2, 3, 4, 5])
        #expect(versions.last == vault.version)
        // The last one has a new lock.
        #expect(inFile.withLock { $0 } == [true, true, true, false])
        #expect(try folder.open("v", key: 2).version == vault.version)
    }

    @Test("readers and writers at once never take each other's changes for an older file")
    func together() async throws {
        let path = folder.path("v")
        let couple = couple
        try await withThrowingTaskGroup { group in
            let shared = try folder.open("v")
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        let known = try LockedVault(at: path).unlock(with: .testOnlyKeyFile(1)).version
                        let vault = try LockedVault(at: path).unlock(
                            with: .testOnlyKeyFile(1), witness: .ofOne(known))
                        try index.isMultiple(of: 2) ? vault.plant(couple) : shared.plant(couple)
                        _ = try shared.couples
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.open("v").changeCount == 201)
    }

    @Test("all of a vault and of its export is opened and counted, and nothing is changed")
    func contents() throws {
        let state = try change()
        let vault = try folder.open("v")
        let contents = try vault.checked()
        #expect(contents.userID.text == "alice")
        #expect([contents.coupleCount, contents.partnerCount, contents.answerCount] == [1, 0, 0])
        #expect(contents.changeCount == 2)
        let export = try vault.export(locking: .testOnlyQuick("words"))
        #expect(try Vault.check(export: export, under: .init(testOnly: Array("words".utf8))) == contents)
        #expect(try folder.bytes("v") == state.bytes)
        var onDisk = state.bytes
        onDisk[onDisk.count - 1] ^= 1
        try folder.write(onDisk, to: "v")
        // What was read before is whole, what is there is not.
        #expect(throws: VaultError.damaged) { try vault.checked() }
        var damaged = export
        damaged[damaged.count - 1] ^= 1
        #expect(throws: VaultError.damaged) {
            try Vault.check(export: damaged, under: .init(testOnly: Array("words".utf8)))
        }
    }
}
