import Foundation
import Testing

@Suite("x25519: terminals", .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
struct X25519CommandTests {
    private let program: ClosingProgram

    init() async throws { program = try await ClosingProgram(after: Script(named: "X25519/x25519")) }

    @Test("a terminal gets no private key and no derived one")
    func secrets() throws {
        let run = try program.script(
            """
            for line in new "agree --peer-key $bob" "agree --peer-key $bob --format binary" public; do
                [ "$line" = new ] || line="$line --private-key-file alice.x25519"
                script -qec "closer-keys x25519 $line" /dev/null < /dev/null > shown && grep -c "$alice" shown || echo $?
            done
            """)
        #expect(run.text == "7\n7\n7\n1\n", "\(run.text)")
    }

    @Test("on a terminal each line of a code says its own colours, unless colours are not wanted")
    func colours() throws {
        let run = try program.script(
            """
            words="x25519 safety-number --private-key-file alice.x25519 --user alice --partner bob --peer-key $bob --qr"
            shown() { script -qec "closer-keys $words" /dev/null < /dev/null | tr -d '\\r'; }
            unset NO_COLOR; export TERM=xterm
            shown > coloured; NO_COLOR=1 shown > plain; TERM=dumb shown > dumb
            closer-keys $words > piped; cmp plain piped; cmp dumb piped
            { head -n -1 piped | sed $'s/.*/\\e[40;97m&\\e[0m/'; tail -n 1 piped; } | cmp - coloured
            """)
        #expect(run.exit == 0, "\(run.text.debugDescription)\(run.errors.debugDescription)")
    }
}
