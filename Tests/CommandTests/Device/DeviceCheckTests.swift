import Foundation
import Testing

@Suite("device check")
struct DeviceCheckTests {
    @Test("opens all of a vault, or of an export, says what is in it, and changes nothing")
    func checked() throws {
        let program = try ClosingProgram()
        try program.write(Data("three words more".utf8), to: "pass")
        let made = try program.script(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys couple create --vault a.db --couple c --phrase-file p -o invite
            closer-keys device export --vault a.db --export-passphrase-file pass -o export
            """)
        try #require(made.exit == 0, "\(made.errors)")
        let vault = try program.content("a.db")
        let expected = "userId: alice\ncouples: 1\npartners: 0\nanswers: 0\nchanges: 3\nwhole: true\n"
        #expect(try program("device check --vault a.db").text == expected)
        #expect(try program("device check export --export-passphrase-file pass").text == expected)
        #expect(try program.content("a.db") == vault)
        for (file, exit) in [("a.db --vault none.db", Int32(64)), ("pass", 5), ("none", 66)] {
            #expect(try program("device check \(file) --export-passphrase-file pass").exit == exit, "\(file)")
        }
    }
}
