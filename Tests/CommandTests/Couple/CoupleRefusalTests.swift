import TestSupport
import Testing

@Suite("A couple that is not what it should be")
struct CoupleRefusalTests {
    @Test(
        "its key does not come back",
        .proves("W16: a rehearsal shows whether phrase and document bring the key back"),
        arguments: recoveries)
    func recover(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    @Test("nobody joins it", arguments: joins)
    func join(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    @Test("nothing is done with it", arguments: others)
    func other(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    private static let recoveries = [
        Refusal(
            "another phrase", after: "umask 077; tr a-z b-za < p.txt > x.txt",
            "couple recover c --phrase-file x.txt couple.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "a phrase that lacks a word", after: "umask 077; sed 's/ [a-z]*$//' p.txt > x.txt",
            "couple recover c --phrase-file x.txt couple.json", 3, "authFailed"),
        Refusal(
            "an empty phrase", after: "umask 077; echo > x.txt",
            "couple recover c --phrase-file x.txt couple.json", 5, "malformed", mayLackHint: true),
        Refusal(
            "a changed wrap",
            after: changed(
                "wrappedCoupleKey", ".[0:40] + (if .[40:41] == \"A\" then \"B\" else \"A\" end) + .[41:]"),
            "couple recover c --phrase-file p.txt x.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "4 GiB of work", after: changed("kdfParams", "sub(\"46080\"; \"4194304\")"),
            "couple recover c --phrase-file p.txt x.json", 5, "malformed"),
        Refusal(
            "hardly any work", after: changed("kdfParams", "sub(\"46080\"; \"8\")"),
            "couple recover c --phrase-file p.txt x.json", 5, "malformed"),
        Refusal(
            "no wrapped key, of three fields", after: "jq -c 'del(.wrappedCoupleKey)' couple.json > x.json",
            "couple recover c --phrase-file p.txt x.json", 5, "malformed"),
        Refusal(
            "no salt, of three fields", after: "jq -c 'del(.kdfSalt)' couple.json > x.json",
            "couple recover c --phrase-file p.txt x.json", 5, "malformed"),
        Refusal(
            "no costs, of three fields", after: "jq -c 'del(.kdfParams)' couple.json > x.json",
            "couple recover c --phrase-file p.txt x.json", 5, "malformed"),
        Refusal(
            "version 0, with a key", after: "jq -c '.encryptionVersion = 0' couple.json > x.json",
            "couple recover c --phrase-file p.txt x.json", 8, "downgrade"),
        Refusal(
            "version 0, without a key", after: "echo '{\"encryptionVersion\":0}' > x.json",
            "couple recover a --phrase-file p.txt x.json", 8, "downgrade"),
        Refusal(
            "version 1 after version 2", after: "jq -c '.encryptionVersion = 1' couple.json > x.json",
            "couple recover a --phrase-file p.txt x.json", 8, "downgrade"),
        Refusal(
            "version 1 after version 2, even when the couple was forgotten",
            after: "couple forget m --yes; jq -c '.encryptionVersion = 1' m-couple.json > x.json",
            "couple recover m --phrase-file m.txt x.json", 8, "downgrade"),
        Refusal(
            "a couple that never had a key", after: "echo '{\"encryptionVersion\":0}' > x.json",
            "couple recover c --phrase-file p.txt x.json", 8, "notYet", mayLackHint: true),
        Refusal(
            "another couple's key where there is one",
            "couple recover a --phrase-file m.txt m-couple.json", 8, "notYet"),
        Refusal(
            "another couple's key, in a rehearsal with the vault",
            "couple rehearse a --phrase-file m.txt m-couple.json", 1, "keyMismatch"),
        Refusal(
            "what is no JSON", "couple recover c --phrase-file p.txt p.txt", 5, "malformed", mayLackHint: true
        ),
        Refusal(
            "nobody to be asked for the phrase", "couple recover c --no-input couple.json", 7,
            "inputRequired"),
    ]

    private static let joins = [
        Refusal(
            "another code", after: "umask 077; echo 7KQ2MX > code",
            "couple join c --code-file code invite.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "a code of five characters", after: "umask 077; echo 7KQ2M > code",
            "couple join c --code-file code invite.json", 5, "malformed", mayLackHint: true),
        Refusal(
            "a document's code in lower case",
            after: "jq -c '.code |= (ascii_downcase | sub(\"^[0-9]*$\"; \"aaaaaa\"))' invite.json > x.json",
            "couple join c x.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "no code and nobody to be asked", after: "jq -c 'del(.code)' invite.json > x.json",
            "couple join c --no-input x.json", 7, "inputRequired"),
        Refusal(
            "a phrase of another invite",
            after: "jq -cs '.[0] + (.[1] | {code, recoveryPhrase})' invite.json m-invite.json > x.json",
            "couple join c x.json", 3, "authFailed", mayLackHint: true),
        Refusal(
            "other costs", after: "jq -c '.kdfParams |= sub(\"46080\"; \"46081\")' invite.json > x.json",
            "couple join c x.json", 5, "malformed"),
        Refusal(
            "an invite without a salt", after: "jq -c 'del(.kdfSalt)' invite.json > x.json",
            "couple join c x.json", 5, "malformed"),
        Refusal(
            "another couple's key where there is one", "couple join b m-invite.json", 8, "notYet"),
    ]

    private static let others = [
        Refusal("made twice", "couple create a --phrase-file x.txt -o x.json", 7, "inputRequired"),
        Refusal(
            "its phrase would replace a file", "couple rewrap a --phrase-file p.txt", 7, "inputRequired"),
        Refusal("unknown, shown", "couple show c", 4, "noKey"),
        Refusal("unknown, rewrapped", "couple rewrap c --phrase-file x.txt", 4, "noKey"),
        Refusal("unknown, forgotten", "couple forget c --yes", 4, "noKey"),
        Refusal(
            "unknown, a field sealed", "closer-keys field seal --vault c.db --couple couple_1 couple.json", 4,
            "noKey"),
        Refusal("forgotten without --yes", "couple forget a", 7, "inputRequired"),
        Refusal("its invite was made elsewhere", "couple show b --invite", 4, "noKey"),
        Refusal("its invite would be in our JSON", "couple show a --invite", 7, "inputRequired"),
        Refusal(
            "another couple's field",
            after: "closer-keys couple join --vault b.db --couple couple_2 invite.json; "
                + "echo hunter2 | closer-keys field seal --vault a.db --couple couple_1 > token",
            "closer-keys field open --vault b.db --couple couple_2 token", 3, "authFailed", mayLackHint: true),
        Refusal(
            "a name that could be two", "closer-keys couple show --vault a.db --couple 'couple|1'", 5,
            "malformed", mayLackHint: true),
    ]

    /// A copy of the couple's document, changed by the jq filter `filter`.
    private static func changed(_ member: String, _ filter: String) -> String {
        "jq -c '.\(member) |= (\(filter))' couple.json > x.json"
    }
}
