import CloserFiles
import Foundation
import TestSupport
import Testing

@Suite("Files that are read whole")
struct WholeFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-whole-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var path: String { folder.appending(path: "f").path() }

    @Test("a file has its bytes, a missing one is nil, and one that is too large is not read")
    func read() throws {
        #expect(try WholeFile(path, maximumByteCount: 3) == nil)
        #expect(try WholeFile("\(path)/none", maximumByteCount: 3) == nil)
        for bytes in [[], [1, 2, 3]] as [[UInt8]] {
            try Data(bytes).write(to: URL(filePath: path))
            #expect(try WholeFile(path, maximumByteCount: 3)?.bytes == bytes)
        }
        #expect(try WholeFile("\(path)/none", maximumByteCount: 3) == nil)
        try Data([1, 2, 3, 4]).write(to: URL(filePath: path))
        #expect(throws: FileError.tooLarge(path: path, maximumByteCount: 3)) {
            try WholeFile(path, maximumByteCount: 3)?.bytes
        }
    }

    @Test("a large file is read to its end, through a symbolic link, too")
    func large() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try Data(bytes).write(to: URL(filePath: path))
        let link = folder.appending(path: "link").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "f")
        for name in [path, link] { #expect(try WholeFile(name, maximumByteCount: 300_000)?.bytes == bytes) }
    }

    @Test("a file is unchanged until it is written, even with the same bytes, or another takes its place")
    func unchanged() throws {
        let url = URL(filePath: path)
        try Data([1, 2]).write(to: url)
        let file = try #require(try WholeFile(path, maximumByteCount: 3))
        #expect(file.isUnchanged(at: path) && !file.isUnchanged(at: folder.path()))
        let output = try FileHandle(forWritingTo: url)
        try output.write(contentsOf: [1])
        #expect(!file.isUnchanged(at: path))
        let written = try #require(try WholeFile(path, maximumByteCount: 3))
        #expect(written.bytes == [1, 2] && written.isUnchanged(at: path))
        try Data([1, 2]).write(to: url, options: .atomic)
        #expect(!written.isUnchanged(at: path))
        try FileManager.default.removeItem(at: url)
        #expect(!written.isUnchanged(at: path))
    }

    @Test("a FIFO, a folder and a device are refused at once")
    func obstacles() throws {
        #expect(unsafe mkfifo(path, 0o600) == 0)
        for name in [path, folder.path(), "/dev/null"] {
            #expect(throws: FileError.cannotOpen(path: name, reason: "is not a regular file")) {
                try OwnThread { try WholeFile(name, maximumByteCount: 3)?.bytes }.result()
            }
        }
    }

    @Test("a name that cannot be asked for is an error, and not a missing file")
    func unaskable() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        for name in [path, "\(path)/f", folder.appending(path: String(repeating: "n", count: 256)).path()] {
            #expect(throws: FileError.self, "\(name)") { try WholeFile(name, maximumByteCount: 3)?.bytes }
        }
    }

    @Test("a file that cannot be opened for want of descriptors is an error, and not a missing file")
    func noDescriptor() async throws {
        try Data([1]).write(to: URL(filePath: path))
        await #expect(processExitsWith: .success) { [path = path as String] in
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(7), &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            unsafe setrlimit(__rlimit_resource_t(7), &none)
            let read = Result { try WholeFile(path, maximumByteCount: 100)?.bytes }
            unsafe setrlimit(__rlimit_resource_t(7), &limit)
            #expect(throws: FileError.self) { try read.get() }
        }
    }
}
