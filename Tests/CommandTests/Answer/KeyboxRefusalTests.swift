import TestSupport
import Testing

@Suite("A release with something else in its keybox")
struct KeyboxRefusalTests {
    @Test(
        "the partner's answer is not shown", .proves("W19: an answer of another day or thread is refused"),
        .proves("W6: a keybox that does not open leaves the vault unchanged"), arguments: boxes)
    func reveal(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    /// A release whose keybox is valid, but holds what `content` prints.
    private static func released(_ content: String, to person: String = "b", as question: String = "q_42")
        -> String
    {
        """
        \(content) | closer-keys keybox seal --to "$(cat \(person).pub)" \
            --context 'couple_1|\(question)|alice|bob' > box
        \(packed("cat box"))
        """
    }

    private static func packed(_ token: String) -> String {
        "\(token) | jq -Rc '{encryptedAnswerKey: ., senderId: \"alice\", recipientId: \"bob\"}' > x.json"
    }

    private static let command = "reveal alice.json --release x.json"

    private static let boxes = [
        Refusal(
            "for another device", after: released("cat couple.json", to: "m"), command, 4, "noKey"),
        Refusal(
            "for another question", after: released("cat couple.json", as: "q_43"), command, 3, "authFailed",
            mayLackHint: true),
        Refusal(
            "for the way back",
            after: "release b alice a alice.json > y.json; "
                + "jq -c '.senderId = \"alice\" | .recipientId = \"bob\"' y.json > x.json",
            command, 4, "noKey"),
        Refusal(
            "of bytes that mean nothing", after: packed("jq -nr '\"keybox:v1:\" + \"A\" * 140'"), command, 4,
            "noKey"),
        Refusal(
            "with a changed bit",
            after:
                "jq -c '.encryptedAnswerKey |= .[0:200] + (if .[200:201] == \"A\" then \"B\" else \"A\" end) "
                + "+ .[201:]' for-bob.json > x.json", command, 3, "authFailed", mayLackHint: true),
        Refusal(
            "cut off", after: "jq -c '.encryptedAnswerKey |= .[0:202]' for-bob.json > x.json", command, 3,
            "authFailed", mayLackHint: true),
        Refusal(
            "that is no token", after: packed("echo hunter2"), command, 5, "malformed"),
        Refusal(
            "of another version",
            after: packed("jq -r '.encryptedAnswerKey | sub(\"v1\"; \"v2\")' for-bob.json"),
            command, 5, "malformed"),
        Refusal("that holds no key", after: released("echo hunter2"), command, 5, "malformed"),
        Refusal(
            "that holds another answer's key",
            after: "closer-keys keyset new --type aes256-gcm -o k\n" + released("cat k"), command, 3,
            "authFailed",
            mayLackHint: true),
        Refusal(
            "that holds another raw key", after: released("head -c 32 /dev/zero"), command, 3, "authFailed",
            mayLackHint: true),
        Refusal(
            "that holds a key of 31 bytes", after: released("head -c 31 /dev/zero"), command, 5, "malformed"),
        Refusal(
            "that holds a private key",
            after: "closer-keys keyset new --type ecies-p256 -o k\n" + released("cat k"), command, 5,
            "malformed",
            mayLackHint: true),
        Refusal(
            "that holds a keyset in JSON, of another spelling than the one of v1",
            after:
                "closer-keys keyset new --type aes256-gcm | closer-keys keyset convert - --format json -o k\n"
                + released("cat k"), command, 5, "malformed"),
    ]
}
