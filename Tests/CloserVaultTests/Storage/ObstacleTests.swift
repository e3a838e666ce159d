import CloserFiles
import CloserKeys
import Foundation
import TestSupport
import Testing

@testable import CloserVault

@Suite("What stands in the way of reading or changing a vault")
struct ObstacleTests {
    private let folder: VaultFolder
    private let vault: Vault
    private let couple: CoupleID

    init() throws {
        folder = try VaultFolder()
        vault = try folder.make("v")
        couple = try CoupleID(parsing: "couple_1")
    }

    /// The vault cannot be changed, and is what it was.
    private func expectUnchanged(_ error: VaultError) throws {
        let before = try folder.bytes("v")
        #expect(throws: error) { try vault.plant(couple) }
        #expect(try folder.bytes("v") == before)
        #expect(try folder.open("v").changeCount == 1)
        #expect(try !folder.names().contains { $0.hasSuffix(".tmp") })
    }

    private func removeLock() throws { try FileManager.default.removeItem(atPath: folder.path("v.lock")) }

    @Test("a folder in the lock's place")
    func lockFolder() throws {
        try removeLock()
        try FileManager.default.createDirectory(
            atPath: folder.path("v.lock"), withIntermediateDirectories: false)
        try expectUnchanged(.cannotWrite(path: folder.path("v.lock"), reason: "is not a regular file"))
    }

    @Test("a symbolic link in the lock's place: what it leads to is not touched")
    func lockLink() throws {
        try removeLock()
        let victim = folder.path("victim")
        try FileManager.default.createSymbolicLink(atPath: folder.path("v.lock"), withDestinationPath: victim)
        try expectUnchanged(
            .cannotWrite(path: folder.path("v.lock"), reason: "Too many levels of symbolic links"))
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test(
        "a change counts nowhere whose file is exchanged, or whose folder is moved, as soon as it is there",
        arguments: [false, true])
    func lost(isFolder: Bool) throws {
        let (here, there) = (folder.path("f"), folder.path("g"))
        try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: false)
        _ = try folder.make("f/v")
        let before = try folder.bytes("f/v")
        let witness = VaultWitness(known: { () throws(VaultError) in nil }) {
            [folder] (_, _) throws(VaultError) in
            if isFolder {
                try? FileManager.default.moveItem(atPath: here, toPath: there)
            } else {
                try? folder.write(before, to: "f/v")
            }
        }
        let vault = try LockedVault(at: folder.path("f/v")).unlock(
            with: .testOnlyKeyFile(1), witness: witness)
        #expect(throws: VaultError.diverged(path: vault.path)) { try vault.plant(couple) }
    }

    @Test("a file that grows while the vault is changed is not read to its end, and not written over")
    func grown() throws {
        let before = try folder.bytes("v")
        let error = VaultError.unsettled(path: vault.path, reason: "Somebody else changed it meanwhile")
        #expect(throws: error) {
            try vault.change { (transaction) throws(VaultError) in
                transaction.put(VersionPin(.strict, of: couple))
                try? folder.write(before + [0], to: "v")
            }
        }
        #expect(try folder.bytes("v") == before + [0])
        try folder.write(before, to: "v")
        #expect(try folder.open("v").changeCount == 1)
    }

    @Test("a FIFO in the lock's place, and one in the vault's: nobody waits for its other end")
    func fifos() throws {
        try removeLock()
        unsafe mkfifo(folder.path("v.lock"), 0o600)
        try expectUnchanged(.cannotWrite(path: folder.path("v.lock"), reason: "is not a regular file"))
        unsafe mkfifo(folder.path("w"), 0o600)
        #expect(throws: VaultError.cannotRead(path: folder.path("w"), reason: "is not a regular file")) {
            try folder.open("w")
        }
        #expect(throws: VaultError.cannotRead(path: folder.path("w"), reason: "is not a regular file")) {
            try folder.make("w")
        }
    }

    @Test("a folder in the vault's place")
    func vaultFolder() throws {
        let path = folder.path("w")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: VaultError.cannotRead(path: path, reason: "is not a regular file")) {
            try folder.open("w")
        }
    }

    @Test("a lock that another process holds for too long: nothing is changed, and readers do not wait")
    func heldLock() throws {
        let hasty = try Vault(
            LockedVault(at: vault.path), .testOnlyKeyFile(1), patience: .milliseconds(20))
        let held = try FileLock.acquire(FolderEntry(folder.path("v.lock")), patience: .zero)
        #expect(throws: VaultError.busy) { try hasty.plant(couple) }
        #expect(try hasty.device.userID.text == "alice")
        #expect(try folder.open("v").changeCount == 1)
        _ = consume held
        try hasty.plant(couple)
        #expect(try folder.open("v").changeCount == 2)
    }

    @Test(
        "a lock file that is removed during a change, and a file that is put there meanwhile: nothing is stored"
    )
    func disturbed() throws {
        let other = try folder.open("v")
        // Nobody remembers it, so the change that failed may still come.
        #expect(throws: VaultError.busy.unsettled(path: vault.path)) {
            try vault.change { (transaction) throws(VaultError) in
                try? FileManager.default.removeItem(atPath: folder.path("v.lock"))
                // With the lock file gone, somebody else can write.
                do { try other.plant(couple) } catch { Issue.record("the other one cannot write: \(error)") }
                transaction.put(VersionPin(.strict, of: couple))
            }
        }
        #expect(try folder.open("v").couple(couple).id == couple)
        #expect(try folder.open("v").changeCount == 2)
        #expect(try folder.names() == ["v", "v.lock"])
    }

    @Test("what comes while a vault is made stays", arguments: [false, true])
    func lateAtNew(_ isEmpty: Bool) throws {
        let place = try Place(ofNewVault: folder.path("w"))
        let theirs = isEmpty ? [] : try folder.bytes("v")
        #expect(throws: Unstored.self) {
            try place.put(theirs + [1], replacing: false) {
                try? folder.write(theirs, to: "w")
                return nil
            }
        }
        #expect(try folder.bytes("w") == theirs && folder.names() == ["v", "v.lock", "w"])
    }

    @Test("what comes once the file was gone for a moment is not overwritten")
    func gap() throws {
        let (before, place) = (try folder.bytes("v"), try Place(ofVault: vault.path))
        #expect(throws: Unstored.self) {
            try place.put(before + [3], replacing: true) {
                try? FileManager.default.moveItem(atPath: folder.path("v"), toPath: folder.path("moved"))
                return before
            }
        }
        #expect(try folder.names() == ["moved", "v.lock"] && folder.bytes("moved") == before)
    }

    @Test("a state that comes between the last look and the end of a change is not lost")
    func lateArrival() throws {
        let (before, place) = (try folder.bytes("v"), try Place(ofVault: vault.path))
        for isWrittenOver in [false, true] {
            let late = before + [isWrittenOver ? 1 : 2]
            #expect(throws: Unstored.self) {
                try place.put(before + [3], replacing: true) {
                    let old = try? folder.bytes("v")
                    if !isWrittenOver { try? FileManager.default.removeItem(atPath: vault.path) }
                    try? folder.write(late, to: "v")
                    return old
                }
            }
            #expect(try folder.bytes("v") == late)
        }
        #expect(try folder.names() == ["v", "v.lock"])
        #expect(try place.put(before, replacing: true) { try? folder.bytes("v") } != nil)
        #expect(try folder.bytes("v") == before)
        #expect(try folder.names() == ["v", "v.lock"])
    }

    @Test(
        "a new file into which somebody else writes takes no place, and what was there stays",
        arguments: [true, false], [true, false])
    func spoiled(_ replaces: Bool, _ isEmptied: Bool) throws {
        let place = try Place(ofVault: folder.path(replaces ? "v" : "w"))
        let (before, new) = (try folder.bytes("v"), try folder.bytes("v") + [3])
        var cause: VaultError?
        do throws(Unstored) {
            _ = try place.put(new, replacing: replaces) { () throws(VaultError) in
                do {
                    let name = try #require(try folder.names().first { $0.hasSuffix(".tmp") })
                    let file = try FileHandle(forWritingTo: folder.url.appending(path: name))
                    if isEmptied { try file.truncate(atOffset: 0) } else { try file.write(contentsOf: [3]) }
                } catch { Issue.record("\(error)") }
                return replaces ? before : nil
            }
        } catch {
            cause = error.cause
            #expect(error.fate == .never)
        }
        #expect(
            cause == .cannotWrite(path: place.entry.path, reason: "Somebody else wrote into the new file"))
        #expect(try folder.names() == ["v", "v.lock"] && folder.bytes("v") == before)
    }

    @Test(
        "a change whose new file is spoiled is not made, however fast they are",
        arguments: Spoiler.Act.allCases)
    func raced(_ act: Spoiler.Act) throws {
        let spoiler = Spoiler(in: folder.url.path(), act)
        // Nobody remembers it, and they may have copied it before they wrote into it.
        let told = VaultError.unsettled(path: vault.path, reason: "Somebody else wrote into the new file")
        var (errors, before): ([VaultError], [UInt8]) = ([], try folder.bytes("v"))
        try spoiler.lurking {
            for number in 0..<2000 where errors.count < 20 || !errors.contains(told) {
                let now = try folder.bytes("v")
                // They may have come late, when the change was made.
                guard let vault = try? folder.open("v") else {
                    try folder.write(before, to: "v")
                    continue
                }
                before = now
                let couple = try CoupleID(parsing: "couple_\(number)")
                do { try vault.plant(couple) } catch {
                    errors.append(try #require(error as? VaultError))
                    // They may have met the file that came out of the exchange.
                    try folder.write(before, to: "v")
                    continue
                }
                #expect(!spoiler.hasSpoiled(vault.path))
            }
        }
        #expect(errors.contains(told))
    }

    @Test(
        "a FIFO that takes the vault's place during a change: nobody waits for it, and nothing is written into it"
    )
    func fifoMeanwhile() throws {
        #expect(throws: VaultError.cannotWrite(path: folder.path("v"), reason: "is not a regular file")) {
            try vault.change { (transaction) throws(VaultError) in
                try? FileManager.default.removeItem(atPath: folder.path("v"))
                unsafe mkfifo(folder.path("v"), 0o600)
                transaction.put(VersionPin(.strict, of: couple))
            }
        }
        #expect(try folder.names() == ["v", "v.lock"])
    }

    /// Does something to the folder that the vault lies in, in the middle of a change.
    private func change(_ body: (URL) throws -> Void) throws -> (error: VaultError?, folder: URL) {
        let outer = folder.url.appending(path: "outer")
        let inner = outer.appending(path: "inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder.path("v"), toPath: inner.appending(path: "v").path())
        let vault = try Vault(opening: inner.appending(path: "v").path(), unlocking: .testOnlyKeyFile(1))
        do throws(VaultError) {
            try vault.change { (transaction) throws(VaultError) in
                do { try body(inner) } catch { Issue.record("\(error)") }
                transaction.put(VersionPin(.strict, of: couple))
            }
            return (nil, outer)
        } catch { return (error, outer) }
    }

    @Test("the vault's folder is exchanged in the middle of a change: nothing is written, there or elsewhere")
    func exchangedFolder() throws {
        let original = try folder.bytes("v")
        let (error, outer) = try change { inner in
            let moved = inner.deletingLastPathComponent().appending(path: "moved")
            try FileManager.default.moveItem(at: inner, to: moved)
            try FileManager.default.copyItem(at: moved, to: inner)
        }
        let path = outer.appending(path: "inner/v").path()
        let moved = VaultError.cannotRead(path: path, reason: "Its folder was moved or exchanged")
        #expect(error == moved.unsettled(path: path))
        for name in ["inner", "moved"] {
            let bytes = try Data(contentsOf: outer.appending(path: "\(name)/v"))
            #expect(Array(bytes) == original, "\(name)")
        }
    }

    @Test("a FIFO in the place of the vault's folder: nobody waits for its other end")
    func folderAsFIFO() throws {
        let (error, outer) = try change { inner in
            try FileManager.default.moveItem(
                at: inner, to: inner.deletingLastPathComponent().appending(path: "moved"))
            unsafe mkfifo(inner.path(percentEncoded: false), 0o600)
        }
        let path = outer.appending(path: "inner/v").path()
        let moved = VaultError.cannotRead(path: path, reason: "Its folder was moved or exchanged")
        #expect(error == moved.unsettled(path: path))
        #expect(throws: VaultError.missing(path: path)) { try LockedVault(at: path) }
    }

    @Test(
        "a file that is exchanged or emptied right after the change is noticed by that change",
        arguments: [true, false])
    func exchangedAfterwards(_ isEmptied: Bool) throws {
        let (old, path) = (try folder.bytes("v"), folder.path("v"))
        let witness = VaultWitness(known: { () throws(VaultError) in nil }) { (_, _) throws(VaultError) in
            guard !isEmptied else { return unsafe #expect(truncate(path, 0) == 0) }
            let put = FileManager.default.createFile(atPath: path + ".old", contents: Data(old))
            unsafe #expect(put && rename(path + ".old", path) == 0)
        }
        let vault = try LockedVault(at: path).unlock(with: .testOnlyKeyFile(1), witness: witness)
        #expect(throws: VaultError.diverged(path: path)) { try vault.plant(couple) }
    }

    @Test(
        "a link that led a new vault elsewhere is a link, also if it is gone by now",
        arguments: ["in/w", "x"])
    func formerLink(_ target: String) throws {
        let path = folder.path("w")
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        for name in ["in/w", "x"] { try folder.write([], to: name) }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let place = try Place(ofVault: path)
        let refusal = VaultError.cannotWrite(path: path, reason: "Is a link")
        #expect(throws: refusal) { try place.checkAbsent() }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: refusal) { try place.checkAbsent() }
        try Vault.checkAbsent(at: path)
        let inner = folder.path("in/.")
        #expect(throws: VaultError.cannotRead(path: inner, reason: "is not a regular file")) {
            try Vault.checkAbsent(at: inner)
        }
    }

    @Test("a link that takes the vault's place while it is open is not followed")
    func becomesLink() throws {
        try FileManager.default.copyItem(atPath: folder.path("v"), toPath: folder.path("copy"))
        let copy = try folder.bytes("copy")
        try FileManager.default.removeItem(atPath: folder.path("v"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("v"), withDestinationPath: folder.path("copy"))
        #expect(throws: VaultError.cannotRead(path: folder.path("v"), reason: "Has become a link")) {
            try vault.plant(couple)
        }
        #expect(try folder.bytes("copy") == copy)
    }

    @Test("a vault that was removed is not made anew by a change")
    func removedVault() throws {
        try FileManager.default.removeItem(atPath: folder.path("v"))
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.plant(couple) }
        #expect(throws: VaultError.missing(path: folder.path("v"))) { try vault.device }
        #expect(try folder.names() == ["v.lock"])
    }

    @Test("a disk on which not all of it fits: the old vault stays, and can be read and exported")
    func fullDisk() async throws {
        // A limit on the size of files is the shortest way to a write that ends early.
        await #expect(processExitsWith: .success) { [path = folder.path("v") as String] in
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            var limit = rlimit(rlim_cur: rlim_t(try #require(size) + 10), rlim_max: .max)
            unsafe setrlimit(__rlimit_resource_t(1), &limit)
            signal(SIGXFSZ, SIG_IGN)
            let vault = try Vault(opening: path, unlocking: .testOnlyKeyFile(1))
            // Nobody remembers what was begun.
            #expect(throws: VaultError.unsettled(path: path, reason: "File too large")) {
                try vault.plant(CoupleID(parsing: "couple_1"))
            }
            #expect(try vault.device.userID.text == "alice")
            #expect(try vault.export(locking: .testOnlyKeyFile(2)).count > 100)
        }
        #expect(try folder.open("v").changeCount == 1)
        #expect(try folder.names() == ["v", "v.lock"])
    }
}
