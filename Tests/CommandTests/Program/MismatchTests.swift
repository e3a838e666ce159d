import Testing

/// Two things that do not belong together, and the exit code for it, where the pages tell cases apart that look alike.
@Suite("What does not belong together")
struct MismatchTests {
    @Test("is refused with the exit code that the man pages name", arguments: couples + locks + inputs)
    func mismatch(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

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

    /// Standard input for two inputs, one of them often by default. There is no vault, and nothing else that could be read.
    private static let inputs = [
        "answer open --couple c --keyset-file -",
        "answer open --couple c --keyset-file no --release - --couple-keyset-file - no",
        "answer release \(answer) --partner-key no - --partner bob --passphrase-file -",
        "answer reveal \(answer) --partner bob - --release -",
        "answer seal \(answer) --place daily:2026-11-20 --passphrase-file -", "answer verify --answer -",
        "chat open --profile fond --peer-key no --vault no.db --passphrase-file -",
        "chat seal --profile fond --peer-key no --private-key-file -",
        "check --kind couple --as-server --previous - -",
        "couple join \(couple) --code-file -", "couple join \(couple) --passphrase-file -",
        "couple recover \(couple) --phrase-file -",
        "couple recover \(couple) --phrase-file /dev/fd/0 --passphrase-file - no",
        "couple rekey \(couple) --partner bob --accept --passphrase-file -",
        "couple verify \(couple) --partner bob --scanned - --passphrase-file -",
        "doctor - --export-passphrase-file -",
        "device export --vault no.db --passphrase-file - --export-passphrase-file - -o made",
        "device import --vault made --export-passphrase-file -",
        "device import --vault made --export-passphrase-file - --passphrase-file - no",
        "device passphrase --vault no.db --passphrase-file - --new-passphrase-file /dev/fd/0",
        "field open --keyset-file - --couple c", "field seal --keyset-file /dev/stdin --couple c",
        "field seal \(couple) --passphrase-file - --jsonl",
        "field seal \(couple) --key-file /dev/stdin", "file open --keyset-file -",
        "keybox open --vault no.db --context x --passphrase-file -",
        "keybox seal --to - --context x",
        "x25519 safety-number --private-key-file - --peer-key no --partner bob --scanned -",
    ].map {
        Refusal(
            "standard input twice: \($0)", "closer-keys \($0) < p.txt", 64, "usage", mayLackHint: true,
            says: "standard input can be read only once")
    }
    private static let couple = "--vault no.db --couple c"
    private static let answer = "\(couple) --question q"
}
