import CloserWire
import Foundation
import TestSupport
import Testing

/// A couple that has texts in the clear, on the way from version 0 to 2 (closer-keys-trust(7), ENCRYPTION VERSION).
@Suite("A migration")
struct MigrateTests {
    private let program: ClosingProgram

    /// Alice starts, and Bob recovers from the document; `stored` puts what a device prints on the server.
    private static let names = """
        alice() { closer-keys "$@" --vault a.db; }
        bob() { closer-keys "$@" --vault b.db; }
        stored() { jq -c '.userIds = ["alice", "bob"]' > stored.json; }

        """

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            for name in a:alice b:bob; do
                closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key"
            done
            alice couple migrate start --couple us --phrase-file phrase | stored
            bob couple recover --couple us --migrating --phrase-file phrase stored.json
            jq -nc 'range(1; 4) | {id: ., plaintext: "text \\(.)"}' > rows.jsonl
            """)
    }

    private func script(_ text: String) throws -> ClosingProgram.Run { try program.script(Self.names + text) }

    @discardableResult
    private func lines(_ text: String) throws -> [String] {
        let run = try script(text)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// The exit code and the error's code of a script that fails.
    private func failed(_ text: String) throws -> (exit: Int32, code: String?) {
        let run = try script("set +e; \(text); exit $?")
        let error = try run.text.split(separator: "\n").last.map { try JSONValue(parsing: Array($0.utf8)) }
        return (run.exit, error?["error"]?["code"]?.string)
    }

    @Test(
        "no document that is printed raises 1 to 2, and each view says that the couple is at 1",
        .proves("W9: a couple at version 1 stays there until both users have finished"))
    func staysAtOne() throws {
        for device in ["alice", "bob"] {
            let versions = try lines(
                """
                \(device) couple show --document | jq .encryptionVersion
                \(device) couple rewrap --phrase-file \(device).phrase | jq .encryptionVersion
                \(device) couple show --json | jq .encryptionVersion
                \(device) couple migrate start --couple us | jq .encryptionVersion
                """)
            #expect(versions == ["1", "1", "1", "1"])
            #expect(try lines("\(device) couple show").contains("version: 1, migrating"))
            #expect(
                try lines("\(device) couple migrate show") == [
                    "couple: us", "version: 1", "plaintext: read with --mixed", "finished: none yet",
                ])
        }
    }

    @Test(
        "both finish, in either order, and a mark is never lost",
        arguments: [["alice", "bob"], ["bob", "alice"]])
    func finish(_ order: [String]) throws {
        let after = try lines(
            """
            for name in \(order.joined(separator: " ")); do
                $name couple migrate finish stored.json -o $name.json
                stored < $name.json
            done
            jq -c '[.encryptionVersion, .encryptionMigrationUsers]' stored.json
            """)
        #expect(after == [#"[2,{"alice":true,"bob":true}]"#])
        #expect(try lines("\(order[1]) couple migrate show").contains("plaintext: refused"))
        #expect(try failed("\(order[1]) couple migrate start --couple us --json") == (8, "downgrade"))
        // The first one sees it when it finishes again.
        #expect(try lines("\(order[0]) couple migrate finish stored.json | jq .encryptionVersion") == ["2"])
    }

    @Test(
        "what is printed is an update that the server's contract lets each user make, also after a rewrap of the partner's"
    )
    func contract() throws {
        try lines(
            """
            bob couple rewrap --phrase-file new.phrase | stored
            for name in alice bob; do
                $name couple migrate finish stored.json -o $name.json
                closer-keys check --as $name --previous stored.json --patch $name.json
                jq -cs '.[0] * .[1]' stored.json $name.json > next.json; mv next.json stored.json
            done
            """)
        #expect(
            try lines("alice couple recover --rehearse --couple us --phrase-file new.phrase stored.json")
                .count == 2)
    }

    @Test(
        "a couple that began at 2 stays there, whatever a document says, until a person says that it migrates",
        .proves("W9: no document brings down the encryption version that a device has seen"),
        arguments: [#"{"bob":true}"#, #"{"alice":true}"#, "{}"])
    func strict(_ marks: String) throws {
        try lines(
            """
            alice pair invite --couple new --phrase-file n.phrase --code-file n.code -o offer.json
            for version in 1 2; do
                alice couple show --couple new --document | jq '.userIds = ["alice", "bob"] |
                    .encryptionMigrationUsers = \(marks) | .encryptionVersion = '$version > lie$version.json
            done
            """)
        let recover = "alice couple recover --couple new --phrase-file n.phrase"
        let finish = "alice couple migrate finish --couple new"
        #expect(try failed("\(recover) --json lie1.json") == (8, "downgrade"))
        #expect(try failed("\(finish) --json lie1.json") == (8, "downgrade"))
        #expect(try lines("\(recover) lie2.json > log; \(finish) lie2.json | jq .encryptionVersion") == ["2"])
        let document =
            "alice couple show --couple new --document | jq -c '[.encryptionVersion, .encryptionMigrationUsers]'"
        #expect(try lines(document) == ["[2,null]"])
        let row = #"echo '{"plaintext":"made up"}' | alice field seal --couple new --migrate --jsonl"#
        #expect(try failed(row) == (9, "downgrade"))
        #expect(try lines("\(row) --trust-old | jq -r .token")[0].hasPrefix("enc:v1:"))
        #expect(try failed("alice couple migrate start --couple new --json") == (8, "downgrade"))
        try lines("alice couple migrate start --couple new --migrating > log")
        #expect(try lines(document) == ["[1,{}]"])
        #expect(try lines("\(row) | jq -r .token")[0].hasPrefix("enc:v1:"))
        let read = #"echo '{"token":"made up"}' | alice field open --couple new --mixed --jsonl"#
        #expect(try failed(read) == (9, "downgrade"))
    }

    @Test(
        "a new phone takes version 1 from a person, and never from the server's document",
        .proves("W9: a server begins no migration"))
    func newPhone() throws {
        try lines(
            """
            closer-keys device init --vault c.db --user bob --key-file c.key > log
            alice pair invite --couple new --phrase-file n.phrase --code-file n.code -o offer.json
            alice couple show --couple new --document |
                jq '.encryptionVersion = 1 | .encryptionMigrationUsers = {}' > lie.json
            """)
        let recover = "closer-keys couple recover --vault c.db --couple new --phrase-file n.phrase lie.json"
        let run = try script("\(recover); exit $?")
        #expect(run.exit == 8)
        #expect(run.errors.contains("unless you know that its texts are in the clear: then use --migrating"))
        #expect(try lines("\(recover) --migrating").contains("version: 1, migrating"))
        #expect(try lines("\(recover) --rehearse")[0] == "the phrase opens the document")
        let again = try script("\(recover) --migrating")
        #expect(again.errors.contains("--migrating has no effect: new is known to migrate"))
    }

    @Test("the grant tells the other device that the couple migrates, or that it does not")
    func grant() throws {
        let paired = """
            alice pair invite --couple $1 --code-file $1.code --force -o offer.json
            closer-keys pair accept --vault c.db --couple $1 --partner alice --code-file $1.code offer.json --force -o reply.json
            alice pair confirm --partner carol --phrase-file $1.new reply.json --force -o grant.json
            closer-keys pair finish --vault c.db --phrase-file $1.phrase grant.json
            """
        try lines(
            """
            closer-keys device init --vault c.db --user carol --key-file c.key > log
            alice couple migrate start --couple clear --phrase-file clear.p > log
            alice pair invite --couple sealed --phrase-file sealed.p --code-file sealed.code > log
            """)
        for (couple, version) in [("clear", true), ("sealed", false)] {
            let finished = try lines("set -- \(couple); \(paired)")
            #expect(finished.contains("version: 1, migrating") == version)
        }
        let row = #"echo '{"plaintext":"text"}' | closer-keys field seal --vault c.db --migrate --jsonl"#
        #expect(try lines("\(row) --couple clear | jq -r .token")[0].hasPrefix("enc:v1:"))
        #expect(try failed("\(row) --couple sealed") == (9, "downgrade"))
        // A couple that was forgotten at 2 migrates after that, and reads no plaintext.
        let again = try lines(
            """
            closer-keys couple forget --vault c.db --couple sealed --yes > log
            alice couple migrate start --couple sealed --migrating > log
            set -- sealed; rm -f sealed.code sealed.new sealed.phrase
            \(paired) | grep version
            closer-keys couple migrate show --vault c.db --couple sealed | grep plaintext
            """)
        #expect(again == ["version: 1, migrating", "plaintext: refused"])
    }

    @Test("a command that is refused leaves the version, and a server at 2 gets a mark that it may store")
    func refusedUnchanged() throws {
        try lines(
            """
            alice pair invite --couple new --phrase-file n.phrase --code-file n.code -o offer.json
            bob pair invite --couple new --phrase-file m.phrase --code-file m.code -o theirs.json
            alice pair invite --couple new --cancel > log
            alice pair accept --couple new --yes --code-file m.code theirs.json > log
            """)
        #expect(
            try failed("alice couple migrate start --couple new --migrating --json") == (8, "notYet"))
        #expect(try lines("alice couple show --couple new --json | jq .encryptionVersion") == ["2"])
        let finished = try lines(
            """
            alice pair accept --couple new --cancel > log
            alice couple show --couple new --document | jq -c '.userIds = ["alice", "bob"]' > server.json
            alice couple migrate start --couple new --migrating > log
            alice couple migrate finish --couple new server.json -o done.json
            closer-keys check --as alice --previous server.json --patch done.json
            jq -c '[.encryptionVersion, .encryptionMigrationUsers]' done.json
            """)
        #expect(finished == ["ok", #"[2,{"alice":true}]"#])
    }

    @Test("a join without the option is led back by the option, and one without effect says so")
    func join() throws {
        try lines(
            """
            alice couple create --couple old --migrating --phrase-file old.phrase -o invite.json
            bob couple join --couple old invite.json > log
            """)
        let row = #"echo '{"plaintext":"text"}' | bob field seal --couple old --migrate --jsonl"#
        #expect(try failed(row) == (9, "downgrade"))
        let join = "bob couple join --couple old --migrating invite.json"
        #expect(try lines(join).contains("version: 1, migrating"))
        #expect(try lines("\(row) | jq -r .token")[0].hasPrefix("enc:v1:"))
        for line in [join, "bob couple migrate start --couple old --migrating"] {
            let run = try script(line)
            #expect(
                run.errors.contains("--migrating has no effect: old is known to migrate"), "\(run.errors)")
        }
        let forgotten = "bob couple forget --couple old --yes > log; \(join)"
        #expect(try lines(forgotten).contains("version: 1, migrating"))
        let invite = "alice pair invite --couple strict --phrase-file s.phrase --code-file s.code"
        let again = try script(
            "\(invite) > log; alice pair invite --couple strict --migrating --code-file s.code")
        #expect(again.errors.contains("--migrating has no effect, because strict is here"))
    }

    @Test("a document of other users, of none, or of version 0 finishes nothing")
    func refused() throws {
        let finish = "bob couple migrate finish --json"
        #expect(try failed(#"jq '.userIds[1] = "eve"' stored.json | \#(finish)"#) == (1, "notAMember"))
        #expect(try failed("jq 'del(.userIds)' stored.json | \(finish)") == (5, "malformed"))
        #expect(try failed("echo '{}' | \(finish)") == (8, "downgrade"))
        #expect(try lines("bob couple migrate show").last == "finished: none yet")
    }

    @Test(
        "what is sealed passes unchanged, what is plaintext is sealed, and what begins as a token and is none is told"
    )
    func seal() throws {
        let seal = "alice field seal --migrate --jsonl"
        let run = try script(
            "\(seal) rows.jsonl | jq -c '{id, plaintext: .token}' > sealed.jsonl; \(seal) sealed.jsonl")
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            run.errors.contains("sealed: 3, which the server may have written; already sealed: 0")
        )
        #expect(
            run.errors.contains("sealed: 0, which the server may have written; already sealed: 3")
        )
        let before = try lines("jq -r .plaintext sealed.jsonl")
        #expect(try lines("jq -c '{id, token: .plaintext}' sealed.jsonl | \(seal) | jq -r .token") == before)
        #expect(try lines("\(seal) sealed.jsonl | jq -r .token") == before)
        #expect(
            try lines("bob field open --jsonl <(\(seal) sealed.jsonl) | jq -r .plaintext") == [
                "text 1", "text 2", "text 3",
            ])
        #expect(try failed(#"echo '{"plaintext":"enc:v1:AAAA"}' | \#(seal)"#) == (9, "malformed"))
        #expect(try failed("printf 'enc:' | alice field seal --json") == (7, "inputRequired"))
        #expect(
            try failed(#"echo '{"plaintext":"enc:v1:"}' | alice field seal --jsonl"#) == (9, "inputRequired"))
    }

    @Test("a line with a place is bound to it, and an old token only at the user's word")
    func places() throws {
        let seal = "alice field seal --migrate --jsonl"
        let row = #"{"place":"users/alice/status","plaintext":"happy"}"#
        let bound = try lines("echo '\(row)' | \(seal) | jq -r .token")
        #expect(bound.first?.hasPrefix("enc:v2:") == true)
        #expect(try lines("bob field open --place users/alice/status <<< '\(bound[0])'") == ["happy"])
        let again = #"jq -c '{place, plaintext: .token}'"#
        #expect(
            try lines("echo '\(row)' | \(seal) | \(again) | tee b.jsonl | \(seal) | jq -r .token")
                == lines("jq -r .plaintext b.jsonl"))
        try lines(
            "printf happy | alice field seal | jq -Rc '{place: \"users/alice/status\", plaintext: .}' > old.jsonl"
        )
        #expect(try failed("\(seal) old.jsonl") == (9, "unbound"))
        let opened =
            "echo '{\"place\":\"users/alice/status\",\"token\":\"happy\"}' | bob field open --mixed --jsonl"
        #expect(try lines("\(opened) | bob field seal --jsonl | jq -r .token")[0].hasPrefix("enc:v2:"))
        #expect(try lines("\(seal) --trust-old old.jsonl | jq -r .token")[0].hasPrefix("enc:v2:"))
    }

    @Test(
        "below 2 both kinds are read, and at 2 plaintext is refused",
        .proves("W9: at version 2 a plaintext of the server's is refused"))
    func mixed() throws {
        let mixed =
            #"(alice field seal --migrate --jsonl rows.jsonl | head -1; jq -c '{id, token: .plaintext}' rows.jsonl | tail -2)"#
        let read = try lines(
            "bob field open --mixed --jsonl <(\(mixed)) | jq -r '[.plaintext, .origin] | join(\", \")'")
        #expect(read == ["text 1, invite", "text 2, plaintext", "text 3, plaintext"])
        let again = try script(
            "bob field open --mixed --jsonl <(\(mixed)) | bob field seal --require-rekeyed --jsonl; exit 0")
        #expect(again.text.contains("serverKnown"), "\(again.text)")
        try lines(
            """
            alice couple migrate finish stored.json -o new.json; stored < new.json
            bob couple migrate finish stored.json
            """)
        #expect(try failed("bob field open --mixed --jsonl <(\(mixed))") == (9, "downgrade"))
        #expect(try failed("bob field open --mixed --json note.txt 2> log") == (64, "usage"))
    }

    @Test(
        "a pairing and an invite leave the version as it is, and begin a new couple at 1 if they are told so")
    func beginnings() throws {
        let versions = try lines(
            """
            closer-keys device init --vault c.db --user carol --key-file c.key > log
            alice pair invite --couple us --code-file code -o offer.json
            closer-keys pair accept --vault c.db --couple us --partner alice --code-file code offer.json -o reply.json
            alice pair confirm --partner carol reply.json -o grant.json
            closer-keys pair finish --vault c.db --phrase-file c.phrase grant.json > log
            alice couple create --couple old --migrating --phrase-file old.phrase -o invite.json
            bob couple join --couple old --migrating invite.json > log
            bob pair invite --couple new --migrating --phrase-file new.phrase --code-file c2 -o o2.json
            bob pair invite --couple strict --phrase-file strict.phrase --code-file c3 -o o3.json
            for name in us old; do alice couple show --couple $name --json | jq .encryptionVersion; done
            closer-keys couple show --vault c.db --json | jq .encryptionVersion
            for name in old new strict; do bob couple show --couple $name --json | jq .encryptionVersion; done
            """)
        #expect(versions == ["1", "1", "1", "1", "1", "2"])
    }

    @Test("a migration that is killed twenty times on the way ends as one that was not")
    func killed() throws {
        let count = Effort.count(20_000, full: 100_000)
        // What came out before the end replaces the rows on the server. A signal to a function would end its shell alone.
        let killed = try lines(
            """
            seq \(count) | jq -c '{id: ., plaintext: "text \\(.)"}' > server.jsonl
            cp server.jsonl original.jsonl
            for round in $(seq 20); do
                rm -f out.jsonl
                closer-keys field seal --migrate --vault a.db --jsonl --jobs 1 server.jsonl > out.jsonl 2> log & pid=$!
                until [ -s out.jsonl ] || ! kill -0 $pid 2> /dev/null; do :; done
                sleep 0.00$((RANDOM % 10)); kill -9 $pid 2> /dev/null || true
                code=0; wait $pid 2> /dev/null || code=$?; [ $code != 137 ] || echo killed
                whole=$(grep -c '}$' out.jsonl || true)
                head -n "$whole" out.jsonl | jq -c '{id, plaintext: .token}' > next.jsonl
                tail -n +$((whole + 1)) server.jsonl >> next.jsonl
                mv next.jsonl server.jsonl
            done
            alice field seal --migrate --jsonl server.jsonl > sealed.jsonl
            bob field open --jsonl sealed.jsonl | jq -c '{id, plaintext}' > opened.jsonl
            cmp opened.jsonl original.jsonl
            """)
        #expect(killed.contains("killed"))
    }
}
