import Foundation
import Testing

@testable import CloserFiles

@Suite("An output that replaces a file")
struct ReplacementTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["f", "precious"] { try Data(name.utf8).write(to: folder.appending(path: name)) }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func content() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "")
            })
    }

    /// Opens an output for a name, lets `act` happen, and gives what becomes of it.
    private func replace(_ name: String = "f", after act: () throws -> Void = {}) throws -> FileError? {
        let precious = FileIdentity(path: path("precious"))
        do throws(FileError) {
            let file = try SafeFile(path(name), replacing: true, sparing: { $0.identity == precious })
            do { try act() } catch { Issue.record("\(error)") }
            try file.commit(whole: Array("new".utf8).span)
            return nil
        } catch { return error }
    }

    @Test("leaves nothing of it, and may find nothing there")
    func replaced() throws {
        #expect(try replace() == nil && replace("g") == nil)
        #expect(try content() == ["f": "new", "g": "new", "precious": "precious"])
    }

    @Test(
        "spares what it is told to, at first and at the end",
        arguments: ["early", "moved", "linked", "folder"])
    func spared(_ way: String) throws {
        let before = try content()
        let error = try replace(way == "early" ? "precious" : "f") {
            switch way {
            case "moved": #expect(unsafe rename(path("precious"), path("f")) == 0)
            case "linked":
                try FileManager.default.removeItem(atPath: path("f"))
                try FileManager.default.linkItem(atPath: path("precious"), toPath: path("f"))
            case "folder":
                try FileManager.default.removeItem(atPath: path("f"))
                try FileManager.default.createDirectory(
                    atPath: path("f"), withIntermediateDirectories: false)
            default: break
            }
        }
        #expect(error != nil)
        switch way {
        case "moved": #expect(try content() == ["f": "precious"])
        case "linked": #expect(try content() == ["f": "precious", "precious": "precious"])
        case "folder": #expect(try content() == ["f": "", "precious": "precious"])
        default: #expect(try content() == before)
        }
    }
}
