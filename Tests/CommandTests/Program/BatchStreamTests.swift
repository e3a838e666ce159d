import Foundation
import TestSupport
import Testing

/// What can be observed while a batch runs: its memory, a reader that waits, terminals, interrupts.
@Suite("Many records while they are sealed and opened")
struct BatchStreamTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
        try program.write(Data(TestData.golden.hex("userKey.privateKeysetHex")), to: "user.keyset")
        try program.write(Data("\(TestData.golden.text("field.token"))\n".utf8), to: "token")
    }

    private func script(_ text: String) throws -> ClosingProgram.Run {
        try program.script(
            """
            field() { closer-keys field "$1" --keyset-file k --couple couple_1 --jsonl "${@:2}"; }
            repeated() { awk -v count="$1" '{ for (i = 0; i < count; i++) print }' token; }

            """ + text)
    }

    @Test(
        "memory is the same for 10,000 lines and for many times as many",
        .proves("Files and batches of any length take constant memory"),
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
        arguments: [("seal", #""plaintext":"note""#), ("open", #""token":"'"$(cat token)"'""#)])
    func memory(_ verb: String, _ member: String) throws {
        let most = Effort.count(100_000, full: 400_000)
        let run = try script(
            """
            mkfifo pipe
            for count in 10000 \(most); do
                seq -f '{"id":%.0f,\(member)}' $count > lines
                closer-keys field \(verb) --keyset-file k --couple couple_1 --jsonl pipe -o out --force & pid=$!
                exec 9> pipe; cat lines >&9
                awk '/VmHWM/ { print $2 }' /proc/$pid/status
                exec 9>&-; wait $pid
                wc -l < out
            done
            """)
        #expect(run.exit == 0, "\(run.errors)")
        let numbers = run.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 4)
        #expect(numbers[1] == 10000 && numbers[3] == most)
        // If 30 bytes stayed of each line, there would be 2.7 MB more. The allocator and the system are not exact to a megabyte.
        #expect(abs(numbers[2] - numbers[0]) <= 2400, "\(numbers) KiB")
    }

    @Test("a program that writes a line gets its line before it writes the next")
    func coprocess() throws {
        let run = try script(
            """
            coproc closer-keys field open --keyset-file k --couple couple_1 --jsonl
            pid=$COPROC_PID
            for line in "$(cat token)" x "$(cat token)"; do
                printf '%s\\n' "$line" >&${COPROC[1]}
                read -t 30 -r answer <&${COPROC[0]}; printf '%s\\n' "${answer::19}"
            done
            eval "exec ${COPROC[1]}>&-"
            set +e; wait $pid; echo "exit $?"
            """)
        #expect(
            run.text == """
                {"plaintext":"hello
                {"line":2,"error":{
                {"plaintext":"hello
                exit 9

                """, "\(run.errors)")
    }

    @Test(
        "a file is not there before its last line is, and not at all after an interrupt",
        .proves(
            "`-o` writes a file whole or leaves it alone, with mode 0600, and replaces only with `--force`"))
    func interrupted() throws {
        let run = try script(
            """
            mkfifo pipe
            closer-keys field open --keyset-file k --couple couple_1 --jsonl pipe -o out & pid=$!
            exec 9> pipe; repeated 5000 >&9
            test ! -e out; kill -TERM $pid
            set +e; wait $pid; echo $?; ls -A | grep -e '^out$' -e tmp || true
            """)
        #expect(run.text == "143\n", "\(run.errors)")
    }

    @Test("a reader that goes away ends it with 141, and without a word")
    func brokenPipe() throws {
        let run = try script(
            """
            repeated 20000 > lines
            set +eo pipefail
            field open lines | head -n 1; echo ${PIPESTATUS[0]}
            """)
        #expect(run.text.hasSuffix("\n141\n") && run.errors.isEmpty, "\(run.errors)")
    }

    @Test(
        "a terminal gets lines, and what boxes hold only if that was asked for",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func terminal() throws {
        let run = try script(
            """
            echo '{"plaintext":"hunter2"}' > plain
            closer-keys keybox seal --to \(TestData.golden.text("userKey.publicToken")) --context c --jsonl plain > boxes
            on_terminal() { script -qec "$1; echo exit \\$?" /dev/null < /dev/null | tr -d '\\r'; }
            open='closer-keys keybox open --keyset-file user.keyset --context c --jsonl boxes'
            on_terminal 'closer-keys field open --keyset-file k --couple couple_1 --jsonl token'
            on_terminal "$open" > refused; on_terminal "$open -o -"; on_terminal "$open -o opened"; cat opened
            """)
        #expect(
            run.text == """
                {"plaintext":"\(TestData.golden.text("field.plaintext"))"}
                exit 0
                {"plaintext":"hunter2"}
                exit 0
                exit 0
                {"plaintext":"hunter2"}

                """, "\(run.errors)")
        let refused = String(decoding: try program.content("refused"), as: UTF8.self)
        #expect(refused.hasSuffix("exit 7\n") && !refused.contains("hunter2"))
    }
}
