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
        try memories.remember(moved)
        #expect(memories.memory(of: vault.id) == moved)
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
        arguments: ["", "{", "[]", "{\"keyFile\":\"/k\"}", "{\"vault\":1}", "{\"vault\":\"/v\"}x"])
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
