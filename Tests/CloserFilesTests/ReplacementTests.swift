import Foundation
import Synchronization
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
        let precious = try FileIdentity(path: path("precious"))
        do throws(FileError) {
            let file = try SafeFile(
                path(name), replacing: true,
                sparing: { (file) throws(FileError) in try file.look()?.identity == precious })
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

    @Test("goes back if it cannot be looked at", arguments: [1, 2, 3])
    func unseen(_ look: Int) throws {
        let before = try content()
        let looks = Mutex(0)
        let (hidden, reason) = (path("f"), "What is there cannot be looked at: Permission denied")
        #expect(
            throws: look == 1
                ? FileError.cannotOpen(path: hidden, reason: "Permission denied")
                : .cannotCreate(path: hidden, reason: reason)
        ) {
            let file = try SafeFile(
                hidden, replacing: true,
                sparing: { (_) throws(FileError) in
                    let count = looks.withLock {
                        $0 += 1; return $0
                    }
                    if count == look { throw .cannotOpen(path: hidden, reason: "Permission denied") }
                    return false
                })
            try file.commit(whole: Array("new".utf8).span)
        }
        #expect(try content() == before)
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
