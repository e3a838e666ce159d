import TestSupport
import Testing

@Suite("An answer of ours stays as it is")
struct SealRefusalTests {
    @Test("it is not handed out", arguments: releases)
    func release(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    @Test("it is not sealed", .proves("`--json` prints exactly one object"), arguments: seals)
    func seal(_ refusal: Refusal) async throws { try await CoupleScene().check(refusal) }

    private static let releases = [
        Refusal(
            "before our own", after: "jq -c '.questionId = \"q_43\"' bob.json > x.json",
            "answer release a q_43 --partner bob --partner-key $(cat b.pub) x.json", 8,
            "notYet"),
        Refusal(
            "to another key than before", "release a bob m bob.json", 1, "partnerKeyMismatch"),
        Refusal(
            "to another person than before", after: "jq -c '.userId = \"carol\"' forged.json > x.json",
            "release a carol m x.json", 1, "pinMismatch", mayNoteConflict: true),
        Refusal(
            "against another answer than before", after: "jq -c '.userId = \"bob\"' forged.json > x.json",
            "release a bob b x.json", 1, "pinMismatch", mayNoteConflict: true),
        Refusal(
            "against another sealed text with the same commitment",
            after: "jq -c '.encryptedPayload = input.encryptedPayload' bob.json forged.json > x.json",
            "release a bob b x.json", 1, "pinMismatch", mayNoteConflict: true),
        Refusal(
            "against a copy of our commitment",
            after: "jq -c '.commitmentHash = input.commitmentHash' alice.json bob.json > x.json",
            "release b alice a x.json", 1, "commitmentMismatch"),
        Refusal(
            "to a key that nobody compared, where that is demanded",
            "release b alice a alice.json --require-verified", 8, "notYet"),
        Refusal(
            "to what is no key",
            "answer release b q_42 --partner alice --partner-key pub:v1:AAAA alice.json", 5,
            "malformed",
            mayLackHint: true),
        Refusal("to ourselves", "release a alice a alice.json", 64, "usage", mayLackHint: true),
    ]

    private static let seals = [
        Refusal("a second time", "answer seal b q_42 $D <<< '{\"answer\":\"hunter2\"}'", 7, "inputRequired"),
        Refusal(
            "again after its release", "answer seal a q_42 $D --replace <<< '{\"answer\":\"hunter2\"}'", 8,
            "notYet"),
        Refusal(
            "again after theirs was revealed", after: "reveal alice.json --release for-bob.json > x.json",
            "answer seal b q_42 $D --replace <<< '{\"answer\":\"hunter2\"}'", 8, "notYet"),
        Refusal(
            "without a place", "answer seal b q_43 <<< '{\"answer\":\"hunter2\"}'", 64, "usage",
            mayLackHint: true),
        Refusal(
            "for a day that is none",
            "answer seal b q_43 --place daily:2026-02-29 <<< '{\"answer\":\"hunter2\"}'", 5, "malformed",
            mayLackHint: true),
        Refusal(
            "to a reserved question", "answer seal b ck.q $D <<< '{\"answer\":\"hunter2\"}'", 5, "malformed",
            mayLackHint: true),
        Refusal(
            "with a reserved name in it", "answer seal b q_43 $D <<< '{\"_m\":\"hunter2\"}'", 5, "malformed",
            mayLackHint: true),
        Refusal(
            "when it is no object", "answer seal b q_43 $D <<< '[\"hunter2\"]'", 5, "malformed",
            mayLackHint: true),
        Refusal(
            "without padding when it is short",
            "answer seal b q_43 $D --profile compat <<< '{\"a\":\"hunter2\"}'", 5, "malformed"),
        Refusal(
            "when it is too large",
            "answer seal b q_43 $D < <(printf '{\"a\":\"%070000d\"}' 0)", 6, "limit", mayLackHint: true),
    ]
}
