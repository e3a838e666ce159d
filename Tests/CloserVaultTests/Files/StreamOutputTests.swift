import CloserTink
import CloserVault
import Foundation
import TestSupport
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
        try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("null"), withDestinationPath: "/dev/null")
        for (name, reason) in [
            ("fifo", "is not a regular file"), ("null", "is not a regular file"),
            ("", "is not a regular file"),
            ("loop", "Too many levels of symbolic links"),
        ] {
            let output = folder.path(name)
            #expect(throws: FileStreamError.cannotWrite(path: output, reason: reason)) {
                try OwnThread {
                    try aead.seal(fileAt: plain, to: output, associatedData: [], replacing: true)
                }.result()
            }
        }
        let names = try folder.names()
        #expect(names == ["fifo", "loop", "null", "plain", "sealed"])
    }
}
