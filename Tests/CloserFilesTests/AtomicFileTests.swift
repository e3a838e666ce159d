import CloserFiles
import CloserSystem
import Foundation
import TestSupport
import Testing

@Suite("Files appear whole or not at all")
struct AtomicFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-atomic-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }
    private func content(_ name: String) -> String? {
        try? String(contentsOfFile: path(name), encoding: .utf8)
    }
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }
    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    private func write(
        _ text: String, to name: String, replacing: Bool = false, notReplacing inputs: [FileIdentity] = [],
        commit: Bool = true
    ) throws(FileError) {
        let file = try AtomicFile(path(name), replacing: replacing, notReplacing: inputs)
        try file.write(Array(text.utf8).span)
        if commit { try file.commit() }
    }

    @Test(
        "a committed file has its content, mode 0600, and nothing beside it",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`"))
    func committed() throws {
        try write("hello", to: "a")
        #expect(try content("a") == "hello" && mode("a") == 0o600 && names() == ["a"])
    }

    @Test("until the commit there is one hidden file beside it, of mode 0600 from the first byte on")
    func hidden() throws {
        let file = try AtomicFile(path("a"), replacing: false)
        let hidden = try #require(try names().first)
        #expect(try names() == [hidden] && hidden.hasPrefix(".closer-keys."))
        #expect(try mode(hidden) == 0o600 && content(hidden) == "")
        try file.write(Array("secret".utf8).span)
        try file.prepare()
        #expect(try names() == [hidden] && mode(hidden) == 0o600)
        let number = try FileStatus.look(path(hidden))?.identity
        try file.commit()
        #expect(try names() == ["a"] && FileStatus.look(path("a"))?.identity == number)
    }

    @Test(
        "without a commit there is nothing, and what was there stays",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`"))
    func abandoned() throws {
        try write("half", to: "a", commit: false)
        #expect(try names() == [])
        try write("old", to: "a")
        try write("half", to: "a", replacing: true, commit: false)
        #expect(try names() == ["a"] && content("a") == "old")
    }

    // MARK: - What is there already

    @Test(
        "an existing file stays as it is, unless it is to be replaced",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`"),
        arguments: ["old", ""])
    func existing(_ old: String) throws {
        try write(old, to: "a")
        #expect(throws: FileError.exists(path: path("a"))) { try write("new", to: "a") }
        #expect(try content("a") == old && names() == ["a"])
        try write("new", to: "a", replacing: true)
        #expect(try content("a") == "new" && names() == ["a"])
    }

    @Test("a file that appeared since it was looked for is not replaced")
    func appeared() throws {
        let file = try AtomicFile(path("a"), replacing: false)
        try file.write(Array("ours".utf8).span)
        try Data("theirs".utf8).write(to: folder.appending(path: "a"))
        var failure: FileError?
        do throws(FileError) { try file.commit() } catch { failure = error }
        #expect(failure == .exists(path: path("a")))
        #expect(try content("a") == "theirs" && names() == ["a"])
    }

    @Test("the file at the end of a symbolic link is replaced, and the link stays")
    func link() throws {
        try FileManager.default.createDirectory(atPath: path("in"), withIntermediateDirectories: false)
        try write("old", to: "in/f")
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "in/f")
        #expect(throws: FileError.exists(path: path("link"))) { try write("new", to: "link") }
        #expect(content("in/f") == "old")
        try write("new", to: "link", replacing: true)
        #expect(content("in/f") == "new" && content("link") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "in/f")
        #expect(try names() == ["in", "link"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("in")) == ["f"])
    }

    @Test("a symbolic link that leads nowhere is refused, and stays", arguments: [false, true])
    func linkToNothing(_ replacing: Bool) throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "none")
        #expect(throws: FileError.cannotCreate(path: path("link"), reason: "is a link to nothing")) {
            try write("new", to: "link", replacing: replacing)
        }
        #expect(try names() == ["link"])
    }

    // MARK: - What may not be replaced

    @Test(
        "an input is never the output, by any name",
        arguments: ["a", "hard", "soft", "./a", "in/../a", "up/a"])
    func input(_ name: String) throws {
        try write("input", to: "a")
        try FileManager.default.createDirectory(atPath: path("in"), withIntermediateDirectories: false)
        try FileManager.default.linkItem(atPath: path("a"), toPath: path("hard"))
        try FileManager.default.createSymbolicLink(atPath: path("soft"), withDestinationPath: "a")
        try FileManager.default.createSymbolicLink(atPath: path("up"), withDestinationPath: ".")
        let before = try names()
        let output = folder.path() + "/" + name
        for inputs in [
            [try #require(try Descriptor.reading(path("a")).identity)], FileIdentity.all(of: path("a")),
        ] {
            var failure: FileError?
            do throws(FileError) {
                let file = try AtomicFile(output, replacing: true, notReplacing: inputs)
                try file.commit()
            } catch { failure = error }
            #expect(failure == .isInput(path: output))
        }
        #expect(try content("a") == "input" && names() == before)
    }

    @Test(
        "an output that is not there yet is none of the names that are kept for others",
        arguments: ["b", "./b", "up/b"])
    func keptName(_ name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path("up"), withDestinationPath: ".")
        let output = folder.path() + "/" + name
        var failure: FileError?
        do throws(FileError) {
            let file = try AtomicFile(output, replacing: true, notReplacing: FileIdentity.all(of: path("b")))
            try file.commit()
        } catch { failure = error }
        #expect(try failure == .isInput(path: output) && names() == ["up"])
        try write("other", to: "c", replacing: true, notReplacing: FileIdentity.all(of: path("b")))
        #expect(content("c") == "other")
    }

    // MARK: - What is no file

    @Test("a device is written directly, also by a link, and none of the names changes")
    func device() throws {
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "/dev/null")
        for name in ["/dev/null", path("link")] {
            let file = try AtomicFile(name, replacing: false)
            let (isDirect, isTerminal) = (file.isDirect, file.isTerminal)
            #expect(isDirect && !isTerminal)
            try file.write([1, 2, 3].span)
            try file.prepare()
            try file.commit()
        }
        #expect(try names() == ["link"])
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }

    @Test("a pipe gets each part as it is written, before the commit")
    func pipe() throws {
        #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
        let name = path("pipe")
        let reader = OwnThread { try FileHandle(forReadingFrom: URL(filePath: name)).readToEnd() ?? Data() }
        do {
            let file = try AtomicFile(name, replacing: false)
            let isDirect = file.isDirect
            #expect(isDirect)
            try file.write(Array("through ".utf8).span)
            try file.write(Array("the pipe".utf8).span)
        }
        #expect(try reader.result() == Data("through the pipe".utf8))
        #expect(try names() == ["pipe"])
    }

    @Test("a terminal is told apart, and written directly")
    func terminal() throws {
        // As `unlockpt` and `ptsname` do: TIOCSPTLCK and TIOCGPTN.
        let controller = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(controller) }
        var (isLocked, number) = (CInt(0), CUnsignedInt(0))
        unsafe #expect(ioctl(controller, 0x4004_5431, &isLocked) == 0)
        unsafe #expect(ioctl(controller, 0x8004_5430, &number) == 0)
        let file = try AtomicFile("/dev/pts/\(number)", replacing: false)
        let (isDirect, isTerminal) = (file.isDirect, file.isTerminal)
        #expect(isDirect && isTerminal)
        try file.write(Array("shown".utf8).span)
        try file.commit()
        var shown = [UInt8](repeating: 0, count: 5)
        #expect(unsafe read(controller, &shown, 5) == 5 && shown == Array("shown".utf8))
    }

    @Test("a pipe and a device are refused at once where only a file will do")
    func noStream() throws {
        #expect(unsafe mkfifo(path("pipe"), 0o600) == 0)
        for name in [path("pipe"), "/dev/null"] {
            #expect(throws: FileError.cannotCreate(path: name, reason: "is not a regular file")) {
                try OwnThread {
                    _ = try AtomicFile(name, replacing: true, allowingStreams: false).isDirect
                }.result()
            }
        }
        #expect(try names() == ["pipe"])
    }

    @Test("a folder is no output, and none appears in a missing one")
    func noFolder() throws {
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
        for replacing in [false, true] {
            #expect(throws: FileError.cannotCreate(path: path("folder"), reason: "Is a directory")) {
                try write("x", to: "folder", replacing: replacing)
            }
            #expect(throws: FileError.cannotCreate(path: path("no/a"), reason: "No such file or directory")) {
                try write("x", to: "no/a", replacing: replacing)
            }
            #expect(throws: FileError.self) { try write("x", to: "", replacing: replacing) }
        }
        #expect(try names() == ["folder"])
    }

    @Test(
        "a block device is no output",
        .enabled(if: AtomicFileTests.blockDevice != nil, "there is one of no bytes"))
    func noBlockDevice() throws {
        let device = try #require(Self.blockDevice)
        for replacing in [false, true] {
            var failure: FileError?
            do throws(FileError) { _ = try AtomicFile(device, replacing: replacing).isDirect } catch {
                failure = error
            }
            let reasons = ["is neither a file nor a pipe", "Permission denied"]
            #expect(reasons.map { FileError.cannotCreate(path: device, reason: $0) }.contains(failure))
        }
    }

    /// A loop device that no file is behind, so that nothing can be lost.
    private static let blockDevice: String? = (0..<8).map { "loop\($0)" }.first {
        (try? String(contentsOfFile: "/sys/block/\($0)/size", encoding: .utf8)) == "0\n"
            && FileManager.default.fileExists(atPath: "/dev/\($0)")
    }.map { "/dev/\($0)" }

    // MARK: - Faults

    @Test("a full device is an error that names it")
    func fullDevice() throws {
        let file = try AtomicFile("/dev/full", replacing: false)
        var failure: FileError?
        do throws(FileError) { try file.write([1, 2, 3].span) } catch { failure = error }
        #expect(failure == .writeFailed(path: "/dev/full", reason: "No space left on device"))
    }

    @Test("a disk on which not all of it fits is an error that names the file, of which nothing appears")
    func fullDisk() async throws {
        try write("old", to: "b")
        // A limit on the size of files is the shortest way to a write that ends early.
        await #expect(processExitsWith: .success) { [a = path("a") as String, b = path("b") as String] in
            var limit = rlimit(rlim_cur: 10, rlim_max: .max)
            unsafe setrlimit(__rlimit_resource_t(1), &limit)
            signal(SIGXFSZ, SIG_IGN)
            for path in [a, b] {
                let file = try AtomicFile(path, replacing: path == b)
                var failure: FileError?
                do throws(FileError) { try file.write([UInt8](repeating: 1, count: 100).span) } catch {
                    failure = error
                }
                #expect(failure == .writeFailed(path: path, reason: "File too large"))
            }
        }
        #expect(try names() == ["b"] && content("b") == "old")
    }

    @Test("a signal removes the temporary file")
    func signalled() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) { [path = path("a") as String] in
            ProcessLimits.installSignals()
            let file = try AtomicFile(path, replacing: false)
            try file.write([1, 2, 3].span)
            kill(getpid(), SIGTERM)
            sleep(10)
            try file.commit()
        }
        #expect(try names() == [])
    }

    @Test("a file appears in a folder that may be written, and not be read")
    func unreadableFolder() async throws {
        try FileManager.default.createDirectory(atPath: path("closed"), withIntermediateDirectories: false)
        unsafe #expect(chmod(path("closed"), 0o300) == 0)
        if geteuid() == 0 { unsafe #expect(chown(path("closed"), 65_534, 65_534) == 0) }
        await #expect(processExitsWith: .success) { [folder = path("closed") as String] in
            // Root may read it all the same.
            if geteuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
            #expect(unsafe open(folder, O_RDONLY | O_DIRECTORY) < 0 && errno == EACCES)
            for replacing in [false, true] {
                let file = try AtomicFile("\(folder)/f", replacing: replacing)
                try file.write([1, 2, 3].span)
                try file.commit()
            }
        }
        unsafe #expect(chmod(path("closed"), 0o700) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("closed")) == ["f"])
        #expect(try Data(contentsOf: folder.appending(path: "closed/f")) == Data([1, 2, 3]))
    }

    // MARK: - A change that the file belongs to

    @Test("a file appears before the change that it belongs to, and goes with a change that fails")
    func belonging() throws {
        struct Failure: Error {}
        let first = try AtomicFile(path("a"), replacing: false)
        try first.write(Array("key".utf8).span)
        var seen: String?
        try first.commit { seen = content("a") }
        #expect(try seen == "key" && names() == ["a"])
        let second = try AtomicFile(path("b"), replacing: false)
        try second.write(Array("key".utf8).span)
        var failure: (any Error)?
        do {
            try second.commit {
                seen = content("b")
                throw Failure()
            }
        } catch { failure = error }
        #expect(try failure is Failure && seen == "key" && names() == ["a"])
    }

    @Test("a file of another process that took its place stays when its change fails")
    func belongingReplaced() throws {
        struct Failure: Error {}
        let file = try AtomicFile(path("a"), replacing: false)
        var failure: (any Error)?
        do {
            try file.commit {
                try Data("theirs".utf8).write(to: folder.appending(path: "new"))
                #expect(unsafe rename(path("new"), path("a")) == 0)
                throw Failure()
            }
        } catch { failure = error }
        #expect(try failure is Failure && content("a") == "theirs" && names() == ["a"])
    }

    // MARK: - Names

    @Test("a slash under an accent is a part of the name, and long names are possible")
    func unusualNames() throws {
        let long = String(repeating: "n", count: 255)
        try write("x", to: long)
        #expect(content(long) == "x")
        try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: false)
        let accented = folder.path() + "/d/\u{301}x"
        let file = try AtomicFile(accented, replacing: false)
        try file.commit()
        #expect(FileManager.default.fileExists(atPath: accented))
        #expect(throws: FileError.self) { try write("x", to: long + "n") }
    }
}
