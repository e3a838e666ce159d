import Foundation
import Testing

@testable import CloserFiles

@Suite("The names in a folder")
struct FolderTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "closer-folder-\(UUID())")
        .path()

    init() throws { for name in ["b", "a"] { try Folder.make("\(path)/\(name)") } }

    @Test("are sorted; a folder that is not there has none")
    func names() throws {
        #expect(try Folder.names(in: path) == ["a", "b"])
        #expect(try Folder.names(in: "\(path)/none") == [])
    }

    @Test("an error before the end is an error, and not the end")
    func failure() throws {
        let folder = try unsafe #require(opendir(path))
        defer { unsafe closedir(folder) }
        var isFirst = true
        var error: FileError?
        do throws(FileError) {
            _ = try unsafe Folder.names(in: path) {
                defer { isFirst = false }
                if isFirst { return unsafe readdir(folder) }
                errno = EIO
                return nil
            }
        } catch let failure { error = failure }
        #expect(error == .cannotOpen(path: path, reason: "Input/output error"))
    }
}
