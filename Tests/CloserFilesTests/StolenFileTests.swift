import Foundation
import Testing

@testable import CloserFiles

@Suite("A file that does not appear")
struct StolenFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    /// Whether a file is gone once it is discarded, if somebody did something to its temporary name before.
    private func isGone(after body: (String) throws -> Void) throws -> Bool {
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("whole".utf8).span)
        try file.prepare()
        try body(path(#require(try names().first { $0.hasSuffix(".tmp") })))
        return file.discard()
    }

    @Test("it is gone when it is discarded, unless somebody gave it another name")
    func discarded() throws {
        #expect(try isGone { _ in })
        #expect(try names() == [])
        #expect(try isGone { try FileManager.default.removeItem(atPath: $0) })
        #expect(try !isGone { try FileManager.default.moveItem(atPath: $0, toPath: path("taken")) })
        #expect(try !isGone { try FileManager.default.linkItem(atPath: $0, toPath: path("linked")) })
        #expect(try names() == ["linked", "taken"])
    }

    @Test("whose name is gone is an error, and what was there stays")
    func moved() throws {
        try Data("old".utf8).write(to: folder.appending(path: "f"))
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("whole".utf8).span)
        try file.prepare()
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        try FileManager.default.moveItem(atPath: path(temporary), toPath: path("taken"))
        var error: FileError?
        do throws(FileError) { _ = try file.appear() } catch let failure { error = failure }
        #expect(error == .cannotCreate(path: path("f"), reason: "No such file or directory"))
        let isGone = file.discard()
        #expect(!isGone)
        #expect(try names() == ["f", "taken"])
    }
}
