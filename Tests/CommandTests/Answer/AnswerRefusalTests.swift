import TestSupport
import Testing

@Suite("An answer that is not what it should be")
struct AnswerRefusalTests {
    @Test(
        "the partner's answer is not shown", .proves("W19: an answer of another day or thread is refused"),
        arguments: reveals)
    func reveal(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    private static let reveals = [
        Refusal(
            "before our own", after: "jq -c '.questionId = \"q_43\"' alice.json > x.json",
            "answer reveal b q_43 --partner alice x.json --release for-bob.json", 8,
            "notYet"),
        Refusal("before the partner lets go", "reveal alice.json", 8, "notYet"),
        Refusal(
            "a release without its key", after: "jq -c 'del(.encryptedAnswerKey)' for-bob.json > x.json",
            "reveal alice.json --release x.json", 8, "notYet"),
        Refusal(
            "a release to somebody else", after: "jq -c '.recipientId = \"carol\"' for-bob.json > x.json",
            "reveal alice.json --release x.json", 4, "noKey", mayLackHint: true),
        Refusal(
            "a release of somebody else", after: "jq -c '.senderId = \"carol\"' for-bob.json > x.json",
            "reveal alice.json --release x.json", 3, "authFailed"),
        Refusal(
            "the answer of somebody else", after: "jq -c '.userId = \"carol\"' alice.json > x.json",
            "reveal x.json --release for-bob.json", 3, "authFailed"),
        Refusal(
            "the answer to another question", after: "jq -c '.questionId = \"q_43\"' alice.json > x.json",
            "reveal x.json --release for-bob.json", 3, "authFailed"),
        Refusal(
            "another question's answer under this one's name",
            after: """
                echo '{"answer":"hunter2"}' | answer seal a q_43 $D > x.json
                answer release a q_43 --partner bob --partner-key $(cat b.pub) \\
                    <(jq '.questionId = "q_43"' bob.json) > key.json
                jq -c '.questionId = "q_42"' x.json > y.json
                """, "reveal y.json --release key.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "the same answer in another couple",
            after: """
                closer-keys couple join --vault b.db --couple couple_2 invite.json
                echo '{"answer":"hunter2"}' | closer-keys answer seal --vault b.db --couple couple_2 \\
                    --question q_42 $D > x.json
                """,
            "closer-keys answer reveal --vault b.db --couple couple_2 --question q_42 --partner alice "
                + "alice.json --release for-bob.json", 3, "authFailed", mayLackHint: true
        ),
        Refusal(
            "an unknown couple",
            "closer-keys answer reveal --vault b.db --couple couple_9 --question q_42 --partner alice "
                + "alice.json --release for-bob.json", 4, "noKey"),
        Refusal(
            "ourselves as the partner",
            "answer reveal b q_42 --partner bob bob.json --release for-bob.json", 64,
            "usage", mayLackHint: true),
        Refusal(
            "a stranger's answer, commitment and key, in agreement",
            "reveal forged.json --release forged-key.json", 3, "macInvalid"),
        Refusal(
            "another sealed text",
            after: "jq -c '.encryptedPayload = input.encryptedPayload' alice.json forged.json > x.json",
            "reveal x.json --release for-bob.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "another commitment",
            after: "jq -c '.commitmentHash = input.commitmentHash' alice.json forged.json > x.json",
            "reveal x.json --release for-bob.json", 1, "commitmentMismatch"),
        Refusal(
            "a copy of our commitment",
            after: "jq -c '.commitmentHash = input.commitmentHash' alice.json bob.json > x.json",
            "reveal x.json --release for-bob.json", 1, "commitmentMismatch"),
        Refusal(
            "shown again the next day",
            after: "echo '{\"answer\":\"hunter2\"}' | answer seal b q_42 --place daily:2026-11-21 > x.json",
            "reveal alice.json --release for-bob.json --place daily:2026-11-21", 1, "placeMismatch"),
        Refusal(
            "shown again in a thread",
            after: "echo '{\"answer\":\"hunter2\"}' | answer seal b q_42 --place thread:t_1 > x.json",
            "reveal alice.json --release for-bob.json --place thread:t_1", 1, "placeMismatch"),
        Refusal(
            "another one than was there at our release", after: "release b alice a alice.json > x.json",
            "reveal forged.json --release forged-key.json", 1, "pinMismatch"),
        Refusal(
            "another one than was revealed", after: "reveal alice.json --release for-bob.json > x.json",
            "reveal forged.json --release forged-key.json", 1, "pinMismatch"),
        Refusal(
            "one that nothing proves",
            after: unproven,
            "answer reveal b q_c --partner alice c.json --release ck.json",
            8, "unauthenticated"),
        Refusal(
            "one that nothing proves, although asked for, after one that was proven",
            after: unproven + "\nreveal alice.json --release for-bob.json > x.json",
            "answer reveal b q_c --partner alice c.json --release ck.json "
                + "--allow-unauthenticated", 8, "unauthenticated"),
        Refusal(
            "a document that breaks a rule", after: "jq -c '.schemaVersion = 2' alice.json > x.json",
            "reveal x.json --release for-bob.json", 5, "malformed"),
        Refusal(
            "several places, and none is named",
            after: "echo '{\"answer\":\"hunter2\"}' | answer seal b q_42 --place daily:2026-11-21 > x.json",
            "reveal alice.json --release for-bob.json", 7, "inputRequired"),
    ]

    /// Alice's app seals without proof.
    private static let unproven = """
        echo '{"answer":"hunter2, and nothing proves it"}' | answer seal a q_c $D --profile compat > c.json
        echo '{"answer":"hunter2"}' | answer seal b q_c $D > d.json
        answer release a q_c --partner bob --partner-key $(cat b.pub) d.json > ck.json
        """
}
