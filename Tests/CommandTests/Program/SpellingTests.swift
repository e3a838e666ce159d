import Foundation
import Testing

/// What the program says about a token that was changed on its way: what became of it, and how to undo that.
@Suite("Misspelled tokens")
struct SpellingTests {
    /// The plaintext is chosen so that the token has both letters that base64url writes otherwise, and padding.
    private static let first = Result {
        try ClosingProgram(
            after: """
                closer-keys device init --vault v.db --user u --key-file v.key > /dev/null
                closer-keys keyset new --type aes256-gcm -o k
                closer-keys keyset new --type ecies-p256 -o e; closer-keys keyset public e --format token > pub.txt
                until grep -q '+.*/.*=' t; do head -c 301 /dev/zero | closer-keys field seal --keyset-file k --couple c > t; done
                until grep -q -- '-.*_' box; do head -c 301 /dev/zero | closer-keys keybox seal --to-file pub.txt --context x > box; done
                closer-keys x25519 new -o a.x
                """)
    }
    private let program: ClosingProgram

    init() throws { program = try ClosingProgram(copying: Self.first.get()) }

    private static let field = "closer-keys field open --keyset-file k --couple c"
    private static let keybox = "closer-keys keybox open --keyset-file e --context x -o out"

    @Test(
        "each change is told, and so is how to undo it",
        arguments: [
            ("tr -- '+/' '-_' < t | \(field)", "field has - or _, which standard base64 does not have"),
            ("tr -d = < t | \(field)", "field lacks its padding"),
            ("fold -w 76 t | \(field)", "field has a line break inside"),
            ("cat t t | \(field)", "field has another one behind it"),
            ("jq -R . t | \(field)", "field has quotation marks around it"),
            ("(printf '\\357\\273\\277'; cat t) | \(field)", "field begins with a byte order mark"),
            ("iconv -t utf-16 t | \(field)", "field is in UTF-16 instead of UTF-8"),
            ("cut -c 1-40 t | \(field)", "field is too short: a part of it is missing"),
            ("sed 's/a/ä/' t | \(field)", "field has a character that is none of base64"),
            ("printf enc: | \(field)", "field does not begin with enc:v1: or enc:v2:"),
            ("tr -- '-_' '+/' < box | \(keybox)", "keybox has "),
            (
                "(cat box | tr -d '\\n'; echo =) | \(keybox)",
                "keybox has padding, which base64url omits here"
            ),
            ("closer-keys keybox seal --context x --to \"$(cat pub.txt)=\" t", "public key has padding"),
            ("closer-keys inspect enc:", "field does not begin with enc:v1: or enc:v2:"),
            ("tr -d = < t | closer-keys inspect -", "field lacks its padding"),
            ("jq -R . t | closer-keys inspect -", "has quotation marks around it"),
            ("(printf '\\357\\273\\277'; cat t) | closer-keys inspect -", "begins with a byte order mark"),
        ])
    func changes(_ line: String, _ words: String) throws {
        let run = try program.script("set +e; \(line); exit $?")
        #expect(run.exit == 5)
        #expect(run.errors.hasPrefix("closer-keys: error: this \(words)"), "\(run.errors)")
        #expect(!run.errors.contains("inspect says"), "\(run.errors)")
    }

    @Test("a hint, typed as it is, mends the token")
    func mended() throws {
        let run = try program.script(
            """
            tr -- '+/' '-_' < t | tr -- '-_' '+/' | \(Self.field) | wc -c
            cat t t | closer-keys field open --jsonl --keyset-file k --couple c | wc -l
            """)
        #expect(run.text == "301\n2\n")
    }

    @Test("a chat's message says which of its members is misspelled")
    func message() throws {
        let run = try program.script(
            """
            set +e
            closer-keys x25519 public --private-key-file a.x > a.pub
            open() { closer-keys chat open --profile fitlink --private-key-file a.x --peer-key "$(cat a.pub)" --chat a_b; }
            printf '{"encrypted_content":"AAA-","iv":"AAAAAAAAAAAAAAAA"}' | open
            printf '{"encrypted_content":"AAAA","iv":"AAAAAAA"}' | open
            printf '{"encrypted_content":"AAAA"' | open
            """)
        for words in [
            "is misspelled: its encrypted_content has - or _", "is misspelled: its iv lacks its padding",
            "ends early, at byte 28",
        ] { #expect(run.errors.contains("error: this FitLink message \(words)"), "\(run.errors)") }
    }
}
