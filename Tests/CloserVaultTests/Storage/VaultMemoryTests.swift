import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("What a machine remembers of its vaults")
struct VaultMemoryTests {
    private let folder: VaultFolder
    private let vault: Vault
    private let memories: VaultMemories

    init() throws {
        folder = try VaultFolder()
        vault = try folder.make("v")
        memories = VaultMemories(in: folder.path("state/closer-keys"))
    }

    @Test("what was remembered is there again, for its owner alone")
    func remembered() throws {
        #expect(memories.memory(of: vault.id) == nil)
        let memory = VaultMemory(of: vault.id, at: vault.path, keyFile: "/keys/\"v\"\n.key")
        try memories.remember(memory)
        #expect(memories.memory(of: vault.id) == memory)
        for (name, mode) in [("state/closer-keys", 0o700), ("state/closer-keys/\(vault.id).json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
        var moved = memory
        (moved.vaultPath, moved.keyFilePath) = ("/elsewhere/v", nil)
        moved.version = vault.version
        try memories.remember(moved)
        #expect(memories.memory(of: vault.id) == moved)
        memories.forget(vault.id)
        #expect(memories.memory(of: vault.id) == nil)
    }

    @Test("of the states that were seen the newest is kept, until a person says otherwise")
    func newest() throws {
        let versions = try [7, 9, 8].map { count in
            try #require(
                VaultVersion(changeCount: count, digest: [UInt8](repeating: UInt8(count), count: 32)))
        }
        func remember(_ version: VaultVersion?, forgettingNewer: Bool = false) throws -> VaultVersion? {
            try memories.remember(
                VaultMemory(of: vault.id, at: "/v", keyFile: "/k", seen: version),
                forgettingNewer: forgettingNewer)
            return memories.memory(of: vault.id)?.version
        }
        #expect(try versions.map { try remember($0) } == [versions[0], versions[1], versions[1]])
        #expect(try remember(nil) == versions[1])
        #expect(try remember(versions[2], forgettingNewer: true) == versions[2])
        #expect(!versions[2].mayFollow(versions[1]) && versions[1].mayFollow(versions[1]))
    }

    @Test("all vaults that were seen at a path")
    func atPath() throws {
        let other = try folder.make("w")
        for id in [vault.id, other.id] {
            try memories.remember(VaultMemory(of: id, at: "/one", keyFile: nil))
        }
        #expect(Set(memories.memories(at: "/one").map(\.id)) == [vault.id, other.id])
        #expect(memories.memories(at: "/two").isEmpty)
        try memories.remember(VaultMemory(of: other.id, at: "/two", keyFile: nil))
        #expect(memories.memories(at: "/one").map(\.id) == [vault.id])
    }

    @Test(
        "a file that is no memory is none",
        arguments: [
            "", "{", "[]", "{\"keyFile\":\"k\"}", "{\"vault\":1}", "{\"vault\":\"/v\"}x", "{\"changes\":1}",
            "{\"changes\":0,\"digest\":\"\(String(repeating: "00", count: 32))\"}",
            "{\"changes\":1,\"digest\":\"00\"}",
        ])
    func malformed(_ text: String) throws {
        try memories.remember(VaultMemory(of: vault.id, at: "/v", keyFile: nil))
        try folder.write(text.utf8, to: "state/closer-keys/\(vault.id).json")
        #expect(memories.memory(of: vault.id) == nil)
        try folder.write("{\"vault\":\"/v\"}".utf8, to: "state/closer-keys/notes.json")
        #expect(memories.memories(at: "/v").isEmpty)
    }

    @Test("a place where no folder can be made")
    func nowhere() throws {
        try folder.write([], to: "file")
        let nowhere = VaultMemories(in: folder.path("file/closer-keys"))
        #expect(nowhere.memory(of: vault.id) == nil)
        let error = VaultError.cannotWrite(path: folder.path("file/closer-keys"), reason: "Not a directory")
        #expect(throws: error) { try nowhere.remember(VaultMemory(of: vault.id, at: "/v", keyFile: nil)) }
    }
}
