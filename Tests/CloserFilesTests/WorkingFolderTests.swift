import Foundation
import Testing

@testable import CloserFiles

@Suite("`..` at the beginning of a name")
struct WorkingFolderTests {
    /// `up/in/work` is the working folder; `up/f`, `up/in/f` and `f` say where they are, and so does what a thief has put beside them.
    private struct Scene {
        let path: String

        init() throws {
            let made = FileManager.default.temporaryDirectory.appending(path: "closer-working-\(UUID())")
                .path()
            try FileManager.default.createDirectory(
                atPath: "\(made)/up/in/work", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: "\(made)/theirs/in", withIntermediateDirectories: true)
            path = try #require(Folder.absolutePath(of: made))
            for name in ["f", "up/f", "up/in/f", "theirs/f", "theirs/in/f"] { try write(name, name) }
            #expect(FileManager.default.changeCurrentDirectoryPath("\(path)/up/in/work"))
            unsafe setenv("PWD", "\(path)/up/in/work", 1)
            WorkingFolder.note()
        }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }

        func move(_ name: String, to other: String) throws {
            try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
        }

        func isThere(_ name: String) throws -> Bool { try SafeFile.exists("\(path)/\(name)") }

        /// By all ways in which files are looked up.
        func expect(_ name: String, is text: String) throws {
            let bytes = Array(text.utf8)
            #expect(try WholeFile.read(name, maximumByteCount: 100) == bytes)
            #expect(try FolderEntry(name).read(maximumByteCount: 100) == bytes)
            #expect(try Place(name).entry.read(maximumByteCount: 100) == bytes)
            #expect(try Descriptor.reading(name).holds(bytes.span))
            #expect(Folder.path(named: name) == "\(path)/\(text)")
            #expect(Folder.absoluteName(of: name) == "\(path)/\(text)")
            #expect(Folder.absoluteNames(of: name) == ["\(path)/\(text)"])
            #expect(Folder.absolutePath(of: name) == "\(path)/\(text)")
            #expect(Folder.placePath(of: name) == "\(path)/\(text)")
            #expect(try FileIdentity(path: name) == FileIdentity(path: "\(path)/\(text)"))
            #expect(try SafeFile.exists(name))
        }
    }

    @Test("means a folder that was above at first, while the working folder is elsewhere, and afterwards")
    func moved() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            try scene.move("up/in/work", to: "theirs/in/work")
            try scene.expect("../f", is: "up/in/f")
            try scene.expect("./..//../f", is: "up/f")
            try scene.expect("../../../f", is: "f")
            for _ in 0..<2 { try SafeFile("../new", replacing: scene.isThere("up/in/new")).commit() }
            try Folder.make("../../made")
            #expect(try scene.isThere("up/in/new") && scene.isThere("up/made"))
            #expect(try !scene.isThere("theirs/in/new") && !scene.isThere("theirs/made"))
            try scene.move("theirs/in/work", to: "up/in/work")
            try scene.expect("../f", is: "up/in/f")
            #expect(WorkingFolder.takeDoubts().isEmpty)
        }
    }

    @Test("means it also where that has another name by now, under which somebody put one of theirs")
    func movedAbove() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            try scene.move("up/in", to: "moved")
            try scene.move("theirs/in", to: "up/in")
            #expect(try WholeFile.read("../f", maximumByteCount: 100) == Array("up/in/f".utf8))
            #expect(Folder.absolutePath(of: "../f") == "\(scene.path)/moved/f")
            try scene.expect("../../f", is: "up/f")
            #expect(WorkingFolder.takeDoubts().isEmpty)
        }
    }

    @Test("means it also where it is neither above any more nor has its name")
    func lost() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            try scene.move("up/in/work", to: "theirs/in/work")
            try scene.move("up/in", to: "moved")
            #expect(try WholeFile.read("../f", maximumByteCount: 100) == Array("up/in/f".utf8))
            #expect(try SafeFile.exists("../f") && !SafeFile.exists("../g"))
            // Not every system can say what its path is.
            let path = Folder.absolutePath(of: "../f")
            #expect(path == "\(scene.path)/moved/f" || path == nil)
            #expect(try SafeFile.exists("/proc/self/fd") == (path != nil))
        }
    }

    @Test("means nothing else where no folder was noted, or this user may not go there")
    func unnoted() throws {
        #expect(try #require(Climb("../../f")).count == 2)
        for name in ["f", "./f", "f/..", "/..", "...", ".f", ""] { #expect(Climb(name) == nil, "\(name)") }
        for (name, rest) in [("..", "."), ("../", "."), (".//..//./f/../g", "f/../g")] {
            #expect(try #require(Climb(name)).count == 1 && Climb(name)?.rest == rest)
        }
        #expect(WorkingFolder.pathBytes == nil && WorkingFolder.absolute("../f") == "../f")
    }

    @Test("means what was above when it was first used, if no name was known before")
    func late() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            WorkingFolder.note(mayClimb: false)
            try scene.expect("../f", is: "up/in/f")
            try scene.move("up/in/work", to: "theirs/in/work")
            try scene.expect("../../f", is: "up/f")
            #expect(WorkingFolder.pathBytes == Array("\(scene.path)/up/in/work".utf8))
        }
    }

    @Test("means nothing more than 64 folders above")
    func deep() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let deep = "\(scene.path)/" + [String](repeating: "d", count: 70).joined(separator: "/")
            try Folder.make(deep)
            #expect(FileManager.default.changeCurrentDirectoryPath(deep))
            unsafe setenv("PWD", deep, 1)
            WorkingFolder.note()
            func name(_ count: Int) -> String { String(repeating: "../", count: count) }
            #expect(Folder.absolutePath(of: name(60)) == Folder.climbed("\(deep)/\(name(60))"))
            #expect(Folder.absolutePath(of: name(64)) == nil)
            #expect(throws: FileError.cannotOpen(path: name(64), reason: FileError.reason(ENAMETOOLONG))) {
                _ = try Descriptor.reading(name(64))
            }
        }
    }

    @Test("is above the root the root itself")
    func root() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let climbs = String(repeating: "../", count: 40)
            #expect(try WholeFile.read("\(climbs)\(scene.path)/f", maximumByteCount: 100) == Array("f".utf8))
            #expect(Folder.absolutePath(of: climbs) == "/")
            #expect(FileManager.default.changeCurrentDirectoryPath("/"))
            unsafe setenv("PWD", "/", 1)
            WorkingFolder.note()
            #expect(try WholeFile.read("..\(scene.path)/f", maximumByteCount: 100) == Array("f".utf8))
            #expect(WorkingFolder.pathBytes == Array("/".utf8) && WorkingFolder.takeDoubts().isEmpty)
        }
    }

    @Test("is doubted, once for each folder, where the shell names another working folder")
    func doubts() async throws {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            try scene.move("up/in/work", to: "theirs/in/work")
            try FileManager.default.createDirectory(
                atPath: "\(scene.path)/up/in/work", withIntermediateDirectories: false)
            // As a shell starts the next command.
            WorkingFolder.note()
            try scene.expect("../f", is: "theirs/in/f")
            try scene.expect("../../f", is: "theirs/f")
            try scene.expect("../../../f", is: "f")
            let doubts = WorkingFolder.takeDoubts()
            #expect(doubts.map(\.name) == ["..", "../.."])
            #expect(doubts.map(\.path) == ["\(scene.path)/theirs/in", "\(scene.path)/theirs"])
            #expect(doubts.map(\.believed) == ["\(scene.path)/up/in", "\(scene.path)/up"])
            #expect(doubts.allSatisfy { $0.shell == "\(scene.path)/up/in/work" })
            try scene.expect("../f", is: "theirs/in/f")
            #expect(WorkingFolder.takeDoubts().isEmpty)
            let unreadable = Array("\(scene.path)/up/in/w".utf8) + [0xff, 0]
            _ = unsafe unreadable.withUnsafeBufferPointer { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe setenv("PWD", $0.baseAddress!, 1) }
            }
            WorkingFolder.note()
            #expect(WorkingFolder.takeDoubts().isEmpty)
            try scene.expect("../f", is: "theirs/in/f")
            #expect(WorkingFolder.takeDoubts().map(\.shell) == ["\(scene.path)/up/in/w\u{fffd}"])
        }
    }
}
