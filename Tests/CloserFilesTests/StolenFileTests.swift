import Foundation
import Testing

@testable import CloserFiles
@testable import CloserSystem

@Suite("A file that does not appear")
struct StolenFileTests {
    private static let whole = Array("whole".utf8)
    private static let new = Array("new".utf8)
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    @Test("it is gone when it is discarded, unless somebody gave it another name")
    func discarded() throws {
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("whole".utf8).span)
        try FileManager.default.linkItem(atPath: path(#require(names().first)), toPath: path("linked"))
        file.discard()
        #expect(try names() == ["linked"])
        // Until here the file is open: it is not its end that removes the name.
        let isInPlace = file.isInPlace
        #expect(!isInPlace)
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
        do { _ = try file.appear(holding: Self.whole.span) } catch let failure { error = failure.cause }
        #expect(error == .cannotCreate(path: path("f"), reason: "No such file or directory"))
        file.discard()
        #expect(try names() == ["f", "taken"])
    }

    @Test(
        "it takes the place of the file that was looked at, and of no other; what it would have replaced stays",
        arguments: ["another", "written", "hidden", "link", "folder"])
    func exchanged(_ arrival: String) throws {
        try write("old", to: "f")
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Self.new.span)
        try file.prepare()
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path("f"))
        let old = try FolderEntry(path("f")).look()?.state
        if !["written", "hidden"].contains(arrival) { try FileManager.default.removeItem(atPath: path("f")) }
        switch arrival {
        case "link": try FileManager.default.createSymbolicLink(atPath: path("f"), withDestinationPath: "x")
        case "folder":
            try FileManager.default.createDirectory(atPath: path("f"), withIntermediateDirectories: false)
        case "hidden":
            try write("odd", to: "f")
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path("f"))
            #expect(try FolderEntry(path("f")).look()?.state == old)
        default: try write("late", to: "f")
        }
        let arrived = try FolderEntry(path("f")).look()?.state
        var error: FileError?
        do { _ = try file.appear(holding: Self.new.span, inPlaceOf: Array("old".utf8)) } catch let failure {
            error = failure.cause
        }
        #expect(error == .cannotCreate(path: path("f"), reason: "Somebody else changed it meanwhile"))
        file.discard()
        #expect(try names() == ["f"] && FolderEntry(path("f")).look()?.state == arrived)
    }

    @Test("what lies under its temporary name by then is not taken for it", arguments: [true, false])
    func swapped(_ replaces: Bool) throws {
        if replaces { try write("old", to: "f") }
        let file = try SafeFile(FolderEntry(path("f")), replacing: replaces)
        try file.write(Array("new".utf8).span)
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        try write("theirs", to: "swapped")
        #expect(unsafe rename(path("swapped"), path(temporary)) == 0)
        var error: FileError?
        do throws(FileError) { try file.commit() } catch let failure { error = failure }
        #expect(error == .cannotCreate(path: path("f"), reason: "Somebody else put another file there"))
    }

    @Test("it is in its place, though somebody took away what came out of it")
    func takenOut() throws {
        try write("old", to: "f")
        let old = Array("old".utf8)
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("new".utf8).span)
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        // As after the exchange, and the theft.
        try FileManager.default.moveItem(atPath: path("f"), toPath: path("taken"))
        try FileManager.default.moveItem(atPath: path(temporary), toPath: path("f"))
        try file.checkExchanged(old, Self.new.span)
        #expect(try names() == ["f", "taken"])
        #expect(try String(contentsOf: folder.appending(path: "f"), encoding: .utf8) == "new")
    }

    @Test(
        "if something newer came while a late arrival was taken out, the newer one is in the place at the end"
    )
    func arrivedTwice() throws {
        try write("old", to: "f")
        let old = Array("old".utf8)
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("new".utf8).span)
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        // As after the exchange took out the first, and the second replaced the new file.
        try FileManager.default.removeItem(atPath: path(temporary))
        try write("first", to: temporary)
        try write("second", to: "s")
        #expect(unsafe rename(path("s"), path("f")) == 0)
        var failure: SafeFile.Unappeared?
        do { try file.checkExchanged(old, Self.new.span) } catch let error { failure = error }
        #expect(failure?.fate == .overtaken)
        #expect(
            failure?.cause.message.hasSuffix(", and the file that was there is now called \(path(temporary))")
                == true)
        #expect(try String(contentsOf: folder.appending(path: temporary), encoding: .utf8) == "first")
        #expect(try String(contentsOf: folder.appending(path: "f"), encoding: .utf8) == "second")
    }

    @Test("a file that somebody linked into its place is there, whatever the exchange of the two names says")
    func linked() throws {
        try write("old", to: "f")
        let old = Array("old".utf8)
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("new".utf8).span)
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        // The system exchanges two names of one file without an error, and nothing changes.
        try FileManager.default.removeItem(atPath: path("f"))
        try FileManager.default.linkItem(atPath: path(temporary), toPath: path("f"))
        var fate: SafeFile.Fate?
        do { try file.checkExchanged(old, Self.new.span) } catch let failure { fate = failure.fate }
        #expect(fate == .overtaken)
        #expect(try String(contentsOf: folder.appending(path: "f"), encoding: .utf8) == "new")
    }

    @Test("nothing is left of the file whose place it took")
    func replaced() throws {
        try write("old", to: "f")
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Array("new".utf8).span)
        try file.prepare()
        let state = try file.appear(holding: Self.new.span, inPlaceOf: Array("old".utf8))
        #expect(try FolderEntry(path("f")).look()?.state == state && names() == ["f"])
        #expect(try String(contentsOf: folder.appending(path: "f"), encoding: .utf8) == "new")
    }

    @Test(
        "that belongs to a change is there at the end of it only as it was written",
        arguments: ["", "emptied", "written", "copied", "taken"])
    func belonging(_ theft: String) throws {
        let file = try SafeFile(path("f"), replacing: false)
        let loss = try file.commit(whole: Self.whole.span) {
            switch theft {
            case "emptied": #expect(unsafe truncate(path("f"), 0) == 0)
            case "written":
                let handle = try FileHandle(forWritingTo: folder.appending(path: "f"))
                try handle.write(contentsOf: Data("other".utf8))
            case "copied":
                try write("whole", to: "copy")
                #expect(unsafe rename(path("copy"), path("f")) == 0)
            case "taken": try FileManager.default.removeItem(atPath: path("f"))
            default: break
            }
        }
        #expect((loss == nil) == theft.isEmpty)
    }

    @Test("one whose folder is moved does not appear there, and is not there at the end of its change")
    func movedFolder() throws {
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        let moved = FileError.cannotCreate(path: path("sub/f"), reason: "Its folder was moved or exchanged")
        let early = try SafeFile(path("sub/f"), replacing: false)
        try FileManager.default.moveItem(atPath: path("sub"), toPath: path("moved"))
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        var error: FileError?
        do { try early.commit(whole: Self.whole.span) } catch let failure { error = failure }
        #expect(error == moved)
        #expect(try names(in: "sub") == [] && names(in: "moved") == [])
        try write("former", to: "sub/f")
        let replacing = try SafeFile(path("sub/f"), replacing: true)
        try FileManager.default.moveItem(atPath: path("sub"), toPath: path("moved-with-it"))
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        do { try replacing.commit(whole: Self.whole.span) } catch let failure { error = failure }
        #expect(error == moved)
        // Both would be gone otherwise.
        #expect(try String(contentsOf: folder.appending(path: "moved-with-it/f"), encoding: .utf8) == "whole")
        let late = try SafeFile(path("sub/f"), replacing: false)
        let loss = try late.commit(whole: Self.whole.span) {
            try FileManager.default.moveItem(atPath: path("sub"), toPath: path("moved again"))
        }
        #expect(loss != nil)
    }

    @Test("no other output of the run meets it in its folder, whatever the two paths mean meanwhile")
    func met() throws {
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        let file = try SafeFile(path("sub/f"), replacing: false)
        let files = file.replaced
        try FileManager.default.moveItem(atPath: path("sub"), toPath: path("real"))
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: path("other"), withDestinationPath: path("real"))
        #expect(throws: FileError.isInput(path: path("other/f"))) {
            let met = try SafeFile(path("other/f"), replacing: true, inputs: files)
            met.discard()
        }
        try file.write(Self.whole.span)
    }

    @Test("a relative name means a file in the folder that was the working one at first")
    func movedWorkingFolder() async throws {
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        await #expect(processExitsWith: .success) {
            [sub = path("sub") as String, moved = path("moved") as String] in
            #expect(FileManager.default.changeCurrentDirectoryPath(sub))
            let late = try SafeFile("f", replacing: false)
            let loss = try late.commit(whole: Array("whole".utf8).span) {
                try FileManager.default.moveItem(atPath: sub, toPath: moved)
                try FileManager.default.createDirectory(atPath: sub, withIntermediateDirectories: false)
            }
            #expect(loss != nil)
        }
    }

    @Test("a signal removes the temporary file from a folder that has another name by then")
    func signalledAfterMove() async throws {
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            [sub = path("sub") as String, moved = path("moved") as String] in
            ProcessLimits.installSignals()
            let file = try SafeFile("\(sub)/f", replacing: false)
            try file.write(Array("secret".utf8).span)
            try FileManager.default.moveItem(atPath: sub, toPath: moved)
            _ = raise(SIGTERM)
            try file.commit()
        }
        #expect(try names(in: "moved") == [])
    }

    private func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name))
    }

    @Test("a signal waits for the end of a change, and of the one around it")
    func unbroken() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            [path = path("f") as String] in
            ProcessLimits.installSignals()
            try Unbroken.change {
                Unbroken.change { _ = raise(SIGTERM) }
                try Data("whole".utf8).write(to: URL(filePath: path))
            }
            try Data("after".utf8).write(to: URL(filePath: path))
        }
        #expect(try String(contentsOf: folder.appending(path: "f"), encoding: .utf8) == "whole")
    }

    @Test("a signal does not come between a change and the error that says it was made")
    func told() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            ProcessLimits.installSignals()
            do {
                try Unbroken.lasting {
                    Unbroken.change {}
                    throw CancellationError()
                }
            } catch {
                _ = raise(SIGTERM)
                exit(7)
            }
        }
    }

    @Test("a signal ends the program after an error before which nothing was changed")
    func unchanged() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            ProcessLimits.installSignals()
            do { try Unbroken.lasting { throw CancellationError() } } catch {
                _ = raise(SIGTERM)
                exit(7)
            }
        }
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }
}
