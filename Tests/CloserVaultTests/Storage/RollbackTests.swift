import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

/// A whole file that was the vault once was put back, or a copy that was changed apart from it.
@Suite("An older file in the vault's place")
struct RollbackTests {
    private let vaults = MemoryVaults()
    private let couple: CoupleID

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        _ = try vaults.make("v")
    }

    /// The vault after one more change, and its version.
    private func change() throws -> (bytes: [UInt8], version: VaultVersion) {
        let vault = try vaults.open("v")
        try vault.plant(couple)
        return (try vaults.bytes("v"), vault.version)
    }

    /// Why `bytes` do not open where `known` was seen; nil if they open.
    private func open(_ bytes: [UInt8], notOlderThan known: VaultVersion?) -> VaultError? {
        vaults.write(bytes, to: "v")
        do throws(VaultError) {
            _ = try vaults.open("v", notOlderThan: known)
            return nil
        } catch { return error }
    }

    @Test(
        "is refused where a newer one was seen, or another one of the same count",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"))
    func known() throws {
        let states = try (0..<4).map { _ in try change() }
        vaults.write(states[2].bytes, to: "v")
        let fork = try change()
        #expect(fork.version.changeCount == states[3].version.changeCount)
        let all = states + [fork]
        for (index, state) in all.enumerated() {
            #expect(open(state.bytes, notOlderThan: nil) == nil)
            for (knownIndex, known) in all.enumerated() {
                let isRefused = index < knownIndex || index == 4 && knownIndex == 3
                let expected = isRefused ? VaultError.rolledBack(path: "v") : nil
                #expect(
                    open(state.bytes, notOlderThan: known.version) == expected, "\(index) \(knownIndex)")
            }
        }
    }

    @Test("is refused as another vault where another vault was seen")
    func otherVault() throws {
        let other = try vaults.make("w", for: "bob").version
        let state = try change()
        #expect(open(state.bytes, notOlderThan: other) == .replaced(path: "v"))
        let vault = try vaults.open("v")
        #expect(throws: VaultError.replaced(path: "v")) { try vault.newest(after: other) }
        #expect(throws: VaultError.replaced(path: "v")) { try vault.acceptAsNewest(after: other) }
        #expect(try vaults.bytes("v") == state.bytes)
    }

    @Test("is refused by a vault that is open, whether it reads or changes, and stays as it is")
    func whileOpen() throws {
        let old = try change()
        let vault = try vaults.open("v")
        try vault.plant(couple)
        let (newer, version) = (try vaults.bytes("v"), vault.version)
        vaults.write(old.bytes, to: "v")
        let refusal = VaultError.rolledBack(path: "v")
        #expect(throws: refusal) { _ = try vault.couples }
        #expect(throws: refusal) { _ = try vault.changeCount }
        #expect(throws: refusal) { try vault.plant(couple) }
        #expect(throws: refusal) { try vault.changeCredential(to: .testOnlyKeyFile(2)) }
        #expect(throws: refusal) { try vault.acceptAsNewest(after: old.version) }
        #expect(try vaults.bytes("v") == old.bytes && vault.version == version)
        vaults.write(newer, to: "v")
        #expect(try vault.couples.count == 1)
    }

    @Test("a change by another thread is not taken for an older file")
    func threads() async throws {
        let (vault, couple) = (try vaults.open("v"), couple)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<500 { try vault.plant(couple) } }
            group.addTask { while try vault.changeCount < 500 {} }
            try await group.waitForAll()
        }
    }

    @Test("another vault in the place of one that is open is refused, and stays as it is")
    func otherWhileOpen() throws {
        let vault = try vaults.open("v")
        _ = try vaults.make("w", for: "bob")
        let other = try vaults.bytes("w")
        vaults.write(other, to: "v")
        #expect(throws: VaultError.replaced(path: "v")) { try vault.device }
        #expect(throws: VaultError.replaced(path: "v")) { try vault.plant(couple) }
        #expect(try vaults.bytes("v") == other)
    }

    @Test("is the newest once it was accepted, and the file that was newer is refused then")
    func accepted() throws {
        let states = try (0..<4).map { _ in try change() }
        vaults.write(states[0].bytes, to: "v")
        let vault = try vaults.open("v")
        try vault.acceptAsNewest(after: states[3].version)
        #expect(vault.version.changeCount == states[3].version.changeCount + 1)
        #expect(try vault.changeCount == vault.version.changeCount)
        #expect(vault.follows(states[3].version))
        let accepted = try vaults.bytes("v")
        for (index, state) in states.enumerated() {
            let refusal = VaultError.rolledBack(path: "v")
            #expect(open(state.bytes, notOlderThan: vault.version) == refusal, "\(index)")
        }
        #expect(open(accepted, notOlderThan: states[3].version) == nil)
        #expect(open(accepted, notOlderThan: vault.version) == nil)
        try vault.plant(couple)
        #expect(try vault.changeCount == states[3].version.changeCount + 2)
    }

    @Test("a file that has more changes than the version that was seen counts on from its own")
    func acceptedFork() throws {
        let seen = try change().version
        for _ in 0..<3 { _ = try change() }
        let vault = try vaults.open("v")
        let count = try vault.changeCount
        try vault.acceptAsNewest(after: seen)
        #expect(try vault.changeCount == count + 1)
    }

    @Test("is accepted by one change that keeps its key slot and its records, and closes open invites")
    func closesOffers() throws {
        try vaults.open("v").store(try vaults.open("v").draftOffer(of: couple, beginningAt: .strict))
        let old = try vaults.bytes("v")
        let newest = try change().version
        vaults.write(old, to: "v")
        let vault = try vaults.open("v")
        #expect(try vault.pairings(of: couple).map(\.status) == [.open])
        #expect(try vault.pairingState(of: couple) == .alone)
        let user = try vault.device.userID
        try vault.acceptAsNewest(after: newest)
        let opened = try vaults.open("v", notOlderThan: newest)
        #expect(try opened.pairings(of: couple).map(\.status) == [.cancelled])
        #expect(try opened.pairingState(of: couple) == .serverKnown && opened.device.userID == user)
        #expect(opened.version == vault.version)
    }

    // MARK: - The count

    /// The vault with another count, as a program with its key could write it.
    private func write(count: UInt64) throws -> [UInt8] {
        let vault = try vaults.open("v")
        var index = try vault.read { (transaction) throws(VaultError) in transaction.index }
        index = (try? index.counted(after: [vault.version], index.history)) ?? index
        index.changeCount = count
        let bytes = try VaultFile.bytes(vaults.locked("v").content.slot, index, vault.current().key)
        vaults.write(bytes, to: "v")
        return bytes
    }

    @Test("a vault with the greatest count is read, and not changed any more: the count does not wrap")
    func greatest() throws {
        let known = try vaults.open("v").version
        let bytes = try write(count: (1 << 53) - 1)
        let vault = try vaults.open("v", notOlderThan: known)
        #expect(try vault.changeCount == 9_007_199_254_740_991)
        #expect(throws: VaultError.damaged) { try vault.plant(couple) }
        #expect(throws: VaultError.damaged) { try vault.changeCredential(to: .testOnlyKeyFile(2)) }
        #expect(throws: VaultError.damaged) { try vault.acceptAsNewest(after: known) }
        #expect(try vaults.bytes("v") == bytes)
        // The last change that there is.
        _ = try write(count: (1 << 53) - 2)
        let last = try vaults.open("v")
        try last.plant(couple)
        #expect(try last.changeCount == 9_007_199_254_740_991)
        #expect(throws: VaultError.damaged) { try last.plant(couple) }
    }

    @Test("a vault is not accepted after a version with the greatest count")
    func acceptedAfterGreatest() throws {
        let vault = try vaults.open("v")
        let bytes = try vaults.bytes("v")
        let greatest = try #require(
            VaultVersion(of: vault.id, changeCount: (1 << 53) - 1, digest: vault.version.digest))
        #expect(throws: VaultError.damaged) { try vault.acceptAsNewest(after: greatest) }
        #expect(try vaults.bytes("v") == bytes)
    }

    @Test(
        "a count that no vault can have is damage in a vault, and makes no version",
        arguments: [0, 1 << 53, .max])
    func impossible(_ count: UInt64) throws {
        let vault = try vaults.open("v")
        let digest = vault.version.digest
        #expect(VaultVersion(of: vault.id, changeCount: count, digest: digest) == nil)
        #expect(VaultVersion(of: vault.id, changeCount: 1, digest: digest.dropLast()) == nil)
        #expect(VaultVersion(of: vault.id, changeCount: 1, digest: digest) == vault.version)
        _ = try write(count: count)
        #expect(throws: VaultError.damaged) { try vaults.open("v") }
    }

    // MARK: - What is noted

    /// What was noted of a vault, each with what its storage had then.
    private final class Notes: Sendable {
        private let list = Lock<[(isOurs: Bool, version: VaultVersion, bytes: [UInt8]?)]>([])
        var changed: [UInt64] { list.withLock { $0.filter(\.isOurs).map(\.version.changeCount) } }
        var seen: [VaultVersion] { list.withLock { $0.filter { !$0.isOurs }.map(\.version) } }
        var count: Int { list.withLock { $0.count } }
        var states: [[UInt8]?] { list.withLock { $0.map(\.bytes) } }
        func add(_ event: Vault.Event, while bytes: [UInt8]?) {
            list.withLock { $0.append((event.isOurs, event.vault.version, bytes)) }
        }
    }

    private func noted() throws -> (vault: Vault, notes: Notes) {
        let (notes, storage) = (Notes(), vaults.storage("v"))
        let vault = try Vault(vaults.locked("v"), .testOnlyKeyFile(1)) { notes.add($0, while: storage.bytes) }
        return (vault, notes)
    }

    @Test("a newer version that is read is noted once, before a result of it is given")
    func read() throws {
        let (vault, notes) = try noted()
        #expect(notes.count == 0 && vault.version.changeCount == 1)
        let newer = try change().version
        let seen = try vault.read { (transaction) throws(VaultError) in
            (notes.seen, transaction.index.changeCount)
        }
        #expect(seen.0 == [newer] && seen.1 == 2)
        _ = try (vault.couples, vault.couples)
        #expect(notes.seen == [newer] && notes.changed.isEmpty && vault.version == newer)
    }

    @Test("each change is noted once it is stored, a new key slot too, and a file that is refused is not")
    func written() throws {
        let (vault, notes) = try noted()
        var states: [[UInt8]] = []
        for number in 0..<3 {
            try number == 1 ? vault.changeCredential(to: .testOnlyKeyFile(2)) : vault.plant(couple)
            states.append(try vaults.bytes("v"))
        }
        #expect(notes.changed == [2, 3, 4] && notes.seen.isEmpty && notes.states == states)
        try vault.acceptAsNewest(after: vault.version)
        #expect(notes.changed == [2, 3, 4, 5] && vault.version.changeCount == 5)
        vaults.write(states[1], to: "v")
        #expect(throws: VaultError.rolledBack(path: "v")) { _ = try vault.couples }
        #expect(throws: VaultError.rolledBack(path: "v")) { try vault.plant(couple) }
        #expect(notes.count == 4)
    }

    @Test("all of a vault and of its export is opened and counted, and nothing is changed")
    func contents() throws {
        let state = try change()
        let vault = try vaults.open("v")
        let contents = try vault.contents()
        #expect(contents.userID.text == "alice")
        #expect([contents.coupleCount, contents.partnerCount, contents.answerCount] == [1, 0, 0])
        #expect(contents.changeCount == 2)
        let export = try vault.export(locking: .testOnlyQuick("words"))
        #expect(try Vault.contents(ofExport: export, under: .init(testOnly: Array("words".utf8))) == contents)
        #expect(try vaults.bytes("v") == state.bytes)
        let damaged = export.flipping(bit: 8 * export.count - 1)
        #expect(throws: VaultError.damaged) {
            try Vault.check(export: damaged, under: .init(testOnly: Array("words".utf8)))
        }
    }
}
