import Foundation
import Testing

@testable import CloserFiles

@Suite("Where a file is")
struct PlaceTests {
    private let folder: URL

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "closer-place-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = URL(filePath: path).resolvingSymlinksInPath()
    }

    private func path(_ name: String) -> String { folder.path() + "/" + name }

    private func make(_ name: String, _ text: String = "text") throws {
        let folder = path(name).split(separator: "/").dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: "/\(folder)", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    private func text(_ place: Place) throws -> String? {
        try place.entry.read(maximumByteCount: 100).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a file has one path without links, and those by which it was named")
    func paths() throws {
        try make("in/f")
        try link("up", to: "in")
        try link("l", to: "in/f")
        #expect(try Place(path("in/f")).paths == [path("in/f")])
        #expect(try Place(path("in/./f")).paths == [path("in/f")])
        #expect(try Place(path("up/f")).paths == [path("up/f"), path("in/f")])
        #expect(try Place(path("l")).paths == [path("l"), path("in/f")])
        try Folder.make(path("new/\u{301}a"))
        try make("new/\u{301}a/f")
        #expect(try Place(path("new//\u{301}a/f")).paths == [path("new/\u{301}a/f")])
        #expect(try Place(path("up/new")).paths == [path("up/new"), path("in/new")])
        #expect(throws: FileError.self) { try Place(path("none/f")) }
        try link("nowhere", to: "none")
        #expect(throws: FileError.self) { try Place(path("nowhere")) }
    }

    @Test(
        "an open file whose name is gone has none, by the system's name of it either",
        .enabled(if: !SafeFile.isMissing("/proc/self/fd")))
    func nameless() throws {
        try make("f")
        let file = try Descriptor.reading(path("f"))
        let name = "/proc/self/fd/\(file.number)"
        #expect(Folder.placePath(of: name) == path("f") && Folder.placePath(of: path("g")) == path("g"))
        try FileManager.default.removeItem(atPath: path("f"))
        #expect(try Folder.placePath(of: name) == nil && SafeFile.exists(name))
        _ = consume file
    }

    @Test("two spellings of one letter are two names")
    func spellings() throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        try make(decomposed)
        try link(composed, to: decomposed)
        let paths = try Place(path(composed)).paths
        #expect(paths.map { Array($0.utf8) } == [composed, decomposed].map { Array(path($0).utf8) })
    }

    @Test("the folder is the one that was there, whatever its name means later")
    func heldFolder() throws {
        try make("in/f", "old")
        let place = try Place(path("in/f"))
        #expect(place.isNamed)
        try FileManager.default.moveItem(atPath: path("in"), toPath: path("moved"))
        try make("in/f", "new")
        #expect(try text(place) == "old" && !place.isNamed)
        let file = try SafeFile(place.entry, replacing: true)
        let changed = Array("changed".utf8)
        try file.write(changed.span)
        _ = try file.appear(holding: changed.span)
        #expect(try String(contentsOfFile: path("in/f"), encoding: .utf8) == "new")
        #expect(try String(contentsOfFile: path("moved/f"), encoding: .utf8) == "changed")
    }

    @Test("a link in the file's place is not read, and a FIFO in the folder's is not waited for")
    func plants() throws {
        try make("in/f")
        let place = try Place(path("in/f"))
        try make("secret")
        try FileManager.default.removeItem(atPath: path("in/f"))
        try link("in/f", to: path("secret"))
        #expect(throws: FileError.cannotOpen(path: path("in/f"), reason: "Has become a link")) {
            try text(place)
        }
        unsafe mkfifo(path("fifo"), 0o600)
        #expect(throws: FileError.self) { try FolderEntry(path("fifo/f")) }
    }

    @Test("no part of a folder's path is followed as a link, also before a name that begins with an accent")
    func noLinks() throws {
        for name in ["sub", "\u{301}sub"] {
            try make("real/\(name)/f")
            _ = try OpenFolder(withoutLinks: path("real/\(name)"))
        }
        try link("up", to: "real")
        for name in ["up", "up/sub", "up/\u{301}sub"] {
            #expect(throws: FileError.self) { _ = try OpenFolder(withoutLinks: path(name)) }
        }
    }
}
