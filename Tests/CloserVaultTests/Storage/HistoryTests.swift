import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// Copies of one vault that were changed apart: a device takes none that did not come of the state that it saw.
@Suite("A state of a vault names the states that it came of")
struct HistoryTests {
    private let vaults = MemoryVaults()
    private let couple: CoupleID

    init() throws {
        couple = try CoupleID(parsing: "couple_1")
        _ = try vaults.make("v")
    }

    /// The vault after so many changes of the copy that is there.
    @discardableResult
    private func change(_ count: Int = 1) throws -> Copy {
        let vault = try vaults.open("v")
        for _ in 0..<count { try vault.plant(couple) }
        return try copy()
    }

    private func copy() throws -> Copy {
        Copy(bytes: try vaults.bytes("v"), version: try vaults.open("v").version)
    }

    private struct Copy {
        let bytes: [UInt8]
        let version: VaultVersion
    }

    /// Whether the vault in that state is taken where `known` was seen last.
    private func isTaken(_ copy: Copy, after known: VaultVersion) throws -> Bool {
        vaults.write(copy.bytes, to: "v")
        do throws(VaultError) {
            _ = try vaults.open("v", notOlderThan: known)
            return true
        } catch .rolledBack { return false }
    }

    private var states: [VaultHistory.State] {
        get throws { try vaults.open("v").read { $0.index.history.states } }
    }

    @Test(
        "a copy that was changed more often elsewhere is refused where a change of here is missing in it",
        .proves("V2: an older copy of the vault is refused on a machine that has seen a newer one"))
    func branch() throws {
        let start = try change()
        let ours = try change()
        vaults.write(start.bytes, to: "v")
        let theirs = try change(3)
        #expect(theirs.version.changeCount > ours.version.changeCount)
        #expect(try !isTaken(theirs, after: ours.version))
        #expect(try isTaken(theirs, after: start.version) && isTaken(ours, after: start.version))
    }

    @Test("the jump of a count, when an older copy is accepted, does not hide another branch")
    func jump() throws {
        let start = try change()
        let tablet = try change()
        vaults.write(start.bytes, to: "v")
        let phone = try change(1000)
        vaults.write(start.bytes, to: "v")
        try vaults.open("v").acceptAsNewest(after: phone.version)
        let accepted = try copy()
        #expect(accepted.version.changeCount == phone.version.changeCount + 1)
        #expect(try isTaken(accepted, after: phone.version) && isTaken(accepted, after: start.version))
        #expect(try !isTaken(accepted, after: tablet.version))
    }

    @Test(
        "a vault lists its last 255 states; one that begins later cannot tell, and one that does not is refused"
    )
    func full() throws {
        let first = try copy()
        let fork = try change()
        vaults.write(first.bytes, to: "v")
        let second = try change()
        let listed = try change(255)
        #expect(try states.count == 255 && states.last == VaultHistory.State(second.version))
        #expect(try isTaken(listed, after: second.version) && isTaken(listed, after: first.version))
        // The fork has as many changes as the oldest state that is listed.
        #expect(try !isTaken(listed, after: fork.version))
        vaults.write(listed.bytes, to: "v")
        #expect(try isTaken(change(), after: fork.version))
    }

    @Test(
        "a new vault, an export and an import came of nothing; a new key and a new vault key came of what was before"
    )
    func beginnings() throws {
        #expect(try states.isEmpty)
        let former = try change().version
        let vault = try vaults.open("v")
        try vault.changeCredential(to: .testOnlyKeyFile(2), newVaultKey: true)
        #expect(vault.follows(former))
        let export = try vault.export(locking: .testOnlyQuick("words"))
        let read = try Vault.read(export: export, with: .testOnlyQuick("words"))
        #expect(read.index.history.states.isEmpty)
        let imported = try Vault.create(
            in: VaultMemoryStorage("w"), importing: export, unlocking: .testOnlyQuick("words"),
            locking: .testOnlyKeyFile(1))
        #expect(try imported.read { $0.index.history.states.isEmpty })
    }

    @Test("a history of more than 255 states is damage") func tooLong() throws {
        var index = [UInt8](bigEndian: UInt64(1))
        index.append(bigEndian: 256 as UInt32)
        index += [UInt8](repeating: 0, count: 256 * 24)
        index.append(bigEndian: 0 as UInt32)
        #expect(throws: VaultError.damaged) { try Index(index, boxes: []) }
        index.replaceSubrange(8..<12, with: [0, 0, 0, 255])
        index.removeSubrange(12..<36)
        #expect(try Index(index, boxes: []).history.states.count == 255)
    }

    // MARK: - What a device remembers

    @Test("of two processes that were shown two branches, one alone has a result; what is remembered stays")
    func twoProcesses() throws {
        let memory = StandInMemory()
        let start = try change()
        let other = VaultMemoryStorage("v", holding: start.bytes)
        let (mine, theirs) = (
            try vaults.open("v"), try Vault(opening: other, unlocking: .testOnlyKeyFile(1))
        )
        for vault in [mine, theirs] { try vault.remember(in: memory) }
        try mine.plant(couple)
        for _ in 0..<3 { try theirs.plant(couple) }
        try mine.remember(in: memory)
        #expect(throws: VaultError.rolledBack(path: "v")) { try theirs.remember(in: memory) }
        #expect(memory.versions.last == mine.version)
    }

    @Test("a process that another one outran reads the vault once more, and remembers the newest state")
    func outrun() throws {
        let memory = StandInMemory()
        let (slow, fast) = (try vaults.open("v"), try vaults.open("v"))
        try fast.plant(couple)
        try fast.remember(in: memory)
        try slow.remember(in: memory)
        #expect(memory.versions.last == fast.version && slow.version == fast.version)
    }

    @Test("another vault than the one that is remembered is refused") func otherVault() throws {
        let memory = StandInMemory()
        try vaults.open("v").remember(in: memory)
        let other = try vaults.make("w", for: "bob")
        #expect(throws: VaultError.replaced(path: "w")) { try other.remember(in: memory) }
    }
}
