import Foundation
import Testing

/// Two machines that share the vault's folder. The file of the other one comes between a command's looks and its change.
@Suite(
    "A command that looks at the vault more than once",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
struct OthersChangesTests {
    private static let warning =
        "closer-keys: warning: another program changed the vault while this command ran; check "

    /// A command on one of the two vaults, and what is done before it.
    struct Scene: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var setup = ""
        let vault: String
        let command: String
    }

    /// Bob pairs with Alice, and has her grant.
    private static let granted = """
        couple invite a --code-file code -o offer
        closer-keys couple accept --vault b.db --code-file code offer -o reply
        closer-keys couple confirm --vault a.db --couple couple_1 --phrase-file new reply -o grant
        """

    /// Both verify each other.
    private static let verified = """
        digits=$(couple verify a --partner bob --partner-key "$(cat b.pub)")
        couple verify a --partner bob --partner-key "$(cat b.pub)" --digits "$digits" >&2
        couple verify b --partner alice --partner-key "$(cat a.pub)" --digits "$digits" >&2
        """

    private static let scenes = [
        Scene(
            testDescription: "recover", vault: "a",
            command: "couple recover a --phrase-file p.txt couple.json"),
        Scene(testDescription: "join", vault: "b", command: "couple join b invite.json"),
        Scene(
            testDescription: "invite", vault: "a",
            command:
                "closer-keys couple invite --vault a.db --couple couple_2 --phrase-file new --code-file code"),
        Scene(
            testDescription: "create", vault: "a",
            command: "closer-keys couple create --vault a.db --couple couple_2 --phrase-file new"),
        Scene(testDescription: "rewrap", vault: "a", command: "couple rewrap a --phrase-file new"),
        Scene(
            testDescription: "rewrap --quiet", vault: "a",
            command: "couple rewrap a --phrase-file new --quiet"),
        Scene(
            testDescription: "accept", setup: "couple invite a --code-file code -o offer", vault: "b",
            command: "closer-keys couple accept --vault b.db --code-file code offer"),
        Scene(
            testDescription: "verify", setup: verified, vault: "b",
            command:
                "couple verify b --partner alice --partner-key \"$(cat a.pub)\" --digits \"$digits\""),
        Scene(
            testDescription: "rekey", setup: verified, vault: "a",
            command: "couple rekey a --partner bob --phrase-file new"),
        Scene(
            testDescription: "rekey --accept",
            setup: verified + "\ncouple rekey a --partner bob --phrase-file new -o rekey", vault: "b",
            command: "couple rekey b --partner alice --accept rekey"),
        Scene(
            testDescription: "retire",
            setup: verified
                + """

                couple rekey a --partner bob --phrase-file new -o rekey
                former=$(couple show a --json | jq '.keys[] | select(.primary | not).keyId')
                """,
            vault: "a", command: "couple retire a --yes --key-id $former"),
        Scene(testDescription: "forget", vault: "a", command: "couple forget a --yes"),
        Scene(
            testDescription: "finish", setup: granted, vault: "b",
            command: "couple finish b --phrase-file newest grant"),
        Scene(
            testDescription: "seal", vault: "a",
            command: "answer seal a q_8 $D <<< '{\"answer\":\"x\"}'"),
        Scene(testDescription: "release", vault: "b", command: "release b alice a alice.json"),
        Scene(
            testDescription: "reveal", setup: "release b alice a alice.json >&2", vault: "b",
            command: "reveal alice.json --release-key for-bob.json"),
    ]

    /// Makes another couple in a copy of the vault: a change that is nothing to the command.
    private static func change(_ vault: String) -> String {
        """
        cp \(vault).db other.db
        XDG_STATE_HOME=$PWD/two closer-keys couple create --vault other.db --key-file \(vault).key --couple couple_9 --phrase-file p_9 >&2

        """
    }

    @Test("says if another machine changed the vault between the two, and only then", arguments: scenes)
    func told(_ scene: Scene) throws {
        for isChanged in [true, false] {
            let (vault, change) = (scene.vault, isChanged ? Self.change(scene.vault) : "")
            let run = try CoupleScene().run(
                """
                \(scene.setup)
                \(change)exec 9> \(vault).db.lock; flock 9
                \(scene.command) 9>&- > result & waiting=$!
                until ls -l /proc/$(pgrep -P $waiting || echo $waiting)/fd | grep -q \(vault).db.lock; do sleep 0.05; done
                [ ! -e other.db ] || mv other.db \(vault).db
                exec 9>&-; wait $waiting
                """)
            #expect(run.exit == 0 && run.errors.contains(Self.warning) == isChanged, "\(run.errors)")
        }
    }

    @Test(
        "says nothing of answers that were only added if it adds one itself, and of all others",
        arguments: [
            ("answer seal a q_7 $D <<< '{\"answer\":\"x\"}'", "q_9", "", false),
            ("answer seal a q_7 $D <<< '{\"answer\":\"x\"}'", "q_8", "--replace", true),
            ("answer seal a q_8 $D --replace <<< '{\"answer\":\"x\"}'", "q_9", "", true),
            ("couple forget a --yes", "q_9", "", true),
        ])
    func answers(_ command: String, _ question: String, _ replacing: String, _ isTold: Bool) throws {
        let run = try CoupleScene().run(
            """
            echo '{"answer":"x"}' | answer seal a q_8 $D >&2
            cp a.db other.db
            echo '{"answer":"y"}' | XDG_STATE_HOME=$PWD/two answer seal other \(question) $D \(replacing) --key-file a.key >&2
            exec 9> a.db.lock; flock 9
            \(command) 9>&- > result & waiting=$!
            until ls -l /proc/$(pgrep -P $waiting || echo $waiting)/fd | grep -q a.db.lock; do sleep 0.05; done
            mv other.db a.db; exec 9>&-; wait $waiting
            """)
        #expect(run.exit == 0 && run.errors.contains(Self.warning) == isTold, "\(run.errors)")
    }

    @Test(
        "prints one object with --json, also if the warning is lost",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func lost() throws {
        let run = try CoupleScene().run(
            """
            \(Self.change("a"))exec 9> a.db.lock; flock 9
            couple rewrap a --phrase-file new --json --quiet 9>&- 2> /dev/full > result & waiting=$!
            until ls -l /proc/$(pgrep -P $waiting || echo $waiting)/fd | grep -q a.db.lock; do sleep 0.05; done
            mv other.db a.db; exec 9>&-; status=0; wait $waiting || status=$?
            echo $status; jq -c keys result
            """)
        #expect(run.text == "74\n[\"error\"]\n", "\(run.text)\(run.errors)")
    }

    @Test("judges a reply: the other machine's file comes while the new phrase is stretched")
    func confirmed() throws {
        for isChanged in [true, false] {
            let run = try CoupleScene().run(
                """
                couple invite a --code-file code -o offer
                closer-keys couple accept --vault b.db --code-file code offer -o reply
                \(isChanged ? Self.change("a") : "")closer-keys couple confirm --vault a.db --couple couple_1 --phrase-file new reply > result & judging=$!
                page=$(getconf PAGESIZE)
                while kill -0 $judging && read -r _ pages _ < /proc/$judging/statm && [ $((pages * page)) -lt 35000000 ]; do :; done
                [ ! -e other.db ] || mv other.db a.db
                wait $judging
                """)
            #expect(run.exit == 0 && run.errors.contains(Self.warning) == isChanged, "\(run.errors)")
        }
    }
}
