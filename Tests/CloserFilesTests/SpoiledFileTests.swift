import Foundation
import TestSupport
import Testing

@testable import CloserFiles

/// Somebody else writes into the temporary file, or into the file at the moment when it appears.
@Suite("A file into which somebody else writes before it is there")
struct SpoiledFileTests {
    /// More than is compared at once.
    private static let whole = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: name)))
    }

    private var error: FileError {
        .writeFailed(path: path("f"), reason: "Somebody else wrote into the new file")
    }

    static let acts = ["emptied", "cut", "longer", "first", "last"]

    /// What somebody does who can write the file.
    private func spoil(_ name: String, _ act: String) throws {
        let handle = try FileHandle(forWritingTo: folder.appending(path: name))
        let count = try handle.seekToEnd()
        switch act {
        case "emptied": try handle.truncate(atOffset: 0)
        case "cut": try handle.truncate(atOffset: count - 1)
        case "longer": try handle.write(contentsOf: [0])
        case "first", "last":
            try handle.seek(toOffset: act == "first" ? 0 : count - 1)
            try handle.write(contentsOf: [0xff])
        default: break
        }
    }

    /// Writes a file, has somebody write into its temporary file, and gives what becomes of it.
    private func appearing(
        replacing replaces: Bool, after act: String
    ) throws -> SafeFile.Unappeared? {
        let file = try SafeFile(FolderEntry(path("f")), replacing: replaces)
        try file.write(Self.whole.span)
        try file.prepare()
        try spoil(#require(names().first { $0.hasSuffix(".tmp") }), act)
        let old = replaces ? try bytes("f") : nil
        do { _ = try file.appear(holding: Self.whole.span, inPlaceOf: old) } catch {
            file.discard()
            return error
        }
        return nil
    }

    @Test("it does not take the place of another one, which stays; nor does it appear", arguments: acts)
    func early(_ act: String) throws {
        let never = SafeFile.Unappeared(cause: error, fate: .never)
        #expect(try appearing(replacing: false, after: act) == never)
        #expect(try names() == [])
        try Data("old".utf8).write(to: folder.appending(path: "f"))
        #expect(try appearing(replacing: true, after: act) == never)
        #expect(try names() == ["f"] && bytes("f") == Array("old".utf8))
        #expect(try appearing(replacing: true, after: "") == nil)
        #expect(try names() == ["f"] && bytes("f") == Self.whole)
    }

    /// The files as they are right after the exchange, then `act`; gives what becomes of them.
    private func exchanging(_ act: () throws -> Void) throws -> SafeFile.Fate? {
        try Data("old".utf8).write(to: folder.appending(path: "f"))
        let old = try bytes("f")
        let file = try SafeFile(FolderEntry(path("f")), replacing: true)
        try file.write(Self.whole.span)
        let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
        for (from, to) in [("f", "between"), (temporary, "f"), ("between", temporary)] {
            #expect(unsafe rename(path(from), path(to)) == 0)
        }
        try act()
        do { try file.checkExchanged(old, Self.whole.span) } catch {
            file.discard()
            return error.fate
        }
        return nil
    }

    @Test("if it is in the place already, what it had replaced comes back", arguments: acts)
    func exchanged(_ act: String) throws {
        #expect(try exchanging { try spoil("f", act) } == .takenBack)
        #expect(try names() == ["f"] && bytes("f") == Array("old".utf8))
        #expect(try exchanging {} == nil)
        #expect(try names() == ["f"] && bytes("f") == Self.whole)
    }

    @Test("if what it had replaced was taken away, nothing can come back")
    func taken() throws {
        let fate = try exchanging {
            try spoil("f", "emptied")
            let temporary = try #require(try names().first { $0.hasSuffix(".tmp") })
            try FileManager.default.moveItem(atPath: path(temporary), toPath: path("taken"))
        }
        #expect(try fate == .overtaken && names() == ["f", "taken"])
    }

    @Test(
        "a stream ends with an error, at its next part or at its end",
        arguments: acts, [true, false])
    func stream(_ act: String, _ hasMore: Bool) throws {
        let file = try SafeFile(path("f"), replacing: false)
        try file.write(Self.whole.span)
        try spoil(#require(names().first { $0.hasSuffix(".tmp") }), act)
        var failure: FileError?
        do throws(FileError) {
            if hasMore { try file.write(Self.whole.span) }
            try file.commit()
        } catch { failure = error }
        #expect(try failure == error && names() == [])
    }

    @Test("it does not appear, however fast they are", arguments: Spoiler.Act.allCases, [true, false])
    func raced(_ act: Spoiler.Act, _ isWhole: Bool) throws {
        let spoiler = Spoiler(in: folder.path(), act)
        var (there, failures): ([String], [FileError]) = ([], [])
        spoiler.lurking {
            for number in 0..<200 where failures.count < 20 {
                do throws(FileError) {
                    let file = try SafeFile(path("\(number)"), replacing: number % 2 == 0)
                    if isWhole {
                        try file.commit(whole: Self.whole.span)
                    } else {
                        try file.write(Self.whole.span)
                        try file.commit()
                    }
                    there.append("\(number)")
                } catch { failures.append(error) }
            }
        }
        #expect(!failures.isEmpty)
        for failure in failures {
            #expect(failure.reason == "Somebody else wrote into the new file", "\(failure)")
        }
        #expect(try names() == there.sorted())
        // In the moment between the last write and the look at the time that it gave, a stream can be written over.
        guard isWhole || act == .empties else { return }
        for name in there { #expect(!spoiler.hasSpoiled(path(name)), "\(name)") }
    }
}
