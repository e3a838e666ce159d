import Foundation
import Testing

/// Hints that say what to do next, and accuse nobody without proof.
@Suite("Hints")
struct HintTests {
    private let scene: CoupleScene

    init() async throws {
        scene = try await CoupleScene()
        try scene.lines("echo x | closer-keys keybox seal --to \"$(cat b.pub)\" --context x > box.txt")
    }

    @Test(
        "each says what this failure is about",
        arguments: [
            (
                "reveal alice.json --release for-bob.json --place daily:2026-11-21",
                "you have answered this question, but not at this place", "check --place"
            ),
            ("reveal alice.json", "there is no key to the partner's answer here", "if they have released it"),
            (
                "closer-keys keybox open --vault b.db --context y box.txt",
                "it does not open: another key, another context", "check --context"
            ),
            (
                "closer-keys keybox open --vault a.db --context x box.txt", "no enabled key here has the id",
                "it is sealed to another public key"
            ),
            (
                "couple create a --phrase-file x.txt", "this vault has that couple already",
                "closer-keys couple status --vault a.db says where it stands"
            ),
            (
                "echo '{}' | answer seal a q_42 $D", "it can no longer be replaced",
                "closer-keys answer status --couple couple_1 --question q_42 --place daily:2026-11-20 --vault a.db"
            ),
            (
                "couple show b --invite", "no invite was made in this vault",
                "the device that made the couple has it"
            ),
        ])
    func hints(_ command: String, _ message: String, _ hint: String) throws {
        let run = try scene.run(command)
        #expect(run.exit != 0)
        #expect(run.errors.contains("error: ") && run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.contains("hint: ") && run.errors.contains(hint), "\(run.errors)")
    }

    @Test("an answer for another place is first of all a slip of the hand")
    func place() throws {
        let run = try scene.run(
            """
            echo '{"answer":"x"}' | answer seal b q_42 --place daily:2026-11-21 > other.json
            reveal alice.json --release for-bob.json --place daily:2026-11-21
            """)
        #expect(run.exit == 1)
        #expect(
            run.errors.contains("hint: check the place; if it is right, the server shows"), "\(run.errors)")
    }

    @Test(
        "a command's former name is told what it is now",
        arguments: [
            ("couple invite --couple c", "pair invite"), ("couple accept offer.json", "pair accept"),
            ("couple confirm reply.json", "pair confirm"), ("couple finish grant.json", "pair finish"),
            ("pair key --new", "x25519 new"), ("pair agree", "x25519 agree"),
            ("pair safety-number", "x25519 safety-number"),
        ])
    func formerNames(_ former: String, _ now: String) throws {
        let run = try scene.program(former)
        #expect(
            run.exit == 64 && run.errors.contains("hint: now it is closer-keys \(now)\n"), "\(run.errors)")
    }

    @Test(
        "an option that is called otherwise now, and one of many values, are told",
        arguments: [
            (
                "answer reveal --couple c --question q --partner p x --release-key x",
                "now it is --release"
            ),
            ("device show --accept-older", "now it is closer-keys device accept-older"),
            ("check --kind coupel c.json", "it is one of: couple, invite, answer, release-key"),
        ])
    func formerOptions(_ former: String, _ hint: String) throws {
        let run = try scene.program(former)
        #expect(run.exit == 64 && run.errors.contains("hint: \(hint)"), "\(run.errors)")
    }

    @Test("an answer of somebody else, or to another question, is named as what it is")
    func otherAnswer() throws {
        for (command, words) in [
            ("release a bobb b bob.json", "of bob to q_42, not of bobb to q_42"),
            (
                "answer release a q_42 --partner carol --partner-key \"$(cat b.pub)\" bob.json",
                "of bob to q_42, not of carol to q_42"
            ),
        ] {
            let run = try scene.run(command)
            #expect(
                run.exit == 3 && run.errors.contains("error: the document is the answer \(words)\n"),
                "\(run.errors)")
        }
    }

    @Test("a file with another code is in the way of a new one, and stays")
    func codeInTheWay() throws {
        let run = try scene.run(
            "echo ABCD-EFGH-JKMN > code; closer-keys pair invite --vault a.db --couple new --phrase-file np --code-file code"
        )
        #expect(run.exit == 7 && run.errors.contains("code exists"), "\(run.errors)")
    }
}
