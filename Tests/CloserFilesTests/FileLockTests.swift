import CloserFiles
import Foundation
import TestSupport
import Testing

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
        switch try FileLock.acquire(path, patience: .milliseconds(20)) {
        case .some: true
        case .none: false
        }
    }

    @Test("one holder at a time, and the next when the first lets go")
    func exclusive() throws {
        let first = try FileLock.acquire(path, patience: .zero)
        #expect(try !isFree())
        _ = consume first
        #expect(try isFree())
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == 0)
    }

    @Test("a file that was removed while it was held is not locked: the next one makes its own")
    func removed() throws {
        let first = try FileLock.acquire(path, patience: .zero)
        try FileManager.default.removeItem(atPath: path)
        #expect(try isFree())
        _ = consume first
    }

    @Test("a process that waits for a file that is removed gets a lock on the file that is there then")
    func removedMeanwhile() throws {
        let path = path
        let first = try FileLock.acquire(path, patience: .zero)
        let waiting = OwnThread {
            switch try FileLock.acquire(path, patience: .seconds(100)) {
            case .some(let lock):
                // What it holds is the file of that name: another holder waits.
                let other = try FileLock.acquire(path, patience: .zero)
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

    @Test("a FIFO, a folder and a link are refused at once and stay as they are")
    func obstacles() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: FileError.cannotCreate(path: path, reason: "Is a directory")) { _ = try isFree() }
        try FileManager.default.removeItem(atPath: path)
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
}
