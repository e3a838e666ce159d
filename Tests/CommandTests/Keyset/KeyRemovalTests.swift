import TestSupport
import Testing

@Suite("A key that a person removes")
struct KeyRemovalTests {
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram() }

    @Test("a key is removed in place only after a yes", arguments: [("yes", Int32(0)), ("y", 7)])
    func removal(_ answer: String, _ exit: Int32) throws {
        let ids = try program.lines(
            """
            closer-keys keyset new --type aes256-gcm -o k; closer-keys keyset rotate --in-place k
            closer-keys keyset list k | cut -d ' ' -f 1
            """)
        let question = "what only key \(ids[0]) opens is lost: remove it from k? type yes: "
        let run = try program.sit(
            "keyset set removed k --in-place --key-id \(ids[0])", typing: [(question, "\(answer)\n")])
        #expect(run.exit == exit, "\(run.errors)")
        #expect(try program.lines("closer-keys keyset list k").count == (exit == 0 ? 1 : 2))
        let unseen = try program.sit(
            "keyset set removed k --in-place --key-id \(ids[0])", hasTerminal: false)
        #expect(exit == 0 || unseen.exit == 7 && unseen.errors.hasSuffix("hint: use --yes\n"))
    }
}
