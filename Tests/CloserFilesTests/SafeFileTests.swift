import CloserFiles
import CloserSystem
import Foundation
import TestSupport
import Testing

@Suite("Files appear whole or not at all")
struct SafeFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }
    private func content(_ name: String) -> String? {
        try? String(contentsOfFile: path(name), encoding: .utf8)
    }
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    private func write(_ text: String, to name: String, replacing: Bool = false, commit: Bool = true) throws {
        let file = try SafeFile(path(name), replacing: replacing)
        let bytes = Array(text.utf8)
        try file.write(bytes.span)
        if commit { try file.commit() }
    }

    @Test("a committed file has its content, mode 0600, and nothing beside it")
    func committed() throws {
        try write("hello", to: "a")
        #expect(content("a") == "hello")
        let mode = try FileManager.default.attributesOfItem(atPath: path("a"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try names() == ["a"])
    }

    @Test("without a commit there is nothing") func abandoned() throws {
        try write("half", to: "a", commit: false)
        #expect(try names() == [])
    }

    @Test("an existing file stays as it is, unless it is to be replaced")
    func existing() throws {
        try write("old", to: "a")
        #expect(throws: FileError.exists(path: path("a"))) { try write("new", to: "a") }
        #expect(content("a") == "old")
        try write("new", to: "a", replacing: true)
        #expect(content("a") == "new")
        try write("half", to: "a", replacing: true, commit: false)
        #expect(content("a") == "new")
        #expect(try names() == ["a"])
    }

    @Test("a file that appeared meanwhile is not replaced")
    func race() throws {
        let file = try SafeFile(path("a"), replacing: false)
        try Data("theirs".utf8).write(to: folder.appending(path: "a"))
        do {
            try file.commit()
            Issue.record("the file was replaced")
        } catch { #expect(error == .exists(path: path("a"))) }
        #expect(content("a") == "theirs")
        #expect(try names() == ["a"])
    }

    @Test("an input is never the output, under whatever name")
    func input() throws {
        try write("input", to: "a")
        try FileManager.default.linkItem(atPath: path("a"), toPath: path("b"))
        let identity = try #require(try Descriptor.reading(path("a")).identity)
        do {
            let file = try SafeFile(path("b"), replacing: true, inputs: [identity])
            try file.commit()
            Issue.record("the input was taken")
        } catch { #expect(error == .isInput(path: path("b"))) }
    }

    @Test("a missing folder, a folder as a file, a missing input")
    func cannot() throws {
        #expect(throws: FileError.cannotCreate(path: path("no/a"), reason: "No such file or directory")) {
            try write("x", to: "no/a")
        }
        #expect(throws: FileError.self) { try write("x", to: "") }
        do {
            _ = try Descriptor.reading(path("missing")).isTerminal
            Issue.record("a missing file was opened")
        } catch { #expect(error == .cannotOpen(path: path("missing"), reason: "No such file or directory")) }
        do {
            _ = try Descriptor.reading(folder.path()).isTerminal
            Issue.record("a folder was opened")
        } catch { #expect(error == .cannotOpen(path: folder.path(), reason: "is a directory")) }
    }

    @Test("what is not a regular file is written directly")
    func device() throws {
        let file = try SafeFile("/dev/null", replacing: false)
        let bytes: [UInt8] = [1, 2, 3]
        try file.write(bytes.span)
        try file.commit()
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    }

    @Test("a signal removes the temporary file")
    func signalled() async throws {
        let path = path("a")
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) { [path = path as String] in
            ProcessLimits.installSignals()
            let file = try SafeFile(path, replacing: false)
            let bytes: [UInt8] = [1, 2, 3]
            try file.write(bytes.span)
            kill(getpid(), SIGTERM)
            sleep(10)
            try file.commit()
        }
        #expect(try names() == [])
    }

    @Test("a slash under an accent is a part of the name, and long names are taken")
    func unusualNames() throws {
        let long = String(repeating: "n", count: 255)
        try write("x", to: long)
        #expect(content(long) == "x")
        try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: false)
        let accented = folder.path() + "/d/\u{301}x"
        let file = try SafeFile(accented, replacing: false)
        try file.commit()
        #expect(FileManager.default.fileExists(atPath: accented))
    }

    @Test("a full disk is an error, not a short file")
    func fullDisk() throws {
        let file = try SafeFile("/dev/full", replacing: false)
        let bytes: [UInt8] = [1, 2, 3]
        do {
            try file.write(bytes.span)
            Issue.record("nothing was said of the full disk")
        } catch { #expect(error == .writeFailed(path: "/dev/full", reason: "No space left on device")) }
    }
}
