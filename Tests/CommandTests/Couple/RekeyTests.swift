import CloserWire
import Foundation
import TestSupport
import Testing

/// Alice and Bob with a server that records everything it gets, and may answer with anything it likes.
///
/// The recorder has the invite (code, phrase under the code, wrap), every document and every public key. With these it
/// opens the couple key as `recover` does, in a vault of its own.
@Suite("Rekeying: what a recording server knew, it knows no more")
struct RekeyTests {
    private let program: ClosingProgram

    private static let names = """
        couple() { closer-keys couple "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        field() { closer-keys field "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        digits() { couple verify $1 --partner $2 --partner-key "$(cat $3.pub)"; }
        verify() { digits $1 $2 $3 > digits.txt; couple verify $1 --partner $2 --partner-key "$(cat $3.pub)" --digits "$(cat digits.txt)"; }
        rekey() { couple rekey a --partner bob --phrase-file new.txt --couple-out new-couple.json -o rekey.json "$@"; }
        accept() { couple rekey b --partner alice --accept --phrase-file $(mktemp -u accepted.XXXXXX) "$@"; }

        """

    private static let first = Result {
        try ClosingProgram(
            after: names + """
                for name in a:alice b:bob m:mallory z:alice; do
                    closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key"
                    closer-keys device show --vault "${name%:*}.db" --json | jq -r .publicKey > "${name%:*}.pub"
                done
                couple create a --phrase-file p.txt -o invite.json
                couple join b invite.json
                couple join m invite.json
                couple show a --document > couple.json
                echo before | field seal a > before.txt
                """)
    }

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    private func script(_ text: String) throws -> ClosingProgram.Run {
        try program.script(Self.names + text)
    }

    /// Runs what must succeed.
    @discardableResult
    private func lines(_ text: String) throws -> [String] {
        let run = try script(text)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The exit code and the error's id of one command.
    private func refusal(_ command: String) throws -> String {
        let run = try script("set +e; \(command) --json; exit $?")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        return "\(run.exit) \(error?["code"]?.string ?? "")"
    }

    @Test(
        "the recorder opens everything before, and nothing after",
        .proves("W14: a rewrap keeps the key, and a rekey replaces it"),
        .proves("W1: after a rekey, a server that recorded everything reads nothing new"))
    func passive() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        #expect(
            try lines("couple show a --json | jq -r .state; couple show b --json | jq -r .state") == [
                "rekeyed", "rekeyed",
            ])
        #expect(try lines("field open m before.txt; field open b before.txt") == ["before", "before"])
        try lines("echo after | field seal a > after.txt; echo too | field seal b > too.txt")
        #expect(try lines("field open b after.txt; field open a too.txt") == ["after", "too"])
        #expect(try refusal("field open m after.txt") == "4 noKey")
        // It cannot do so with what passed by since, either: the rekey and the new document.
        #expect(try refusal("couple rekey m --partner alice --accept rekey.json") == "8 notYet")
        #expect(try refusal("couple recover m --phrase-file p.txt new-couple.json") == "3 authFailed")
        try lines("couple recover m --phrase-file p.txt couple.json")
        #expect(try refusal("field open m too.txt") == "4 noKey")
        // The new phrase opens it, on Alice's next phone.
        #expect(
            try lines("couple recover z --phrase-file new.txt new-couple.json; field open z after.txt").last
                == "after")
    }

    @Test(
        "a server that turns active forges no rekey",
        .proves("W1: only the two compared devices can make a rekey"),
        arguments: [
            // Made by somebody else who has the couple key, sealed to Bob's key in Alice's name.
            ("", "forged.json", "3 macInvalid"),
            ("", "relabelled.json", "3 authFailed"), ("", "swapped.json", "3 authFailed"),
            ("verify a bob b; rekey; jq -c '.epoch = 2' rekey.json > x.json", "x.json", "3 authFailed"),
            (
                "verify a bob b; rekey; jq -c '.recipientId = \"carol\"' rekey.json > x.json", "x.json",
                "4 noKey"
            ),
            (
                "verify a bob b; rekey; jq -c '.senderId = \"carol\"' rekey.json > x.json", "x.json",
                "3 authFailed"
            ),
            (
                "verify a bob b; rekey; jq -c '.encryptedCoupleKey |= .[0:200] + (.[200:220] | explode | reverse | implode) + .[220:]' rekey.json > x.json",
                "x.json", "3 authFailed"
            ),
            // Of the same number as the one that was accepted, and another one.
            (
                "verify a bob b; cp a.db f.db; cp a.key f.key; rekey; accept rekey.json; export XDG_STATE_HOME=$PWD/f; couple rekey f --key-file a.key --partner bob --phrase-file f.txt -o x.json",
                "x.json", "1 epochMismatch"
            ),
        ] as [(String, String, String)])
    func active(_ preparation: String, _ file: String, _ expected: String) throws {
        // Mallory's vault in Alice's name knows the couple key and every public key, and verifies whatever it likes.
        try lines(
            """
            verify b alice a
            couple join z invite.json; verify z bob b
            couple rekey z --partner bob --phrase-file z.txt -o forged.json
            jq -c '.epoch = 2' forged.json > relabelled.json
            couple join m invite.json
            jq -c --arg box "$(closer-keys keybox seal --to "$(cat b.pub)" --context 'couple_1|q|alice|bob' invite.json)" \
                '.encryptedCoupleKey = $box' forged.json > swapped.json
            \(preparation)
            """)
        let before = try lines("couple show b --json; cksum b.db")
        #expect(try refusal("accept \(file)") == expected)
        #expect(try lines("couple show b --json; cksum b.db") == before)
    }

    @Test("only partners who verified each other rekey, and only the first of them sends")
    func conditions() throws {
        #expect(try refusal("rekey") == "8 notYet")
        try lines("verify a bob b; rekey")
        #expect(try refusal("accept rekey.json") == "8 notYet")
        try lines("verify b alice a")
        #expect(try refusal("couple rekey b --partner alice --phrase-file other.txt") == "8 notYet")
        #expect(try !program.files().contains("other.txt"))
        #expect(try refusal("couple rekey a --partner alice --phrase-file other.txt") == "64 usage")
        #expect(try refusal("couple rekey a --partner carol --phrase-file other.txt") == "8 notYet")
    }

    @Test(
        "a key that was swapped has other digits, is refused, and verifying it takes its place",
        .proves("W4: the first key of a partner is pinned, and another key is refused until it is compared"))
    func swapped() throws {
        let digits = try lines("digits a bob b")[0]
        #expect(try lines("digits b alice a") == [digits])
        #expect(try lines("digits a bob m") != [digits])
        #expect(
            try refusal("couple verify a --partner bob --partner-key $(cat m.pub) --digits '\(digits)'")
                == "1 safetyNumberMismatch")
        #expect(
            try refusal("couple verify a --partner bob --partner-key $(cat b.pub) --digits '12345'")
                == "5 malformed")
        try lines("verify a bob b")
        #expect(try lines("couple show a --json | jq -r .state") == ["verified"])
        try lines("verify a bob m")
        let key = try lines("couple show a --json | jq -r '.partners[0].publicKey'; cat m.pub")
        #expect(key[0] == key[1])
    }

    @Test("the same command again gives the same rekey; --new gives the next")
    func again() throws {
        try lines("verify a bob b; verify b alice a; rekey")
        let again = try lines(
            "couple rekey a --partner bob --couple-out x.json | cmp - rekey.json; cmp x.json new-couple.json; cat new.txt"
        )
        #expect(again.count == 1)
        try lines("couple rekey a --partner bob --new --phrase-file newer.txt -o second.json")
        #expect(try refusal("accept second.json") == "1 epochMismatch")
        try lines("cp b.db c.db; cp b.key c.key")
        // On another machine.
        try lines(
            "export XDG_STATE_HOME=$PWD/c; couple rekey c --key-file b.key --partner alice --accept second.json --allow-gap --phrase-file c.txt"
        )
        try lines("accept rekey.json; accept second.json")
        #expect(
            try lines("couple show b --json | jq -c '[.keys[].origin]'") == [#"["invite","rekey","rekey"]"#])
        #expect(try lines("field open b before.txt") == ["before"])
    }

    @Test("a rekey that was accepted is accepted again, with the same result, and changes nothing")
    func acceptedAgain() throws {
        try lines("verify a bob b; verify b alice a; rekey")
        // The result is lost on its way.
        let words = "no space left on device; and the vault was changed before that"
        let lost = try script("set +e; accept rekey.json > /dev/full; exit $?")
        #expect(lost.exit == 74 && lost.errors.contains(words), "\(lost.errors)")
        let lostAgain = try script("set +e; accept rekey.json > /dev/full; exit $?")
        #expect(lostAgain.exit == 74 && !lostAgain.errors.contains(words), "\(lostAgain.errors)")
        #expect(try lines("couple show b --json | jq -r .state") == ["rekeyed"])
        let before = try lines("cksum b.db")
        try lines(
            "accept rekey.json --couple-out 1.json > 1.txt; accept --couple-out 2.json < rekey.json > 2.txt")
        try lines("jq . rekey.json | accept --json > 3.json; cmp 1.txt 2.txt; cmp 1.json 2.json")
        // What the first run wrote is replaced only with --force, and then by the same bytes.
        #expect(try refusal("accept rekey.json --couple-out 1.json") == "7 inputRequired")
        try lines("accept rekey.json --couple-out 1.json --force; cmp 1.json 2.json")
        #expect(try lines("cksum b.db") == before)
        #expect(
            try String(decoding: program.content("1.txt"), as: UTF8.self).hasPrefix(
                "accepted a new key of couple_1\ncouple: couple_1\nstate: rekeyed"))
        try lines("couple show b --document | cmp - 1.json")
        // The next one is the last one then.
        try lines(
            "couple rekey a --partner bob --new --phrase-file newer.txt -o second.json; accept second.json")
        #expect(try refusal("accept rekey.json") == "1 epochMismatch")
        try lines("accept second.json")
        // It is proven again: whoever is no longer verified is not believed.
        try lines("verify b alice m")
        #expect(try refusal("accept second.json") == "3 macInvalid")
    }

    @Test(
        "the phrase comes with the key: it is written or shown, and without a place for it nothing changes",
        .proves("W14: a partner's program cannot choose a phrase that the server could guess"))
    func phrase() throws {
        try lines("verify a bob b; verify b alice a; rekey")
        let before = try lines("cksum b.db")
        let bare = "couple rekey b --partner alice --accept rekey.json"
        #expect(try refusal(bare) == "7 inputRequired")
        #expect(try refusal("touch there; \(bare) --phrase-file there") == "7 inputRequired")
        #expect(try lines("cksum b.db") == before)
        try lines("\(bare) --phrase-file b.txt; cmp new.txt b.txt; stat -c %a b.txt | grep -x 600")
        try lines("couple show b --document | couple recover b --phrase-file b.txt --rehearse")
        // The phrase is not given again.
        try lines("\(bare); \(bare) --phrase-file again.txt; test ! -e again.txt")
    }

    @Test(
        "a retired key opens nothing more; the primary is not retired",
        .proves("W10: a retired key opens nothing, and does not come back"))
    func retired() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        let keys = try lines("couple show b --json | jq -r '.keys[].keyId'")
        #expect(try refusal("couple retire b --key-id \(keys[0])") == "7 inputRequired")
        #expect(try refusal("couple retire b --key-id \(keys[1]) --yes") == "8 notYet")
        #expect(try refusal("couple retire b --key-id 1 --yes") == "4 noKey")
        try lines("couple retire b --key-id \(keys[0]) --yes")
        #expect(try refusal("field open b before.txt") == "4 noKey")
        // Alice still has it: neither her next rekey nor the document brings it back.
        try lines(
            "couple rekey a --partner bob --new --phrase-file newer.txt -o second.json; accept second.json")
        try lines("couple show a --document | couple recover b --phrase-file newer.txt")
        #expect(try refusal("field open b before.txt") == "4 noKey")
        // Bob does not miss a key that she retires.
        try lines("couple retire a --key-id \(keys[0]) --yes")
        try lines(
            "couple rekey a --partner bob --new --phrase-file newest.txt -o third.json; accept third.json")
        // A key that she retires and he has not retired is refused.
        try lines("couple retire a --key-id \(keys[1]) --yes")
        try lines("couple rekey a --partner bob --new --phrase-file last.txt -o fourth.json")
        #expect(try refusal("accept fourth.json") == "1 keyMismatch")
        try lines("couple retire b --key-id \(keys[1]) --yes; accept fourth.json")
    }

    @Test("a rekeyed couple gives no invite: it would hand out the key that no server has seen")
    func noInvite() throws {
        try lines("verify a bob b; verify b alice a; rekey")
        #expect(try refusal("couple show a --invite") == "8 notYet")
        try lines("couple rewrap a --phrase-file paper.txt")
        #expect(try refusal("couple show a --invite") == "8 notYet")
        #expect(try lines("couple show a --json | jq -r .state") == ["rekeyed"])
    }

    @Test("the partner who sorts second sends no rekey, and none is taken from them")
    func wrongSender() throws {
        try lines("verify a bob b; verify b alice a")
        try lines(
            "jq -cn '{encryptedCoupleKey: $b, senderId: \"bob\", recipientId: \"alice\", epoch: 1}' --arg b \"$(closer-keys keybox seal --to \"$(cat a.pub)\" --context x invite.json)\" > x.json"
        )
        #expect(try refusal("couple rekey a --partner bob --accept x.json") == "8 notYet")
    }

    @Test("a couple that was recovered goes on where the rekeys were")
    func recovered() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        try lines("couple recover z --phrase-file new.txt new-couple.json; verify z bob b; verify b alice z")
        // It does not know how many there were.
        try lines(
            "couple rekey z --partner bob --epoch 2 --phrase-file newer.txt -o second.json; accept second.json"
        )
        #expect(try lines("couple show b --json | jq -r .state") == ["rekeyed"])
    }

    @Test(
        "a partner who forgot the couple and recovered it after keys were retired takes the next rekey, and none of before"
    )
    func recoveredAfterRetiring() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        let old = try lines("couple show a --json | jq -r '.keys[0].keyId'")[0]
        try lines(
            """
            couple retire a --key-id \(old) --yes
            couple rewrap a --phrase-file paper.txt -o rewrapped.json
            couple forget b --yes
            couple recover b --phrase-file paper.txt rewrapped.json; verify b alice a
            couple rekey a --partner bob --new --phrase-file newer.txt -o second.json
            """)
        for option in ["", " --allow-gap"] {
            #expect(try refusal("accept rekey.json\(option)") == "1 epochMismatch")
        }
        try lines("accept second.json; accept second.json")
    }

    @Test("a sender who was recovered after keys were retired is told the number, and sends it")
    func recoveredSender() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        let old = try lines("couple show a --json | jq -r '.keys[0].keyId'")[0]
        try lines(
            """
            couple retire a --key-id \(old) --yes; couple retire b --key-id \(old) --yes
            couple rewrap a --phrase-file paper.txt -o rewrapped.json
            couple recover z --phrase-file paper.txt rewrapped.json; verify z bob b; verify b alice z
            couple rekey z --partner bob --phrase-file newer.txt -o second.json
            """)
        #expect(try refusal("accept second.json") == "1 epochMismatch")
        #expect(
            try refusal("couple rekey z --partner bob --new --epoch 1 --phrase-file x.txt")
                == "1 epochMismatch")
        try lines(
            "couple rekey z --partner bob --new --epoch 2 --phrase-file newest.txt -o third.json; accept third.json"
        )
    }

    @Test("a rekey to a key that the partner had before is not sent again: they get one to the key they have")
    func newDevice() throws {
        try lines("verify a bob b; verify b alice a; rekey; accept rekey.json")
        // Bob has a new phone.
        try lines(
            """
            closer-keys device init --vault n.db --user bob --key-file n.key
            closer-keys device show --vault n.db --json | jq -r .publicKey > n.pub
            couple recover n --phrase-file new.txt new-couple.json
            verify a bob n; verify n alice a
            couple rekey a --partner bob --phrase-file newer.txt -o second.json
            couple rekey n --partner alice --accept second.json --allow-gap --phrase-file n.txt
            """)
    }
}
