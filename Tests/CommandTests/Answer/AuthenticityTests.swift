import CloserWire
import Foundation
import TestSupport
import Testing

/// What a rekey changes for answers, and for whoever requires a key that the server never saw (docs/threat-model.md#w1).
@Suite("Authenticity, before and after a rekey")
struct AuthenticityTests {
    private let program: ClosingProgram

    private static let names = """
        couple() { closer-keys couple "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        field() { closer-keys field "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }
        verify() { couple verify $1 --partner $2 --partner-key "$(cat $3.pub)" --digits "$(couple verify $1 --partner $2 --partner-key "$(cat $3.pub)")"; }
        answer() { closer-keys answer "$1" --vault "$2.db" --couple couple_1 --question "${@:3}"; }
        seal() { echo "{\\"by\\":\\"$1\\"}" | answer seal $1 $2 --place daily:2026-11-20 > $1-$2.json; }
        release() { answer release $1 $2 --partner $3 --partner-key "$(cat $4.pub)" $4-$2.json -o $1-$2-key.json "${@:5}"; }
        reveal() { answer reveal $1 $2 --partner $3 $4-$2.json --release $4-$2-key.json --json; }

        """

    init() throws {
        program = try ClosingProgram()
        try lines(
            """
            for name in a:alice b:bob; do
                closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key"
                closer-keys device show --vault "${name%:*}.db" --json | jq -r .publicKey > "${name%:*}.pub"
            done
            couple create a --phrase-file p.txt -o invite.json
            couple join b invite.json
            """)
    }

    @discardableResult
    private func lines(_ text: String) throws -> [String] {
        let run = try program.script(Self.names + text)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    private func refusal(_ command: String) throws -> String {
        let run = try program.script(Self.names + "set +e; \(command) --json; exit $?")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        return "\(run.exit) \(error?["code"]?.string ?? "")"
    }

    private static let rekey = """
        verify a bob b; verify b alice a
        couple rekey a --partner bob --phrase-file new.txt -o rekey.json; couple rekey b --partner alice --accept --phrase-file b.txt rekey.json

        """

    @Test(
        "after a rekey answers are authenticated; before, the server could have forged them",
        .proves("W1: states and `authenticity` say at most what was proven"))
    func levels() throws {
        try lines("seal a q1; seal b q1; release a q1 bob b")
        #expect(try lines("reveal b q1 alice a | jq -r .authenticity") == ["serverForgeable"])
        try lines(Self.rekey + "seal a q2; seal b q2; release a q2 bob b --require-verified")
        #expect(try lines("reveal b q2 alice a | jq -r .authenticity") == ["authenticated"])
    }

    @Test("an answer under the old key counts after the rekey only if it was pinned before")
    func pinnedBefore() throws {
        try lines("seal a q1; seal b q1; release a q1 bob b; release b q1 alice a")
        try lines("seal a q2; seal b q2; release a q2 bob b")
        try lines(Self.rekey)
        #expect(try lines("reveal b q1 alice a | jq -r .authenticity") == ["serverForgeable"])
        #expect(try refusal("reveal b q2 alice a") == "1 serverForgeable")
    }

    @Test("what was pinned after a rekey stays so when the key of that rekey is retired")
    func pinnedAfter() throws {
        try lines(
            """
            verify a bob b; verify b alice a
            couple rekey a --partner bob --phrase-file new.txt -o rekey.json
            seal a q1; seal b q1; release a q1 bob b; release b q1 alice a
            """)
        #expect(try refusal("reveal a q1 bob b") == "1 serverForgeable")
        let first = try lines("couple show a --json | jq -r '.keys[1].keyId'")[0]
        try lines(
            """
            couple rekey a --partner bob --new --phrase-file newer.txt -o second.json
            couple retire a --key-id \(first) --yes
            """)
        #expect(try refusal("reveal a q1 bob b") == "1 serverForgeable")
    }

    @Test("--require-verified refuses a partner whose key was not compared")
    func requireVerified() throws {
        try lines("seal a q1; seal b q1")
        #expect(try refusal("release a q1 bob b --require-verified") == "8 notYet")
        try lines("verify a bob b; release a q1 bob b --require-verified")
    }

    @Test(
        "--require-rekeyed refuses to seal and to open under a key that the server may hold",
        .proves(
            "W11: `--require-rekeyed` refuses a key that the server may hold, and each field's key and origin are shown"
        ))
    func requireRekeyed() throws {
        try lines("echo before | field seal a > before.txt")
        #expect(try refusal("field seal a b.pub --require-rekeyed") == "8 serverKnown")
        try lines(Self.rekey)
        #expect(try refusal("field open b before.txt --require-rekeyed") == "8 serverKnown")
        try lines(
            "echo after | field seal a --require-rekeyed > after.txt; field open b after.txt --require-rekeyed"
        )
        let opened = try lines(
            "field open b before.txt --json | jq -r .origin; field open b after.txt --json | jq -r .origin")
        #expect(opened == ["invite", "rekey"])
    }
}
