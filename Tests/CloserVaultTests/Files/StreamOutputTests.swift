import CloserTink
import CloserVault
import Foundation
import Testing

@Suite("The file that a stream is sealed into")
struct StreamOutputTests {
    private let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("is a file, or is not there yet: anything else is refused, and not waited for")
    func refused() throws {
        let aead = try StreamingAEAD(Keyset(.streaming(.oneMiB)))
        let plain = folder.path("plain")
        try Data("text".utf8).write(to: URL(filePath: plain))
        try aead.seal(fileAt: plain, to: folder.path("sealed"), associatedData: [])
        #expect(unsafe mkfifo(folder.path("fifo"), 0o600) == 0)
        for (name, target) in [("loop", "loop"), ("nowhere", "none")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: target)
        }
        for (name, reason) in [
            ("fifo", "is not a regular file"), ("nowhere", "is not a regular file"),
            ("loop", "Too many levels of symbolic links"),
        ] {
            #expect(throws: FileStreamError.cannotWrite(path: folder.path(name), reason: reason)) {
                try aead.seal(fileAt: plain, to: folder.path(name), associatedData: [], replacing: true)
            }
        }
    }
}
