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

    private func memory(
        at places: [String] = ["/v"], keyFile: String? = nil, seen version: VaultVersion? = nil
    ) -> VaultMemory {
        let each = places.map { VaultMemory(of: vault.id, at: [$0], keyFile: keyFile, seen: version) }
        let none = VaultMemory(of: vault.id, at: [], keyFile: keyFile, seen: version)
        return each.reduce(none) { known, next in next.merging(known) }
    }

    @Test("what was remembered is there again, for its owner alone")
    func remembered() throws {
        #expect(try memories.memory(of: vault.id) == nil)
        let first = memory(at: [vault.path], keyFile: "/keys/\"v\"\n.key")
        try memories.remember(first)
        #expect(try memories.memory(of: vault.id) == first)
        for (name, mode) in [("state/closer-keys", 0o700), ("state/closer-keys/\(vault.id).json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
        try memories.remember(memory(at: ["/elsewhere/v"], seen: vault.version))
        let both = memory(at: [vault.path, "/elsewhere/v"], seen: vault.version)
        #expect(try memories.memory(of: vault.id) == both)
        try memories.forget(vault.path, of: vault.id)
        // Shorter than what was there.
        let moved = memory(at: ["/elsewhere/v"], seen: vault.version)
        #expect(try memories.all() == [moved])
        try memories.forget(vault.id)
        #expect(try memories.memory(of: vault.id) == nil && memories.ids().isEmpty)
    }

    @Test("places are compared as bytes, each is there once, and nobody can push out the first ones")
    func places() {
        var many = memory(at: ((0..<100) + [99, 50]).map { "/v\($0)" })
        let expected = (Array(0..<32) + Array(69..<100) + [50]).map { "/v\($0)" }
        #expect(many.places == expected && many.places.count == VaultMemory.maximumPlaceCount)
        #expect(many.isKnown(at: "/v0") && !many.isKnown(at: "/v40"))
        // One letter, in two spellings.
        many = memory(at: ["/\u{e9}"]).merging(many)
        #expect(!many.isKnown(at: "/e\u{301}") && many.isKnown(at: "/\u{e9}"))
    }

    @Test("a path that was the file, and one that led to it, may not lead elsewhere")
    func links() {
        let known = VaultMemory(of: vault.id, at: ["/link", "/folder/v", "/real/v"], keyFile: nil)
        #expect(known.places == ["/real/v"] && known.links.map(\.name) == ["/link", "/folder/v"])
        #expect(!known.leadsElsewhere(["/link", "/real/v"]) && !known.leadsElsewhere(["/new", "/real/v"]))
        #expect(!known.leadsElsewhere(["/new", "/other"]) && known.leadsElsewhere(["/link"]))
        #expect(!known.leadsElsewhere([]))
        #expect(known.leadsElsewhere(["/link", "/other"]) && known.leadsElsewhere(["/real/v", "/other"]))
        var forgotten = known
        forgotten.remove("/link")
        #expect(!forgotten.isKnown(at: "/link") && forgotten.isKnown(at: "/folder/v"))
        // That the vault was seen at the other place, too, is no excuse.
        let both = VaultMemory(of: vault.id, at: ["/other"], keyFile: nil).merging(known)
        #expect(both.leadsElsewhere(["/link", "/other"]) && both.leadsElsewhere(["/real/v", "/other"]))
        let read = VaultMemory(of: vault.id, parsing: both.bytes)
        #expect(read == both)
        // Said once, it is the new truth.
        let taken = VaultMemory(of: vault.id, at: ["/real/v", "/other"], keyFile: nil).merging(both)
        #expect(!taken.leadsElsewhere(["/real/v", "/other"]) && taken.places == ["/real/v", "/other"])
        #expect(!taken.leadsElsewhere(["/real/v"]) && !taken.leadsElsewhere(["/link", "/real/v"]))
    }

    @Test(
        "the longest paths that there are, at all places, can be read back; a key file of another spelling is another"
    )
    func long() throws {
        let long = "/" + String(repeating: "\u{1}", count: 4094)
        let none = VaultMemory(of: vault.id, at: [], keyFile: long)
        let most = (0..<VaultMemory.maximumPlaceCount).reduce(none) { known, number in
            let name = "\(number)/" + long.dropFirst(4)
            return VaultMemory(of: vault.id, at: ["/l\(name)", "/p\(name)"], keyFile: long).merging(known)
        }
        try memories.remember(most)
        let all = try #require(try memories.memory(of: vault.id))
        #expect(all.places.count == 64 && all.links.count == 64)
        try memories.forget(vault.id)
        try memories.remember(memory(keyFile: "/\u{e9}"))
        try memories.remember(memory(keyFile: "/e\u{301}"))
        let key = try #require(try memories.memory(of: vault.id)?.keyFilePath)
        #expect(key.utf8.elementsEqual("/e\u{301}".utf8))
    }

    @Test("whoever saw an older state says nothing of the key file, and whoever saw the same one does")
    func keyFile() throws {
        let (older, newer) = try (version(7), version(8))
        let known = memory(keyFile: "/new.key", seen: newer)
        #expect(memory(keyFile: "/old.key", seen: older).merging(known).keyFilePath == "/new.key")
        #expect(memory(keyFile: "/moved.key", seen: newer).merging(known).keyFilePath == "/moved.key")
        #expect(memory(keyFile: nil, seen: newer).merging(known).keyFilePath == nil)
        #expect(try memory(keyFile: "/next.key", seen: version(9)).merging(known).keyFilePath == "/next.key")
    }

    @Test("a state that was given up is no news, nor what is as old, and nothing else is forgotten")
    func givenUp() throws {
        try memories.giveUp(version(9))
        #expect(try memories.memory(of: vault.id) == nil)
        try memories.remember(memory(keyFile: "/k", seen: version(7)))
        try memories.giveUp(version(9))
        let known = try #require(try memories.memory(of: vault.id))
        #expect(known.keyFilePath == "/k" && known.version?.changeCount == 7)
        let last = try #require(known.version)
        #expect(try !version(9).mayFollow(last) && version(7).mayFollow(last) && version(10).mayFollow(last))
    }

    // One writer read 7, another gave 8 up, and a third read 7 after that and counts 9. The first is done, and says so.
    @Test("a change is not followed by one that was on its way over what it was written over")
    func onItsWay() throws {
        let (base, first, third) = (try version(7), try version(8), try version(9))
        try memories.remember(memory(keyFile: "/k", seen: base))
        let known = base.giving(up: try version(8))
        try memories.see(known, over: base)
        try memories.see(first, over: base)
        // Somebody reads the third one's file, before its writer looks whether it may.
        try memories.see(third)
        #expect(try memories.memory(of: vault.id)?.version?.digest == first.digest)
        #expect(throws: VaultError.diverged(path: "/v")) { try memories.see(third, over: known) }
        let last = try #require(try memories.memory(of: vault.id)?.version)
        #expect(try last.digest == first.digest && !third.mayFollow(last) && version(10).mayFollow(last))
    }

    private func version(_ count: Int) throws -> VaultVersion {
        let digest = [UInt8](repeating: UInt8(count), count: 32)
        return try #require(VaultVersion(of: vault.id, changeCount: count, digest: digest))
    }

    @Test("a new lock's key file is remembered with the state that has it, and none of one that was given up")
    func keyFileOfChange() throws {
        let (first, second, third) = (try version(1), try version(2), try version(3))
        try memories.remember(memory(keyFile: "/a.key", seen: first))
        try memories.see(second, over: first, .changed(to: "/n.key"))
        #expect(try memories.memory(of: vault.id)?.keyFilePath == "/n.key")
        // Somebody who opened the vault before changes it, and knows the former one.
        try memories.see(third, over: second, .unchanged)
        try memories.remember(memory(keyFile: "/a.key", seen: second))
        #expect(try memories.memory(of: vault.id)?.keyFilePath == "/n.key")
        try memories.see(third.giving(up: version(4)), over: third, .changed(to: "/x.key"))
        #expect(try memories.memory(of: vault.id)?.keyFilePath == "/n.key")
        try memories.see(version(5), over: third, .changed(to: nil))
        #expect(try memories.memory(of: vault.id)?.keyFilePath == nil)
    }

    @Test("a change over the state that is known is remembered as it is: what follows it is the next")
    func follows() throws {
        try memories.remember(memory(seen: version(7)))
        try memories.see(version(8), over: version(7))
        #expect(try memories.memory(of: vault.id)?.version == version(8))
    }

    @Test("of the states that were seen the newest is kept, until a person says otherwise")
    func newest() throws {
        let versions = try [7, 9, 8].map { count in
            try #require(
                VaultVersion(
                    of: vault.id, changeCount: count, digest: [UInt8](repeating: UInt8(count), count: 32)))
        }
        func remember(_ version: VaultVersion?, insteadOf givenUp: VaultVersion? = nil) throws
            -> VaultVersion?
        {
            try memories.remember(
                memory(keyFile: "/k", seen: version), insteadOf: givenUp)
            return try memories.memory(of: vault.id)?.version
        }
        #expect(try versions.map { try remember($0) } == [versions[0], versions[1], versions[1]])
        #expect(try remember(nil) == versions[1])
        let fork = VaultVersion(of: vault.id, changeCount: 9, digest: [UInt8](repeating: 0, count: 32))
        #expect(try remember(fork) == versions[1])
        #expect(try remember(versions[2], insteadOf: versions[0]) == versions[1])
        #expect(try remember(versions[2], insteadOf: versions[0]) == versions[1])
        let ahead = try #require(
            VaultVersion(of: vault.id, changeCount: 11, digest: [UInt8](repeating: 11, count: 32)))
        // What was given up stays so, and what was on its way over it: only what comes after that is newer.
        try memories.remember(memory(keyFile: "/k", seen: versions[2]), insteadOf: versions[1])
        let taken = try #require(try memories.memory(of: vault.id)?.version)
        #expect(taken == versions[2].giving(upAllOver: versions[1]))
        #expect(try !version(10).mayFollow(taken))
        #expect(versions[2].mayFollow(taken) && !versions[1].mayFollow(taken) && ahead.mayFollow(taken))
        #expect(try remember(versions[1]) == taken && remember(versions[2]) == taken)
        try memories.see(versions[2], over: versions[0])
        #expect(try memories.memory(of: vault.id)?.version == taken)
        #expect(try remember(ahead) == ahead)
        try memories.forget(vault.id)
        try memories.remember(memory(keyFile: "/k"))
        try memories.see(versions[0], over: versions[0])
        try memories.see(versions[1], over: versions[2])
        try memories.see(versions[1], over: versions[2])
        #expect(try memories.memory(of: vault.id) == memory(keyFile: "/k", seen: versions[1]))
        // Two changes of one file, one of which is lost; and one whose successors somebody has seen already.
        for (version, base) in [(try #require(fork), versions[2]), (versions[2], versions[0])] {
            #expect(throws: VaultError.diverged(path: "/v")) { try memories.see(version, over: base) }
            #expect(try memories.memory(of: vault.id)?.version == versions[1])
        }
        let other = VaultVersion(of: try folder.make("w").id, changeCount: 99, digest: versions[0].digest)
        #expect(try #require(other).mayFollow(versions[0]) == false)
        #expect(!versions[2].mayFollow(versions[1]) && versions[1].mayFollow(versions[1]))
    }

    @Test(
        "a file that is no memory is an error, and not nothing",
        arguments: [
            "", "{", "[]", "{}", "{\"keyFile\":\"/k\"}", "{\"places\":1}", "{\"places\":[\"v\"]}",
            "{\"places\":[]}x", "{\"places\":[],\"keyFile\":\"k\"}", "{\"places\":[],\"changes\":1}",
            "{\"changes\":0,\"digest\":\"\(String(repeating: "00", count: 32))\",\"places\":[]}",
            "{\"changes\":1,\"digest\":\"00\",\"places\":[]}",
            "{\"changes\":2,\"digest\":\"\(String(repeating: "00", count: 32))\",\"givenUp\":1,\"places\":[]}",
        ])
    func malformed(_ text: String) throws {
        try memories.remember(memory())
        let file = "state/closer-keys/\(vault.id).json"
        try folder.write(text.utf8, to: file)
        let error = VaultError.cannotRecall(path: folder.path(file), reason: "Is not what this machine wrote")
        #expect(throws: error) { try memories.memory(of: vault.id) }
        #expect(throws: error) { try memories.all() }
        let other = try folder.make("w")
        try memories.remember(VaultMemory(of: other.id, at: ["/w"], keyFile: nil, seen: nil))
        #expect(memories.readable.map(\.id) == [other.id])
        // Nor is it written over.
        #expect(throws: error) { try memories.remember(memory()) }
        let version = try #require(vault.version)
        #expect(throws: error) { try memories.see(version, over: version) }
        #expect(try folder.bytes(file) == Array(text.utf8))
    }

    @Test("a folder that cannot be listed is an error, and not an empty one")
    func unlisted() throws {
        try memories.remember(memory())
        let path = folder.path("state/closer-keys")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        let error = VaultError.cannotRecall(path: path, reason: "Too many levels of symbolic links")
        #expect(throws: error) { try memories.all() }
    }

    @Test("a file of another name is no memory")
    func otherName() throws {
        try memories.remember(memory())
        try folder.write("{".utf8, to: "state/closer-keys/notes.json")
        #expect(try memories.all() == [memory()])
    }

    @Test("a place where no folder can be made")
    func nowhere() throws {
        try folder.write([], to: "file")
        let nowhere = VaultMemories(in: folder.path("file/closer-keys"))
        #expect(try nowhere.memory(of: vault.id) == nil)
        let error = VaultError.cannotWrite(path: folder.path("file/closer-keys"), reason: "Not a directory")
        #expect(throws: error) { try nowhere.remember(memory()) }
    }
}
