import CloserFiles
import Foundation
import Testing

@Suite("Small files that several processes change in place")
struct SharedFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-shared-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder.appending(path: "shared").path() }

    private func read() throws -> String? {
        try SharedFile.read(path, maximumByteCount: 100).map { String(decoding: $0, as: UTF8.self) }
    }

    private func update(_ body: ([UInt8]?) -> String?) throws {
        try SharedFile.update(path, maximumByteCount: 100) { body($0).map { Array($0.utf8) } }
    }

    @Test("the file appears when it is whole, for its owner alone")
    func appears() throws {
        #expect(try read() == nil)
        try update { old in
            #expect(old == nil && SafeFile.isMissing(path))
            return "whole"
        }
        #expect(try read() == "whole")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["shared"])
    }

    @Test("a name that cannot be asked for is an error, and not an absent file")
    func unaskable() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(throws: FileError.self) { try SharedFile.read("\(path)/f", maximumByteCount: 100) }
        #expect(try SharedFile.read(folder.path() + "/none/f", maximumByteCount: 100) == nil)
        #expect(throws: FileError.self) {
            try SharedFile.update("\(path)/f", maximumByteCount: 100) { _ in nil }
        }
        #expect(!SafeFile.isMissing("\(path)/f") && !SafeFile.isMissing(path))
        #expect(SafeFile.isMissing(folder.path() + "/none") && SafeFile.isMissing(folder.path() + "/none/f"))
        #expect(throws: FileError.self) { try FileIdentity.look("\(path)/f") }
        #expect(try FileIdentity.look(folder.path() + "/none") == nil)
        // A name of 256 bytes.
        let entry = try FolderEntry(folder.path() + "/" + String(repeating: "n", count: 256))
        #expect(throws: FileError.self) { try entry.look() }
        #expect(throws: FileError.self) {
            try SharedFile.update(entry.path, maximumByteCount: 100) { _ in nil }
        }
    }

    @Test("nothing is written for nothing, and reading makes no file")
    func nothing() throws {
        try update { _ in nil }
        #expect(try read() == nil && !SafeFile.exists(path))
        try update { _ in "text" }
        try update { _ in nil }
        #expect(try read() == "text")
    }

    @Test("a shorter text leaves spaces behind it, and an empty file is there")
    func inPlace() throws {
        try update { _ in "longer" }
        try update { old in
            #expect(old == Array("longer".utf8))
            return "short"
        }
        #expect(try read() == "short ")
        try Data().write(to: URL(filePath: path))
        #expect(try read() == "")
        try update { old in
            #expect(old == [])
            return "text"
        }
        #expect(try read() == "text")
    }

    @Test("of many that make and change it at once none is lost")
    func crowd() async throws {
        let path = path
        for round in 0..<20 {
            let file = "\(path)-\(round)"
            try await withThrowingTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask {
                        try SharedFile.update(file, maximumByteCount: 100) {
                            ($0 ?? []) + [UInt8(ascii: "x")]
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try SharedFile.read(file, maximumByteCount: 100)?.count == 16)
        }
    }

    @Test("a disk that has no room for what is added keeps what was there")
    func fullDisk() async throws {
        try update { _ in "short" }
        await #expect(processExitsWith: .success) { [path = path as String] in
            var limit = rlimit(rlim_cur: 8, rlim_max: .max)
            unsafe setrlimit(__rlimit_resource_t(1), &limit)
            signal(SIGXFSZ, SIG_IGN)
            let error = FileError.writeFailed(path: path, reason: "File too large")
            #expect(throws: error) {
                try SharedFile.update(path, maximumByteCount: 100) { _ in Array("much longer".utf8) }
            }
            let left = try SharedFile.read(path, maximumByteCount: 100)
            #expect(left.map { String(decoding: $0, as: UTF8.self) } == "short   ")
        }
    }

    @Test("a file whose folder cannot be opened is an error, and not nothing")
    func noDescriptor() async throws {
        try update { _ in "text" }
        await #expect(processExitsWith: .success) { [path = path as String] in
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(7), &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            unsafe setrlimit(__rlimit_resource_t(7), &none)
            let read = Result { try SharedFile.read(path, maximumByteCount: 100) }
            unsafe setrlimit(__rlimit_resource_t(7), &limit)
            #expect(throws: FileError.self) { try read.get() }
        }
    }
}
