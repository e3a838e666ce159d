import Testing

/// What a line need not say (closer-keys-answer(1), Facing options), and what it must: a default never chooses what is given away.
@Suite("Defaults")
struct DefaultTests {
    /// Alice and Bob are paired, and both have answered.
    private static let paired = """
        for name in a:alice b:bob; do
            closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key"
        done
        closer-keys pair invite --vault a.db --couple c_1 --phrase-file p1 --code-file code > offer.json
        closer-keys pair accept --vault b.db --couple c_1 --partner alice --code-file code offer.json > reply.json
        closer-keys pair confirm --vault a.db --couple c_1 --partner bob reply.json > grant.json
        closer-keys pair finish --vault b.db --couple c_1 --phrase-file p2 grant.json
        answered() {
            echo '{"from":"alice"}' | closer-keys answer seal --vault a.db --question $1 --place daily:2026-11-20 > a-$1.json
            echo '{"from":"bob"}' | closer-keys answer seal --vault b.db --question $1 --place daily:2026-11-20 > b-$1.json
        }
        answered q_1

        """

    private func lines(_ script: String) throws -> [String] {
        let program = try ClosingProgram()
        let run = try program.script("exec 3>&1 >/dev/null\n" + Self.paired + script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    @Test("a couple that is paired needs no names: its only couple, its only partner, the key that is pinned")
    func story() throws {
        let lines = try lines(
            """
            echo hello | closer-keys field seal --vault a.db > token.txt
            closer-keys field open --vault b.db token.txt >&3
            closer-keys answer release --vault a.db b-q_1.json > for-bob.json 2>&3
            closer-keys answer reveal --vault b.db a-q_1.json --release for-bob.json | jq -r .from >&3
            closer-keys couple show --vault a.db | head -n 1 >&3
            test "$(closer-keys couple verify --vault a.db)" = "$(closer-keys couple verify --vault b.db)"
            """)
        #expect(
            lines == [
                "hello", "closer-keys: your answer to q_1 is released to bob", "alice", "couple: c_1",
            ])
    }

    /// Each prints its exit code, and what is wrong.
    private static let refusals: [(script: String, said: String)] = [
        ("closer-keys couple forget --vault a.db --yes", "64 missing expected argument '--couple <id>'"),
        (
            "CLOSER_KEYS_COUPLE=c_1 closer-keys couple forget --vault a.db --yes",
            "64 missing expected argument '--couple <id>'"
        ),
        (
            "closer-keys couple create --vault a.db -o x --phrase-file y",
            "64 missing expected argument '--couple <id>'"
        ),
        (
            "closer-keys couple retire --vault a.db --key-id 1 --yes",
            "64 missing expected argument '--couple <id>'"
        ),
        ("closer-keys pair invite --vault a.db", "64 missing expected argument '--couple <id>'"),
        (
            "CLOSER_KEYS_COUPLE=$'\\xff' closer-keys field open --vault b.db x",
            "64 CLOSER_KEYS_COUPLE is not UTF-8"
        ),
        ("CLOSER_KEYS_VAULT=$'\\xff' closer-keys field open x", "64 CLOSER_KEYS_VAULT is not UTF-8"),
        ("CLOSER_KEYS_COUPLE=c_2 closer-keys couple show --vault a.db", "4 this vault has no such couple"),
        (
            "closer-keys couple create --vault a.db --couple c_2 --phrase-file p3 -o i 2> /dev/null; closer-keys couple show --vault a.db",
            "7 this vault has several couples: c_1, c_2"
        ),
        (
            "closer-keys answer release --vault a.db a-q_1.json",
            "8 this document is not from bob, the couple's partner"
        ),
        (
            "jq -c '.userId = \"mallory\"' b-q_1.json > x; closer-keys answer release --vault a.db x",
            "8 this document is not from bob, the couple's partner"
        ),
        (
            "answered q_2; closer-keys answer release --vault a.db b-q_1.json",
            "7 the document answers q_1, but only you choose the question (to be released: q_1, q_2)"
        ),
        (
            "answered q_2; jq -c '.questionId = \"q_1\"' b-q_2.json > x; closer-keys answer release --vault a.db --question q_2 x",
            "3 the document is the answer of bob to q_1, not of bob to q_2"
        ),
        (
            "closer-keys answer release --vault a.db b-q_1.json -o k 2> /dev/null; closer-keys answer release --vault a.db b-q_1.json",
            "7 the document answers q_1, but only you choose the question (to be released: none)"
        ),
        (
            "closer-keys device init --vault c.db --user carol --key-file c.key > /dev/null; closer-keys field open --vault c.db x",
            "4 this vault has no couple"
        ),
        (
            "closer-keys couple create --vault a.db --couple c_2 --phrase-file p3 -o i 2> /dev/null; closer-keys couple verify --vault a.db --couple c_2",
            "4 this device knows no partner's key of c_2"
        ),
    ]

    @Test("what a line must say is asked for, or nothing is done", arguments: refusals)
    func refusal(_ script: String, _ said: String) throws {
        let lines = try lines("set +e\n(\(script)) 2> why; code=$?\necho $code $(head -n 1 why) >&3; exit 0")
        #expect(lines == [said.replacing(" ", with: " closer-keys: error: ", maxReplacements: 1)])
    }
}
