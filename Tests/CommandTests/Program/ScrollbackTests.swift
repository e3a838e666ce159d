import Foundation
import Testing

/// What tmux keeps to be scrolled back to. It keeps a screen that is cleared with one command.
@Suite("In a terminal multiplexer")
struct ScrollbackTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try #require(try program("device init --vault a.db --user alice --key-file a.key").exit == 0)
    }

    /// Runs a command in a window of tmux, presses a key once Enter is asked for, and gives all that was to be seen before and after that.
    private func sit(
        _ command: String, width: Int, pressing key: String
    ) throws -> (shown: String, left: String) {
        let run = try program.script(
            """
            t() { tmux -S ./tmux -f /dev/null "$@"; }
            until_seen() {
                for _ in $(seq 500); do
                    t capture-pane -p -J -S - -t 0 > seen
                    grep -q "$1" seen && return
                    sleep 0.05
                done
                cat seen >&2
                exit 1
            }
            trap 't kill-server' EXIT
            t new-session -d -x \(width) -y 20 "echo above; closer-keys \(command) 2> errors; echo code=\\$?; cat"
            until_seen 'press Enter'
            cp seen shown
            t send-keys -t 0 \(key)
            until_seen 'code='
            """)
        try #require(run.exit == 0, "\(run.errors)")
        let texts = try ["shown", "seen"].map { String(decoding: try program.content($0), as: UTF8.self) }
        return (texts[0], texts[1])
    }

    @Test(
        "a phrase is gone after Enter or control-c, and what was above it stays",
        arguments: [80, 26], ["Enter", "C-c"])
    func phrase(_ width: Int, _ key: String) throws {
        let (shown, left) = try sit("couple create --vault a.db --couple c -o i", width: width, pressing: key)
        #expect(shown.contains("recovery phrase, shown this once:") && shown.contains("press Enter"))
        #expect(
            left.split(whereSeparator: \.isNewline) == ["above", key == "C-c" ? "code=130" : "code=0"],
            "\(left)")
    }

    @Test("a pairing code is gone", arguments: ["Enter", "C-c"])
    func code(_ key: String) throws {
        let (shown, left) = try sit(
            "pair invite --vault a.db --couple c --phrase-file p -o o", width: 30, pressing: key)
        #expect(shown.contains(/[0-9A-Z]{6}-[0-9A-Z]{6}/))
        #expect(
            left.split(whereSeparator: \.isNewline) == ["above", key == "C-c" ? "code=130" : "code=0"],
            "\(left)")
    }
}
