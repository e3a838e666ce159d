import CloserFiles
import Foundation
import Synchronization
import Testing

@Suite("What is written as it comes is no file")
struct DirectOutputTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path() }

    private func content(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    private func write(_ text: String, to name: String) throws {
        let file = try SafeFile(path(name), replacing: false)
        try file.write(Array(text.utf8).span)
        try file.commit()
    }

    /// Has a link lead to each of two targets in turn, without pause, as long as this lives.
    private final class Exchange: Sendable {
        private let isOver = Atomic(false)

        func start(_ link: String, _ targets: [String]) {
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed) {
                    for target in targets {
                        unsafe symlink(target, "\(link).next")
                        unsafe rename("\(link).next", link)
                    }
                }
            }
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    @Test("a link that leads to a device, and a moment later to a file, has no byte of the file written")
    func exchanged() throws {
        try Data("precious".utf8).write(to: folder.appending(path: "file"))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "/dev/null")
        let exchange = Exchange()
        exchange.start(path("link"), ["/dev/null", path("file")])
        defer { exchange.end() }
        var (asLink, asFile) = (0, 0)
        while asLink < 2000 || asFile < 2000 {
            do {
                try write("stolen", to: "link")
                Issue.record("a link was followed")
            } catch FileError.exists {
                asFile += 1
            } catch FileError.cannotCreate(_, let reason) {
                asLink += reason == "Is a link to what is no file" ? 1 : 0
            }
        }
        #expect(try content("file") == "precious")
    }

    @Test("a folder is no output")
    func noFolder() throws {
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
        #expect(throws: FileError.cannotCreate(path: path("folder"), reason: "Is a directory")) {
            try write("x", to: "folder")
        }
    }
}
