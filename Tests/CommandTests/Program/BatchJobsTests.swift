import CloserWire
import Foundation
import TestSupport
import Testing

/// What `--jobs` promises (closer-keys(1)): the same lines in the same order, whoever did them.
@Suite("Many records in several threads")
struct BatchJobsTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(TestData.golden.hex("coupleKeyset.binaryHex")), to: "k")
        try program.write(Data("\(TestData.golden.text("field.token"))\n".utf8), to: "token")
    }

    private static let names = """
        field() { closer-keys field "$1" --keyset-file k --couple couple_1 --jsonl "${@:2}"; }

        """

    private func script(_ text: String) throws -> ClosingProgram.Run {
        try program.script(Self.names + text)
    }

    @Test(
        "however many threads: the same lines open to the same bytes, in order, and no nonce is there twice")
    func sameBytes() throws {
        let count = Effort.count(3000, full: 30_000)
        let run = try script(
            """
            seq \(count) | sed 's/.*/{"id":&,"plaintext":"note &, so many that there are several blocks"}/' > lines
            field seal --jobs 4 lines > sealed; field seal --jobs 1 lines > sealed.1
            for jobs in 1 2 4 9; do field open --jobs $jobs sealed | cmp - lines; done
            field open --jobs 4 sealed.1 | cmp - lines; field open sealed | cmp - lines
            cat sealed sealed.1 | jq -r .token | cut -d : -f 3 | base64 -d --wrap=0 > boxes
            """)
        #expect(run.exit == 0, "\(run.text)\(run.errors)")
        let text = String(decoding: try program.content("sealed"), as: UTF8.self)
        let tokens = try text.split(separator: "\n").map {
            try #require(JSONValue(parsing: Array($0.utf8))["token"]?.string)
        }
        // Behind the prefix of 5 bytes there are 12 of nonce.
        let nonces = Set(try tokens.map { try Base64.standard.decode(String($0.dropFirst(7)))[5..<17] })
        #expect(tokens.count == count && nonces.count == count)
    }

    @Test("a line that fails has its own number, whichever thread it came to, and the rest goes on")
    func numbers() throws {
        let run = try script(
            """
            awk '{ for (i = 1; i <= 3600; i++) print i % 400 ? $0 : "bad" }' token > lines
            for jobs in 1 4; do
                code=0; field open --jobs $jobs lines > out.$jobs 2> errors || code=$?
                echo "$code $(cat errors)"
            done
            cmp out.1 out.4
            grep -c '^{"plaintext":"' out.4
            jq -r 'select(.error) | .line' out.4
            """)
        let failed = "9 closer-keys: error: 9 of 3600 lines failed"
        let lines = (1...9).map { "\($0 * 400)" }
        #expect(
            run.text.split(separator: "\n").map(String.init) == [failed, failed, "3591"] + lines,
            "\(run.errors)")
    }

    @Test("after many lines at once, a program that writes a line gets its line before it writes the next")
    func coprocess() throws {
        let run = try script(
            """
            awk '{ for (i = 0; i < 3000; i++) print }' token > many
            coproc closer-keys field open --keyset-file k --couple couple_1 --jsonl --jobs 4
            pid=$COPROC_PID
            exec 7>&${COPROC[1]} 8<&${COPROC[0]}; eval "exec ${COPROC[1]}>&-"
            cat many >&7 & head -n 3000 <&8 | wc -l
            for line in x "$(cat token)"; do
                printf '%s\\n' "$line" >&7
                read -t 30 -r answer <&8; printf '%s\\n' "${answer::19}"
            done
            exec 7>&-
            set +e; wait $pid; echo "exit $?"
            """)
        #expect(
            run.text == """
                3000
                {"line":3001,"error
                {"plaintext":"hello
                exit 9

                """, "\(run.errors)")
    }

    @Test("a reader that goes away ends it, also while another thread waits for lines that never come")
    func brokenPipe() throws {
        let run = try script(
            """
            awk '{ for (i = 0; i < 20000; i++) print }' token > lines
            mkfifo pipe; exec 9<> pipe
            (set +e; closer-keys field open --keyset-file k --couple couple_1 --jsonl --jobs 4 pipe; echo $? > code) |
                head -n 1 | wc -l & ended=$!
            cat lines >&9 & cat=$!; disown $cat
            for _ in {1..200}; do kill -0 $ended 2> /dev/null || break; sleep 0.1; done
            # The signals of whoever started us may be blocked: only this one is not.
            kill -KILL $cat 2> /dev/null || true
            for _ in {1..200}; do [ -s code ] && break; sleep 0.1; done
            cat code
            """)
        #expect((run.text, run.errors) == ("1\n141\n", ""))
    }

    @Test(
        "a signal that ends it leaves whole lines only, and a reader that takes nothing does not keep it",
        arguments: Effort.some(of: [("TERM", 143), ("HUP", 129)], everyOther: 2),
        Effort.some(of: [4, 1], everyOther: 2))
    func wholeLines(_ signal: (name: String, code: Int), _ jobs: Int) throws {
        let run = try script(
            """
            awk '{ for (i = 0; i < 5000; i++) print }' token > lines
            mkfifo pipe; exec 9<> pipe
            for reads in yes no; do
                closer-keys field open --keyset-file k --couple couple_1 --jsonl --jobs \(jobs) lines > pipe & pid=$!
                # By then the pipe is full, and a write is under way.
                sleep 1; kill -\(signal.name) $pid
                if [ $reads = yes ]; then
                    for _ in {1..10}; do dd bs=1M iflag=nonblock <&9 >> out.yes 2> /dev/null || true; sleep 0.1; done
                fi
                code=0; wait $pid || code=$?; echo $code
            done
            tail -c 1 out.yes | od -An -tx1; grep -vc '^{"plaintext":".*"}$' out.yes || true
            """)
        #expect(run.text == "\(signal.code)\n\(signal.code)\n 0a\n0\n", "\(run.errors)")
    }

    @Test(
        "a number of threads needs lines, and is one",
        arguments: ["--jobs 2", "--jsonl --jobs 0", "--jsonl --jobs 257"])
    func usage(_ options: String) throws {
        let run = try program("field open --keyset-file k --couple couple_1 \(options)", input: "x")
        #expect((run.exit, run.text) == (64, ""))
        #expect(run.errors.contains("--jobs"))
    }
}
