import Testing

/// Two things that do not belong together, and the exit code for it, where the pages tell cases apart that look alike.
@Suite("What does not belong together")
struct MismatchTests {
    @Test("is refused with the exit code that the man pages name", arguments: couples + locks + inputs)
    func mismatch(_ refusal: Refusal) throws { try CoupleScene().check(refusal) }

    private static let token = "closer-keys field seal --vault a.db --couple couple_1 p.txt > token"
    private static let open = "closer-keys field open --vault b.db --couple couple_2 token"

    /// Another couple's name, and a partner who is not one.
    private static let couples = [
        Refusal(
            "another couple's name, with a keyset file",
            after: "closer-keys keyset new --type aes256-gcm -o k; "
                + "closer-keys field seal --keyset-file k --couple couple_1 p.txt > token",
            "closer-keys field open --keyset-file k --couple couple_2 token", 3, "authFailed"),
        Refusal("another couple's name, with a vault that does not have it", after: token, open, 4, "noKey"),
        Refusal(
            "another couple's name, with a vault that has it under another key",
            after: "closer-keys couple join --vault b.db --couple couple_2 m-invite.json; \(token)", open, 4,
            "noKey", mayLackHint: true),
        Refusal(
            "this device's own key as the partner's, compared",
            "couple verify a --partner bob --partner-key $(cat a.pub)", 1, "partnerKeyMismatch"),
        Refusal(
            "this device's own key as the partner's, released to", "release b alice b alice.json", 1,
            "partnerKeyMismatch"),
        Refusal(
            "this device's own user as the partner",
            "couple verify a --partner alice --partner-key $(cat b.pub)", 64, "usage", mayLackHint: true),
    ]

    private static let locks = [
        Refusal(
            "a passphrase for a vault under a key file",
            "closer-keys device show --vault a.db --passphrase-file p.txt", 5, "malformed", mayLackHint: true),
        Refusal(
            "a passphrase and the key file for it",
            "closer-keys device show --vault a.db --passphrase-file p.txt --key-file a.key", 5, "malformed",
            mayLackHint: true),
        Refusal(
            "a key file for a vault under a passphrase",
            after: "closer-keys device init --vault v.db --user v --passphrase-file p.txt",
            "closer-keys device show --vault v.db --key-file a.key", 5, "malformed", mayLackHint: true),
        Refusal(
            "two locks for a new vault",
            "closer-keys device init --vault v.db --user v --passphrase-file p.txt --key-file v.key", 64,
            "usage", mayLackHint: true),
    ]

    /// Standard input for two inputs.
    private static let inputs =
        [
            "closer-keys check couple --previous - - < couple.json", "reveal - --release-key - < alice.json",
            "couple recover c --phrase-file - < couple.json", "couple join c --code-fd 0 < invite.json",
            "closer-keys keybox seal --to-file - --context x < a.pub",
        ].map { Refusal("standard input twice: \($0)", $0, 64, "usage", mayLackHint: true) } + [
            Refusal(
                "standard input twice, and what is read first is not valid",
                "couple recover c --phrase-file - < p.txt", 5, "malformed")
        ]
}
