import Foundation
import TestSupport
import Testing

@testable import CloserFiles

@Suite("Paths as the kernel resolves them")
struct PathsTests {
    private let folder: String

    init() throws {
        let made = FileManager.default.temporaryDirectory.appending(path: "closer-paths-\(UUID())").path()
        try Paths.makeFolder("\(made)/in")
        folder = try Paths.absolute(made)
        for name in ["f", "in/f"] { try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        for (name, target) in [("link", "in/f"), ("up", "in"), ("nowhere", "none/f"), ("loop", "loop")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/\(name)", withDestinationPath: target)
        }
    }

    @Test("a file has one path without links, and so has the place where it would be")
    func absolute() throws {
        for (name, expected) in [
            ("f", "f"), ("./f", "f"), ("in/../f", "f"), ("link", "in/f"), ("up/f", "in/f"),
            ("new", "new"), ("up/new", "in/new"), ("in//new", "in/new"),
        ] {
            #expect(try Paths.absolute("\(folder)/\(name)") == "\(folder)/\(expected)", "\(name)")
        }
        #expect(try Paths.absolute("/new") == "/new")
        for name in ["none/f", "loop/f"] {
            #expect(throws: FileError.self, "\(name)") { try Paths.absolute("\(folder)/\(name)") }
        }
    }

    @Test("a folder and a name are cut at the last slash, also before an accent")
    func parts() {
        for (path, folder, name) in [
            ("f", ".", "f"), ("/f", "/", "f"), ("a/b/f", "a/b", "f"), ("a/\u{301}f", "a", "\u{301}f"),
        ] {
            #expect(Paths.folder(of: path) == folder && Paths.name(of: path) == name, "\(path)")
        }
    }

    @Test("what is there, a link and a regular file are told apart, and what cannot be asked for is an error")
    func looks() throws {
        for name in ["f", "in", "link", "nowhere", "loop"] {
            #expect(try Paths.exists("\(folder)/\(name)"), "\(name)")
        }
        for name in ["none", "none/f", "f/g"] {
            #expect(try !Paths.exists("\(folder)/\(name)") && Paths.isMissing("\(folder)/\(name)"), "\(name)")
        }
        #expect(throws: FileError.self) { try Paths.exists("\(folder)/loop/f") }
        #expect(throws: FileError.self) {
            try Paths.exists("\(folder)/\(String(repeating: "n", count: 256))")
        }
        #expect(!Paths.isMissing("\(folder)/loop/f"))
        #expect(["f", "link"].allSatisfy { Paths.isRegular("\(folder)/\($0)") })
        #expect(!["in", "nowhere", "none", "loop"].contains { Paths.isRegular("\(folder)/\($0)") })
    }

    @Test("the names in a folder are sorted, and a folder that is not there has none")
    func names() throws {
        #expect(try Paths.names(in: folder) == ["f", "in", "link", "loop", "nowhere", "up"])
        #expect(try Paths.names(in: "\(folder)/none") == [])
        #expect(throws: FileError.self) { try Paths.names(in: "\(folder)/loop") }
    }

    @Test(
        "a folder is made with those above it, each for its owner alone, and one that is there is left alone")
    func makeFolder() throws {
        try Paths.makeFolder("\(folder)/a/b/c")
        try Paths.makeFolder("\(folder)/a/b/c")
        for name in ["a", "a/b", "a/b/c"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(name)")
        }
        #expect(throws: FileError.self) { try Paths.makeFolder("\(folder)/f/g") }
    }

    @Test(
        "a folder that users other than the owner may write is told apart; under the sticky bit they may only add files",
        arguments: [(0o700, false), (0o755, false), (0o757, true), (0o1777, false)] as [(mode_t, Bool)])
    func writableByOthers(_ mode: mode_t, _ isWritable: Bool) throws {
        unsafe #expect(chmod("\(folder)/in", mode) == 0)
        #expect(Paths.isWritableByOthers("\(folder)/in") == isWritable)
        #expect(!Paths.isWritableByOthers("\(folder)/none"))
    }

    @Test("two names of one file have one identity, and the name stays when another file takes its place")
    func identities() throws {
        try FileManager.default.linkItem(atPath: "\(folder)/f", toPath: "\(folder)/hard")
        let known = FileIdentity.all(of: "\(folder)/f")
        #expect(known.count == 2)
        for name in ["f", "hard", "up/../f"] {
            #expect(FileIdentity.all(of: "\(folder)/\(name)").contains(where: known.contains), "\(name)")
        }
        for name in ["in/f", "link", "none"] {
            #expect(!FileIdentity.all(of: "\(folder)/\(name)").contains(where: known.contains), "\(name)")
        }
        try FileManager.default.removeItem(atPath: "\(folder)/f")
        try Data("another".utf8).write(to: URL(filePath: "\(folder)/f"))
        #expect(FileIdentity.all(of: "\(folder)/f").contains(where: known.contains))
        #expect(FileIdentity.all(of: "\(folder)/none/f").isEmpty)
    }
}
