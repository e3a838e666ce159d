import Foundation
import TestSupport
import Testing

@Suite("A vault is destroyed")
struct DestroyTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys device init --vault b.db --user alice --key-file b.key
            closer-keys device init --vault c.db --user alice --key-file b.key
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: program.folder.appending(path: name).path())
    }

    @Test(
        "vault, key file and memory are gone, and without --yes nothing is",
        .proves("device destroy removes the vault, its key file and what this machine remembers of it"))
    func destroyed() throws {
        #expect(try program("device destroy --vault a.db").exit == 7)
        #expect(isThere("a.db") && isThere("a.key"))
        let run = try program("device destroy --vault a.db --yes")
        #expect(
            run.exit == 0 && run.text.contains("a.db\nremoved ") && run.text.hasSuffix("a.key\n"),
            "\(run.errors)")
        #expect(!isThere("a.db") && !isThere("a.key"))
        #expect(try !program("device list").text.contains("a.db"))
        #expect(try program("device destroy --vault a.db --yes").exit == 66)
    }

    @Test("a key file that another vault has, too, stays")
    func shared() throws {
        #expect(try program("device destroy --vault b.db --yes").exit == 0)
        #expect(!isThere("b.db") && isThere("b.key"))
        #expect(try program("device show --vault c.db").exit == 0)
        #expect(try program("device destroy --vault c.db --yes").exit == 0)
        #expect(!isThere("b.key"))
    }
}
