import Foundation
import TestSupport
import Testing

/// A long `field` run and a rekey: the couple's key is another one while lines, or a text, are still to come.
@Suite(
    "A run that waits for its input while the couple gets another key",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
struct RenewedKeyTests {
    private let scene: CoupleScene

    init() async throws {
        scene = try await CoupleScene()
        try scene.lines(
            """
            digits=$(couple verify a --partner bob --partner-key "$(cat b.pub)")
            couple verify a --partner bob --partner-key "$(cat b.pub)" --digits "$digits"
            """)
    }

    /// Starts a command that reads a FIFO with a vault of Alice's, and waits until it has read the key.
    private static let start = """
        mkfifo in; exec 7<>in
        begin() {
            closer-keys field "$@" --vault "${vault:-a.db}" --couple couple_1 <in >out 2>told 7>&- & running=$!
            asleep=0
            until [ $asleep = 20 ]; do
                [ "$(sed 's/.*) //; s/ .*//' /proc/$running/stat)" = S ] && asleep=$((asleep + 1)) || asleep=0
                sleep 0.02
            done
        }
        finish() { exec 7>&-; wait $running; }
        primary() { couple show a --json | jq '.keys[] | select(.primary).keyId'; }
        key() { closer-keys inspect --json - | jq .keyId; }
        rekey() { couple rekey a --partner bob --phrase-file new -o rekey 2>errors; }

        """

    @Test("a batch seals under the new key from then on, and says so")
    func batch() throws {
        let lines = try scene.lines(
            Self.start + """
                before=$(primary)
                begin seal --jsonl; echo '{"plaintext":"one"}' >&7
                until [ -s out ]; do sleep 0.05; done
                rekey
                echo '{"plaintext":"two"}' >&7; finish
                for token in $(jq -r .token out); do echo "$token" | key; done
                echo $before; primary; cat told
                """)
        #expect(lines.count == 6 && lines[0] == lines[2] && lines[1] == lines[3] && lines[0] != lines[1])
        #expect(
            lines.last == "closer-keys: couple_1 got a new key while this command ran; from now on it is used"
        )
    }

    @Test(
        "several threads seal all lines in their order, and none under the former key after the first under the new one"
    )
    func crew() throws {
        let lines = try scene.lines(
            Self.start + """
                jq -nc 'range(20000) | {id: ., plaintext: "text \\(.)"}' > lines
                begin seal --jsonl --jobs 3; head -n 10000 lines >&7
                until [ "$(wc -l < out)" = 10000 ]; do sleep 0.05; done
                rekey; tail -n 10000 lines >&7; finish
                jq .id out | sort -nc; wc -l < out; jq -r .token out | cut -c 8-13 | uniq -c | awk '{ print $1 }'
                """)
        #expect(lines == ["20000", "10000", "10000"])
    }

    @Test("a text that was typed after it is sealed under the new key")
    func typed() throws {
        let lines = try scene.lines(
            Self.start + "begin seal; rekey; echo text >&7; finish; key < out; primary")
        #expect(lines.count == 2 && lines[0] == lines[1])
    }

    @Test("what is sealed under the new key opens in a batch that began before it")
    func opened() throws {
        let lines = try scene.lines(
            Self.start + """
                begin open --jsonl; rekey
                echo '{"plaintext":"two"}' | closer-keys field seal --vault a.db --couple couple_1 --jsonl >&7
                finish; jq -r .plaintext out
                """)
        #expect(lines == ["two"])
    }

    @Test("a batch ends when an older vault is put back, and seals no line that comes after that")
    func rolledBack() throws {
        let run = try scene.run(
            Self.start + """
                cp a.db older; couple rewrap a --phrase-file newest >errors 2>&1
                begin seal --jsonl; echo '{"plaintext":"one"}' >&7
                until [ -s out ]; do sleep 0.05; done
                mv older a.db
                echo '{"plaintext":"two"}' >&7
                status=0; finish || status=$?; wc -l < out; cat told >&2; exit $status
                """)
        #expect(run.exit == 8 && run.text == "1\n" && run.errors.contains("older"), "\(run.errors)")
    }
}
