import CloserWire
import Foundation
import TestSupport
import Testing

/// Alice and Bob, each with an answer, and Mallory, who knows what the server knows and what everybody knows.
///
/// Alice has released her answer, Bob has not. Mallory's vault claims to be Alice's and has a couple of the same name.
/// `c.db` is Alice's new phone, which knows nothing yet.
struct CoupleScene {
    let program: ClosingProgram
    /// What no refusal may print.
    private let secrets: [String]

    /// Short names for what most lines have in common.
    private static let names = """
        D='--place daily:2026-11-20'
        answer() { closer-keys answer "$1" --vault "$2.db" --couple couple_1 --question "${@:3}"; }
        release() { answer release "$1" q_42 --partner "$2" --partner-key "$(cat "$3.pub")" "${@:4}"; }
        reveal() { answer reveal b q_42 --partner alice "$@"; }
        couple() { closer-keys couple "$1" --vault "$2.db" --couple couple_1 "${@:3}"; }

        """

    /// The folder also has a valid document of each kind, named after its noun.
    ///
    /// Argon2id takes most of the time, so the story is played once and each scene is a copy. Key files stay where they were
    /// made.
    private static let first = Result {
        try ClosingProgram(
            after: names + """
                for name in a:alice b:bob c:alice m:alice; do
                    closer-keys device init --vault "${name%:*}.db" --user "${name#*:}" --key-file "${name%:*}.key"
                    closer-keys device show --vault "${name%:*}.db" --json | jq -r .publicKey > "${name%:*}.pub"
                done
                couple create a --phrase-file p.txt -o invite.json
                couple create m --phrase-file m.txt -o m-invite.json
                couple join b invite.json
                couple show a --document > couple.json
                couple show m --document > m-couple.json
                echo '{"answer":"hunter2, says Alice"}' | answer seal a q_42 $D > alice.json
                echo '{"answer":"hunter2, says Bob"}' | answer seal b q_42 $D > bob.json
                echo '{"answer":"hunter2, says Mallory"}' | answer seal m q_42 $D > forged.json
                release a bob b bob.json > for-bob.json
                release m bob b bob.json > forged-key.json
                cp alice.json answer.json; cp for-bob.json release-key.json
                closer-keys device show --vault a.db --document > device.json
                for name in offer reply grant; do
                    jq -c ".pairings[1].$name" '\(TestData.root.path())vectors/pairing.json' > pair-$name.json
                done
                jq -c '{encryptedCoupleKey: .encryptedAnswerKey, senderId, recipientId, epoch: 1}' for-bob.json > rekey.json
                golden() { jq -c "$1" '\(TestData.root.path())vectors/golden.json'; }
                golden '{answers: {alice: .field.token, bob: .field.token}}' > game-slot.json
                golden '.chat.fitlink | {encrypted_content, iv}' > fitlink-message.json
                golden '{public_key: .chat.alicePublic}' > fitlink-user.json
                golden '{publicKey: .chat.bobPublic} + (.chat.fond.combined
                    | {encryptedStatus: ., encryptedLocation: ., encryptedHeartbeat: .})' > fond-user.json
                golden '{userId: "alice", questionId: "q_42", schemaVersion: 2, text: .field.token}' > legacy-answer.json
                """)
    }

    /// The scene as another test's preparation left it.
    init(copying other: CoupleScene) throws {
        program = try ClosingProgram(copying: other.program)
        secrets = other.secrets
    }

    init() throws {
        program = try ClosingProgram(copying: Self.first.get())
        let invite = try JSONValue(parsing: program.content("invite.json").dropLast())
        let phrase = String(decoding: try program.content("p.txt").dropLast(), as: UTF8.self)
        secrets = ["hunter2", phrase, try #require(invite["code"]?.string)]
    }

    /// Runs a script with the short names.
    func run(_ text: String) throws -> ClosingProgram.Run { try program.script(Self.names + text) }

    /// Runs a script that must succeed, and returns the lines that it prints.
    @discardableResult
    func lines(_ text: String) throws -> [String] {
        let run = try run(text)
        try #require(run.exit == 0, "\(run.errors)")
        return run.text.split(separator: "\n").map(String.init)
    }

    /// Every file, byte for byte. Where a conflict may be noted, all that the vaults tell apart from the conflict.
    func state(withoutConflict: Bool) throws -> [String] {
        guard withoutConflict else { return try lines("cksum -- *") }
        return try lines(
            """
            for vault in a b c m; do
                closer-keys device show --vault $vault.db --json
                closer-keys couple list --vault $vault.db --json
                answer status $vault q_42 $D --json || true
            done | jq -c 'del(.changes, .conflict, .state)'
            ls
            """)
    }

    /// Runs the command, and checks that it was refused as it must be, changed nothing and printed no secret.
    func check(_ refusal: Refusal) throws {
        if !refusal.preparation.isEmpty { try lines(refusal.preparation) }
        let before = try state(withoutConflict: refusal.mayNoteConflict)
        let run = try run("\(refusal.command) --json")
        #expect(run.exit == refusal.exit, "\(run.text)\(run.errors)")
        let result = try JSONValue(parsing: run.output.dropLast())
        #expect(run.output.last == UInt8(ascii: "\n") && result.members?.map(\.name) == ["error"])
        let error = try #require(result["error"])
        #expect(error["code"]?.string == refusal.code)
        #expect(error["exit"]?.number == Double(refusal.exit))
        let message = try #require(error["message"]?.string)
        #expect(run.errors.contains("closer-keys: error: \(message)\n"))
        #expect(refusal.says.map { $0 == message } ?? true, "\(message)")
        if let hint = error["hint"]?.string { #expect(run.errors.hasSuffix("closer-keys: hint: \(hint)\n")) }
        #expect(error["hint"] != nil || refusal.mayLackHint, "no hint: \(message)")
        for secret in secrets { #expect(!run.text.contains(secret) && !run.errors.contains(secret)) }
        #expect(try state(withoutConflict: refusal.mayNoteConflict) == before)
    }
}

/// Something that a server, a stranger or a mistake can bring about, and how the program must refuse it.
struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A script that must succeed.
    var preparation = ""
    /// One command, to which `--json` is added.
    let command: String
    let exit: Int32
    let code: String
    /// Another answer than the pinned one may be remembered.
    var mayNoteConflict = false
    var mayLackHint = false
    /// The whole message; nil to leave that open.
    var says: String?

    init(
        _ description: String, after preparation: String = "", _ command: String, _ exit: Int32,
        _ code: String, mayNoteConflict: Bool = false, mayLackHint: Bool = false, says: String? = nil
    ) {
        (testDescription, self.preparation, self.command) = (description, preparation, command)
        (self.exit, self.code) = (exit, code)
        (self.mayNoteConflict, self.mayLackHint, self.says) = (mayNoteConflict, mayLackHint, says)
    }
}
