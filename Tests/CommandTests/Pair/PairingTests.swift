import CloserWire
import Foundation
import TestSupport
import Testing

/// Two people pair with the program (closer-keys-pair(1), closer-keys-pairing(7)).
@Suite("A couple pairs by a code")
struct PairingTests {
    private let program: ClosingProgram

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            closer-keys device init --vault a.db --user alice --key-file a.key
            closer-keys device init --vault b.db --user bob --key-file b.key
            """)
    }

    /// Short names for the four steps, in Alice's vault or in Bob's.
    private static let steps = """
        invite() { closer-keys pair invite --vault "$1.db" --couple couple_1 "${@:2}"; }
        accept() { closer-keys pair accept --vault "$1.db" "${@:2}"; }
        confirm() { closer-keys pair confirm --vault "$1.db" --couple couple_1 "${@:2}"; }
        finish() { closer-keys pair finish --vault "$1.db" --couple couple_1 "${@:2}"; }
        state() { closer-keys couple show --vault "$1.db" --couple couple_1 --json | jq -r "$2"; }

        """
    private static let first = """
        invite a --phrase-file p.txt --code-file code.txt > offer.json
        accept b --partner alice --code-file code.txt offer.json > reply.json
        confirm a --partner bob reply.json > grant.json
        finish b --phrase-file q.txt grant.json

        """

    @discardableResult
    private func lines(_ script: String) throws -> String {
        let run = try program.script(Self.steps + script)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    /// How a script ends: its exit code and the error's name.
    private func refusal(_ script: String) throws -> String {
        let run = try program.script("set +e\n\(Self.steps)\(script) --json")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        return "\(run.exit) \(error?["code"]?.string ?? "none")"
    }

    @Test("the lines of the manual work as one script")
    func story() throws {
        let text = try lines(
            """
            \(Self.first)
            cmp p.txt q.txt
            closer-keys couple show --vault a.db --couple couple_1 --document | closer-keys couple recover --vault b.db --couple couple_1 --phrase-file p.txt --rehearse > /dev/null
            echo hello | closer-keys field seal --vault a.db --couple couple_1 --require-rekeyed | closer-keys field open --vault b.db --couple couple_1 --require-rekeyed
            invite b --code-file again.txt > offer2.json
            accept a --couple couple_1 --yes --code-file again.txt offer2.json > reply2.json
            confirm b --phrase-file r.txt --couple-out couple2.json reply2.json > grant2.json
            finish a --phrase-file s.txt grant2.json > /dev/null
            cmp r.txt s.txt
            closer-keys couple recover --couple couple_1 --phrase-file r.txt --rehearse couple2.json | tail -1
            state a '.state, .pairing.role, .pairing.status, .partners[0].verifiedBy'
            state b '.fingerprint, ([.keys[].origin] | sort | join(" "))'
            """)
        let shown = text.split(separator: "\n").map(String.init).suffix(8)
        #expect(shown.first == "hello")
        #expect(shown.dropFirst(2).prefix(4) == ["paired", "acceptor", "done", "code"])
        #expect(shown.last == "exposed pairing")
    }

    @Test("a rekey warns that the partner's device does not know whom this one gave its keys to")
    func givenAway() throws {
        try lines(Self.first)
        let words = "keys of this couple were given away, unknown to your partner's device"
        let rekey = "closer-keys couple rekey --vault a.db --couple couple_1 --partner bob --new"
        let before = try program.script("\(rekey) --phrase-file r.txt -o rekey.json")
        #expect(before.exit == 0 && !before.errors.contains(words), "\(before.errors)")
        try lines(
            """
            closer-keys device init --vault m.db --user bob --key-file m.key
            invite m --phrase-file m.txt --code-file other.txt > other.json
            accept a --couple couple_1 --yes --new-key --code-file other.txt other.json > /dev/null
            closer-keys pair accept --vault a.db --couple couple_1 --cancel
            """)
        let after = try program.script("\(rekey) --phrase-file s.txt -o second.json")
        #expect(after.exit == 0 && after.errors.contains(words), "\(after.errors)")
    }

    @Test("and so does the device that accepts one")
    func givenAwayThere() throws {
        try lines(
            """
            \(Self.first)
            closer-keys couple rekey --vault a.db --couple couple_1 --partner bob --new --phrase-file r.txt -o rekey.json
            cp b.db before.db
            closer-keys device init --vault m.db --user alice --key-file m.key
            invite m --phrase-file m.txt --code-file other.txt > other.json
            accept b --couple couple_1 --yes --new-key --code-file other.txt other.json > /dev/null
            closer-keys pair accept --vault b.db --couple couple_1 --cancel
            """)
        let words = "keys of this couple were given away, unknown to your partner's device"
        let accept =
            "closer-keys couple rekey --couple couple_1 --partner alice --accept --phrase-file $(mktemp -u accepted.XXXXXX) rekey.json"
        let given = try program.script("\(accept) --vault b.db")
        #expect(given.exit == 0 && given.errors.contains(words), "\(given.errors)")
        let other = try program.script(
            "cp before.db b.db; closer-keys device accept-older --vault b.db > log 2>&1; \(accept) --vault b.db"
        )
        #expect(other.exit == 0 && !other.errors.contains(words), "\(other.errors)")
    }

    // The copy does not know to whom the keys were given since.
    @Test("an import says of a private couple that it does not know what came later, and nothing of another")
    func imported() throws {
        let moving = """
            closer-keys device export --vault a.db --export-passphrase-file words -o $1.export
            closer-keys device import --vault $1.db --key-file $1.key --export-passphrase-file words $1.export
            """
        try program.write(Data("correct horse\n".utf8), to: "words")
        let words = "closer-keys: this vault knows couple_1 as it was when the export was made"
        let before = try program.script("set -- n\n\(moving)")
        #expect(before.exit == 0 && !before.errors.contains("this vault knows"), "\(before.errors)")
        try lines(Self.first)
        let paired = try program.script("set -- m\n\(moving)")
        #expect(paired.exit == 0 && paired.errors.contains(words), "\(paired.errors)")
        #expect(try lines("state m .state") == "paired\n")
        try lines(
            "cp a.db old.db; closer-keys couple rewrap --vault a.db --couple couple_1 --phrase-file w.txt; cp old.db a.db"
        )
        let older = try program("device accept-older --vault a.db")
        #expect(
            older.exit == 0 && older.errors.contains("pair again if you gave keys away"), "\(older.errors)")
    }

    @Test("each step may be repeated, and gives the same")
    func repeated() throws {
        try lines(
            """
            \(Self.first)
            accept b --code-file code.txt offer.json && exit 1 || test $? = 1
            confirm a reply.json | cmp - grant.json
            finish b grant.json > /dev/null
            invite a --code-file next.txt > next.json
            invite a --code-file next.txt | cmp - next.json
            invite a --code-file copy.txt | cmp - next.json
            cmp next.txt copy.txt
            accept b --couple couple_1 --yes --code-file next.txt next.json > answer.json
            accept b --code-file next.txt next.json | cmp - answer.json
            """)
    }

    @Test("a wrong code burns the invite, and its hint says so; the vault says it afterwards")
    func burned() throws {
        try lines(
            """
            invite a --phrase-file p.txt --code-file code.txt > offer.json
            sed -E 's/-......$/-000000/' code.txt > guess.txt
            closer-keys device init --vault m.db --user mallory --key-file m.key
            accept m --code-file guess.txt offer.json > guess.json
            accept b --code-file code.txt offer.json > reply.json
            """)
        #expect(try refusal("confirm a --partner bob guess.json") == "3 authFailed")
        #expect(try refusal("confirm a guess.json") == "3 codeMismatch")
        #expect(try refusal("confirm a reply.json") == "8 inviteClosed")
        #expect(try lines("state a .pairing.status") == "burned\n")
    }

    @Test("what was mistaken costs nothing")
    func mistaken() throws {
        try lines(
            """
            invite a --phrase-file p.txt --code-file code.txt > offer.json
            head -c 6 code.txt > half.txt; echo 0123456789AB > other.txt; echo 0123 > short.txt
            """)
        #expect(try refusal("accept b --code-file half.txt offer.json") == "5 malformed")
        #expect(try refusal("accept b --code-file short.txt offer.json") == "5 malformed")
        #expect(try refusal("accept b --code-file other.txt offer.json") == "3 authFailed")
        #expect(try refusal("accept b --code-file code.txt --couple couple_2 offer.json") == "4 noKey")
        #expect(try refusal("accept b --code-file code.txt --partner carol offer.json") == "3 authFailed")
        #expect(try refusal("accept a --code-file code.txt offer.json") == "64 usage")
        #expect(try refusal("accept b --code-file code.txt code.txt") == "5 malformed")
        #expect(try refusal("finish b offer.json --phrase-file q.txt") == "5 malformed")
        #expect(try refusal("invite a --hours 169 --code-file x.txt") == "64 usage")
        #expect(try refusal("invite a --new --code-file offer.json") == "7 inputRequired")
        try lines("accept b --code-file code.txt offer.json > reply.json; confirm a reply.json > grant.json")
        #expect(try refusal("closer-keys couple join --vault b.db --couple c2 offer.json") == "5 malformed")
        let twelve = try program.script(
            """
            closer-keys couple create --vault a.db --couple c3 --phrase-file p3 -o invite
            closer-keys couple join --vault b.db --couple c3 --code-file code.txt invite
            """)
        #expect(twelve.exit == 5 && twelve.errors.contains("hint: closer-keys pair accept takes it"))
        #expect(try refusal("closer-keys couple show --vault b.db --couple couple_2") == "4 noKey")
        try lines("finish b --phrase-file q.txt grant.json")
    }

    @Test(
        "without a place for the code or a phrase nothing is made, and the code is in no output",
        .proves("Pairing: a pairing code is in no output but its own"))
    func places() throws {
        #expect(
            try refusal(
                "setsid -w closer-keys pair invite --vault a.db --couple couple_1 --phrase-file p.txt")
                == "7 inputRequired")
        #expect(
            try refusal(
                "setsid -w closer-keys pair invite --vault a.db --couple couple_1 --code-file code.txt")
                == "7 inputRequired")
        #expect(try Set(program.files()).isDisjoint(with: ["p.txt", "code.txt"]))
        #expect(try lines("closer-keys couple list --vault a.db --json") == "{\"couples\":[]}\n")
        let told = try lines(
            """
            { invite a --phrase-file p.txt --code-file code.txt --json; state a .; } > told 2>&1
            grep -c "$(cut -c8-13 code.txt)" told || true
            stat -c %a code.txt p.txt
            """)
        #expect(told == "0\n600\n600\n")
    }

    @Test("on the terminal the phrase is shown, and then the code")
    func terminal() throws {
        let sitting = try program.sit(
            "pair invite --vault a.db --couple couple_1 -o offer.json",
            typing: [("on paper", "\n"), ("told it", "\n")])
        #expect(sitting.exit == 0, "\(sitting.errors)")
        let code = sitting.screen.firstMatch(
            of: /pairing code, for your partner alone:\n\n    ([0-9A-Z]{6})-[0-9A-Z]{6}\n/)
        let lookup = try #require(code).1
        #expect(try lines("jq -r .lookup offer.json") == "\(lookup)\n")
    }

    @Test("an invite and an answer can be cancelled")
    func cancelled() throws {
        try lines(
            """
            invite a --phrase-file p.txt --code-file code.txt > offer.json
            accept b --code-file code.txt offer.json > reply.json
            test "$(invite a --cancel --json | jq .wasOpen)" = true
            test "$(invite a --cancel --json | jq .wasOpen)" = false
            test "$(accept b --cancel --couple couple_1 --json | jq .didWait)" = true
            """)
        #expect(try refusal("confirm a reply.json") == "8 inviteClosed")
        #expect(try refusal("accept b --code-file code.txt offer.json") == "1 inviteUsed")
    }

    @Test("after another pairing, an old reply is refused with words that are true")
    func oldReply() throws {
        try lines(
            """
            \(Self.first)invite b --code-file again.txt > offer2.json
            accept a --couple couple_1 --yes --code-file again.txt offer2.json > reply2.json
            """)
        let run = try program("pair confirm --vault a.db --couple couple_1 reply.json")
        let words =
            "this offer is closed: it was cancelled, or the couple was paired again or forgotten since"
        #expect(run.exit == 8 && run.errors.contains("error: \(words)\n"), "\(run.errors)")
    }

    @Test(
        "a couple that only this device has is no longer private once an unverified key is used, and says so")
    func trusted() throws {
        try lines(
            """
            echo '{"answer":"yes"}' > answer
            closer-keys device init --vault m.db --user bob --key-file m.key
            invite a --phrase-file p.txt --code-file code.txt > offer.json
            invite m --phrase-file q.txt --code-file other.txt > other.json
            for who in a m; do
              closer-keys answer seal --vault $who.db --couple couple_1 --question q --place daily:2026-11-20 answer -o from-$who
            done
            closer-keys device show --vault m.db --json | jq -r .publicKey > m.pub
            """)
        let release = try program.script(
            """
            closer-keys answer release --vault a.db --couple couple_1 --question q --place daily:2026-11-20 --partner bob \
              --partner-key "$(cat m.pub)" from-m -o released
            """)
        let words =
            "couple_1 is no longer private: its partner was added without a pairing"
        #expect(release.exit == 0 && release.errors.contains(words), "\(release.errors)")
        #expect(try lines("state a '.state + \" \" + .keys[0].origin'") == "serverKnown exposed\n")
    }

    @Test("what a comparison, an invite or a document changes unseen is told")
    func told() throws {
        try lines(
            """
            invite a --phrase-file p.txt --code-file code.txt > offer.json
            closer-keys couple create --vault a.db --couple c2 --phrase-file first.txt -o first
            closer-keys couple join --vault b.db --couple c2 first > /dev/null
            closer-keys couple rewrap --vault b.db --couple c2 --phrase-file second.txt -o document
            closer-keys couple show --vault b.db --couple c2 --invite -o second
            for who in a b; do closer-keys device show --vault $who.db --json | jq -r .publicKey > $who.pub; done
            """)
        let verify = "closer-keys couple verify --partner bob --partner-key \"$(cat b.pub)\""
        let digits = "$(\(verify) --vault a.db --couple couple_1 --json | jq -r .safetyNumber)"
        for (line, words) in [
            (
                "\(verify) --vault a.db --couple couple_1 --digits \"\(digits)\"",
                "couple_1 is no longer private"
            ),
            ("closer-keys couple join --vault a.db --couple c2 second", "the couple's document has changed"),
            (
                "closer-keys device init --vault c.db --user carol --key-file c.key > /dev/full",
                "the vault was made before that"
            ),
        ] {
            let run = try program.script("set +e; \(line); exit $?")
            #expect(run.errors.contains(words), "\(line): \(run.errors)")
        }
    }

    @Test(
        "a device that insists on it neither makes nor joins an invite of v1",
        .proves("W1: a device that requires pairings refuses legacy invites"))
    func policy() throws {
        try lines(
            """
            closer-keys couple create --vault a.db --couple c2 --phrase-file p.txt -o invite
            closer-keys device policy --vault b.db --require-paired > /dev/null
            """)
        #expect(try refusal("closer-keys couple join --vault b.db --couple c2 invite") == "8 downgrade")
        #expect(
            try refusal("closer-keys couple create --vault b.db --couple c3 --phrase-file q.txt -o x")
                == "8 downgrade")
        try lines("closer-keys device policy --vault a.db --require-paired > /dev/null")
        #expect(
            try refusal("closer-keys couple show --vault a.db --couple c2 --invite -o again") == "8 downgrade"
        )
        #expect(try lines("closer-keys device policy --vault b.db --json") == "{\"requirePaired\":true}\n")
        try lines(
            """
            closer-keys device policy --vault b.db --no-require-paired > /dev/null
            closer-keys couple join --vault b.db --couple c2 invite > /dev/null
            """)
    }

    @Test("an older vault that is accepted has its open invites closed, and says so")
    func acceptedOlder() throws {
        try lines(
            """
            invite a --phrase-file p.txt --code-file code.txt > offer.json; cp a.db old.db
            accept b --code-file code.txt offer.json > reply.json
            confirm a reply.json > grant.json; cp old.db a.db
            """)
        let run = try program("device accept-older --vault a.db")
        #expect(
            run.exit == 0 && run.errors.contains("type only codes that are made after now"), "\(run.errors)")
        #expect(try refusal("confirm a reply.json") == "8 inviteClosed")
    }
}
