import CloserFiles
import Dispatch
import Foundation
import Synchronization
import Testing

/// A thread for something that blocks it. A task would take one of the few threads that all tests share, and its own test would wait for
/// another one of them, longer than anybody's patience on a busy machine.
private final class OwnThread: Sendable {
    private let outcome = Mutex<Result<Bool, any Error>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Bool) {
        Thread.detachNewThread { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            end.signal()
        }
    }

    func result() throws -> Bool {
        end.wait()
        return try outcome.withLock { $0 }?.get() ?? false
    }
}

@Suite("Locks on files of their own")
struct FileLockTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-lock-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder.appending(path: "lock").path() }

    /// Tries for a moment.
    private func isFree() throws -> Bool {
        switch try FileLock.acquire(try FolderEntry(path), patience: .milliseconds(20)) {
        case .some: true
        case .none: false
        }
    }

    @Test("one holder at a time, and the next when the first lets go")
    func exclusive() throws {
        let first = try FileLock.acquire(try FolderEntry(path), patience: .zero)
        #expect(try !isFree())
        _ = consume first
        #expect(try isFree())
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 0)
    }

    @Test("a file that was removed while it was held is not locked: the next one makes its own")
    func removed() throws {
        let first = try FileLock.acquire(try FolderEntry(path), patience: .zero)
        try FileManager.default.removeItem(atPath: path)
        #expect(try isFree())
        _ = consume first
    }

    @Test(
        "somebody who waited for a file that is removed meanwhile gets a lock on the file that is there then")
    func removedMeanwhile() throws {
        let path = path
        let first = try FileLock.acquire(try FolderEntry(path), patience: .zero)
        let waiting = OwnThread {
            switch try FileLock.acquire(try FolderEntry(path), patience: .seconds(100)) {
            case .some(let lock):
                // What it holds is the file of that name: nobody else gets it.
                let other = try FileLock.acquire(try FolderEntry(path), patience: .zero)
                let isAlone =
                    switch other {
                    case .some: false
                    case .none: true
                    }
                _ = consume lock
                return isAlone
            case .none: return false
            }
        }
        Thread.sleep(forTimeInterval: 0.05)
        try FileManager.default.removeItem(atPath: path)
        _ = consume first
        #expect(try waiting.result())
    }

    @Test("what is no regular file, and a link, are refused at once and stay as they are")
    func obstacles() throws {
        unsafe mkfifo(path, 0o600)
        #expect(throws: FileError.cannotCreate(path: path, reason: "is not a regular file")) {
            _ = try isFree()
        }
        try FileManager.default.removeItem(atPath: path)
        let target = folder.appending(path: "target").path()
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(throws: FileError.cannotCreate(path: path, reason: "Too many levels of symbolic links")) {
            _ = try isFree()
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(
        "a file is read whole; nothing, a folder and a FIFO are told apart, and one that is too large is not read"
    )
    func wholeFiles() throws {
        #expect(try WholeFile.read(path, maximumByteCount: 3) == nil)
        for bytes in [[], [1, 2, 3]] as [[UInt8]] {
            try Data(bytes).write(to: URL(filePath: path))
            #expect(try WholeFile.read(path, maximumByteCount: 3) == bytes)
        }
        try Data([1, 2, 3, 4]).write(to: URL(filePath: path))
        #expect(throws: FileError.tooLarge(path: path, maximumByteCount: 3)) {
            try WholeFile.read(path, maximumByteCount: 3)
        }
        let error = FileError.cannotOpen(path: folder.path(), reason: "is not a regular file")
        #expect(throws: error) { try WholeFile.read(folder.path(), maximumByteCount: 3) }
    }
}
