import CloserKeys
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CloserVault

/// A storage of one sort, and its bytes behind its back.
private struct Stored: Sendable {
    enum Sort: String, CaseIterable, CustomTestStringConvertible {
        case memory = "memory"
        case file = "a file"
        var testDescription: String { rawValue }
    }

    let storage: any VaultStorage
    private let folder: VaultFolder

    init(in sort: Sort) throws {
        folder = try VaultFolder()
        storage =
            switch sort {
            case .memory: VaultMemoryStorage("v")
            case .file: VaultFileStorage(folder.path("v"))
            }
    }

    /// Nil if there is nothing.
    func bytes() throws -> [UInt8]? {
        if let memory = storage as? VaultMemoryStorage { return memory.bytes }
        return FileManager.default.contents(atPath: storage.name).map { Array($0) }
    }

    func write(_ bytes: [UInt8]) throws {
        if let memory = storage as? VaultMemoryStorage { return memory.bytes = bytes }
        try folder.write(bytes, to: "v")
    }
}

private final class Flag: Sendable { let value = Atomic(false) }

@Suite("Where the bytes of a vault are")
struct VaultStorageTests {
    private static let (old, new) = (Array("old".utf8), Array("new".utf8))

    @Test(
        "what was put there is read, and where nothing is the vault is missing",
        arguments: Stored.Sort.allCases)
    fileprivate func read(_ sort: Stored.Sort) throws {
        let stored = try Stored(in: sort)
        let storage = stored.storage
        #expect(throws: VaultError.missing(path: storage.name)) { try storage.read() }
        try storage.replace(nil, by: Self.old)
        #expect(try storage.read() == Self.old && stored.bytes() == Self.old)
        try storage.replace(Self.old, by: Self.new)
        #expect(try storage.read() == Self.new && stored.bytes() == Self.new)
        try stored.write(Self.old)
        #expect(try storage.read() == Self.old)
    }

    @Test(
        "a new vault takes the place of nothing", arguments: Stored.Sort.allCases, [[], Array("other".utf8)])
    fileprivate func exists(_ sort: Stored.Sort, _ other: [UInt8]) throws {
        let stored = try Stored(in: sort)
        try stored.write(other)
        #expect(throws: VaultError.exists(path: stored.storage.name)) {
            try stored.storage.replace(nil, by: Self.new)
        }
        #expect(try stored.bytes() == other)
    }

    @Test(
        "other bytes than those that were read are not replaced",
        .proves("V6: a crash, a full disk or two commands at once leave the old vault or the new one"),
        arguments: Stored.Sort.allCases,
        [[], Array("other".utf8)])
    fileprivate func changed(_ sort: Stored.Sort, _ other: [UInt8]) throws {
        let stored = try Stored(in: sort)
        try stored.write(other)
        let refusal = VaultError.outdated(path: stored.storage.name)
        #expect(throws: refusal) { try stored.storage.replace(Self.old, by: Self.new) }
        #expect(try stored.bytes() == other)
    }

    @Test("a vault that was removed is not made again by a change", arguments: Stored.Sort.allCases)
    fileprivate func removed(_ sort: Stored.Sort) throws {
        let stored = try Stored(in: sort)
        #expect(throws: VaultError.self) { try stored.storage.replace(Self.old, by: Self.new) }
        #expect(try stored.bytes() == nil)
    }

    @Test(
        "one holder has the lock at a time, and others wait as long as their patience",
        arguments: Stored.Sort.allCases)
    fileprivate func lock(_ sort: Stored.Sort) throws {
        let stored = try Stored(in: sort)
        defer { withExtendedLifetime(stored) {} }
        let storage = stored.storage
        let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isOver = Flag()
        let holder = OwnThread {
            try storage.lock(patience: .zero) { () throws(VaultError) in
                isHeld.signal()
                mayEnd.wait()
                isOver.value.store(true, ordering: .sequentiallyConsistent)
            }
        }
        try #require(isHeld.wait(timeout: .now() + 60) == .success)
        for patience in [Duration.zero, .milliseconds(20)] {
            let start = ContinuousClock.now
            #expect(throws: VaultError.busy(path: storage.name)) {
                try storage.lock(patience: patience) { () throws(VaultError) in
                    Issue.record("two hold the lock")
                }
            }
            #expect(ContinuousClock.now - start >= patience)
        }
        mayEnd.signal()
        // What waits gets the lock when the first holder lets go.
        let isAfter = try storage.lock(patience: .seconds(60)) { () throws(VaultError) in
            isOver.value.load(ordering: .sequentiallyConsistent)
        }
        #expect(isAfter)
        try holder.result()
    }

    @Test(
        "a lock ends with an error of what it was held for, which is passed on",
        arguments: Stored.Sort.allCases)
    fileprivate func lockEnds(_ sort: Stored.Sort) throws {
        let stored = try Stored(in: sort)
        defer { withExtendedLifetime(stored) {} }
        let storage = stored.storage
        #expect(throws: VaultError.tooLarge) {
            try storage.lock(patience: .zero) { () throws(VaultError) in throw .tooLarge }
        }
        #expect(try storage.lock(patience: .zero) { () throws(VaultError) in 7 } == 7)
    }

    @Test("of sixteen writers and their readers at once, no change is lost", arguments: Stored.Sort.allCases)
    fileprivate func together(_ sort: Stored.Sort) async throws {
        let stored = try Stored(in: sort)
        defer { withExtendedLifetime(stored) {} }
        let storage = stored.storage
        let shared = try Vault.create(
            in: storage, for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        let couple = try CoupleID(parsing: "couple_1")
        try await withThrowingTaskGroup { group in
            for index in 0..<16 {
                group.addTask {
                    for _ in 0..<25 {
                        let known = try Vault(LockedVault(in: storage), .testOnlyKeyFile(1)).version
                        let vault = try Vault(
                            LockedVault(in: storage), .testOnlyKeyFile(1), notOlderThan: known)
                        try index.isMultiple(of: 2) ? vault.plant(couple) : shared.plant(couple)
                        _ = try shared.couples
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Vault(LockedVault(in: storage), .testOnlyKeyFile(1)).changeCount == 401)
    }

    @Test(
        "a vault whose lock is held for too long is not changed, and is read all the same",
        arguments: Stored.Sort.allCases)
    fileprivate func busy(_ sort: Stored.Sort) throws {
        let stored = try Stored(in: sort)
        defer { withExtendedLifetime(stored) {} }
        let storage = stored.storage
        let couple = try CoupleID(parsing: "couple_1")
        _ = try Vault.create(in: storage, for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        let hasty = try Vault(LockedVault(in: storage), .testOnlyKeyFile(1), patience: .milliseconds(20))
        try storage.lock(patience: .zero) { () throws(VaultError) in
            let user = try hasty.device.userID
            #expect(user.text == "alice")
            #expect(throws: VaultError.busy(path: storage.name)) { try hasty.plant(couple) }
        }
        #expect(try hasty.changeCount == 1)
        try hasty.plant(couple)
        #expect(try hasty.changeCount == 2)
    }
}

@Suite("The file of a vault and the lock beside it")
struct VaultFileStorageTests {
    private static let (old, new) = (Array("old".utf8), Array("new".utf8))
    private let folder: VaultFolder
    private let storage: VaultFileStorage

    init() throws {
        folder = try VaultFolder()
        storage = VaultFileStorage(folder.path("v"))
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
    }

    /// Puts something into a place that is no file.
    private func obstruct(_ name: String, _ obstacle: String) throws {
        try? FileManager.default.removeItem(atPath: folder.path(name))
        switch obstacle {
        case "a FIFO": #expect(unsafe mkfifo(folder.path(name), 0o600) == 0)
        case "a link":
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: folder.path("victim"))
        default:
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: false)
        }
    }

    @Test("both are for their owner alone, and the lock is an empty file that stays")
    func modes() throws {
        try storage.lock(patience: .zero) { () throws(VaultError) in
            try storage.replace(nil, by: Self.old)
            try storage.replace(Self.old, by: Self.new)
        }
        #expect(try folder.names() == ["v", "v.lock"])
        #expect(try mode("v") == 0o600 && mode("v.lock") == 0o600)
        #expect(try folder.bytes("v") == Self.new && folder.bytes("v.lock") == [])
    }

    @Test(
        "a symbolic link to a vault stays a link, and the file at its end changes, under the lock beside that"
    )
    func linked() throws {
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        try folder.write(Self.old, to: "in/v")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "in/v")
        let linked = VaultFileStorage(folder.path("link"))
        #expect(linked.name == folder.path("link"))
        try linked.lock(patience: .zero) { () throws(VaultError) in
            try linked.replace(Self.old, by: Self.new)
            // By its other name it is the same vault.
            let real = VaultFileStorage(folder.path("in/v"))
            #expect(throws: VaultError.busy(path: real.name)) {
                try real.lock(patience: .zero) { () throws(VaultError) in }
            }
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "in/v")
        #expect(try linked.read() == Self.new && folder.bytes("in/v") == Self.new)
        #expect(try folder.names() == ["in", "link"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("in")).sorted() == [
                "v", "v.lock",
            ])
    }

    @Test("no temporary file is left when a change fails, or when there is no folder")
    func nothingLeft() throws {
        try folder.write(Self.old, to: "v")
        #expect(throws: VaultError.self) { try storage.replace(nil, by: Self.new) }
        #expect(throws: VaultError.self) { try storage.replace(Self.new, by: Self.old) }
        #expect(try folder.names() == ["v"])
        let nowhere = VaultFileStorage(folder.path("no/v"))
        let refusal = VaultError.cannotWrite(path: folder.path("no/v"), reason: "No such file or directory")
        #expect(throws: refusal) { try nowhere.replace(nil, by: Self.new) }
    }

    @Test(
        "what is no file in the vault's place is refused at once, and stays",
        arguments: ["a FIFO", "a folder"])
    func obstructed(_ obstacle: String) throws {
        try obstruct("v", obstacle)
        let storage = storage
        let refusal = VaultError.cannotRead(path: folder.path("v"), reason: "is not a regular file")
        #expect(throws: refusal) { try OwnThread { try storage.read() }.result() }
        for old in [nil, Self.old] {
            #expect(throws: VaultError.self) {
                try OwnThread { try storage.replace(old, by: Self.new) }.result()
            }
        }
        #expect(try folder.names() == ["v"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("v"))
        #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    }

    @Test(
        "what is no file in the lock's place is refused at once, and a link there is not followed",
        arguments: [
            ("a FIFO", "is not a regular file"), ("a folder", "Is a directory"),
            ("a link", "Too many levels of symbolic links"),
        ])
    func obstructedLock(_ obstacle: String, _ reason: String) throws {
        try folder.write(Self.old, to: "v")
        try obstruct("v.lock", obstacle)
        let storage = storage
        #expect(throws: VaultError.cannotWrite(path: folder.path("v.lock"), reason: reason)) {
            try OwnThread {
                try storage.lock(patience: .seconds(5)) { () throws(VaultError) in
                    Issue.record("there is no lock")
                }
            }.result()
        }
        #expect(try folder.names() == ["v", "v.lock"] && folder.bytes("v") == Self.old)
    }

    @Test(
        "a disk on which not all of it fits is named, and leaves the old vault alone",
        arguments: [true, false])
    func fullDisk(_ isNew: Bool) async throws {
        if !isNew { try folder.write(Self.old, to: "v") }
        // A limit on the size of files is the shortest way to a write that ends early.
        await #expect(processExitsWith: .success) {
            [path = folder.path("v") as String, isNew = isNew as Bool] in
            var limit = rlimit(rlim_cur: 10, rlim_max: .max)
            unsafe setrlimit(__rlimit_resource_t(1), &limit)
            signal(SIGXFSZ, SIG_IGN)
            let storage = VaultFileStorage(path)
            #expect(throws: VaultError.cannotWrite(path: path, reason: "File too large")) {
                try storage.replace(
                    isNew ? nil : Array("old".utf8), by: [UInt8](repeating: 1, count: 1000))
            }
        }
        #expect(try folder.names() == (isNew ? [] : ["v"]))
        if !isNew { #expect(try folder.bytes("v") == Self.old) }
    }
}
