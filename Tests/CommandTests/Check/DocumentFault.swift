import Testing

/// One fault in a document that was valid, and the rules that it breaks.
struct DocumentFault: Sendable, CustomTestStringConvertible {
    /// What `closer-keys check` calls the document.
    let noun: String
    /// For jq, on a valid document.
    let filter: String
    /// Ids, in the order in which they are named.
    let rules: [String]

    var testDescription: String { "\(noun): \(filter)" }

    static let nouns = [
        "couple", "invite", "answer", "release-key", "device", "rekey", "pair-offer", "pair-reply",
        "pair-grant", "game-slot", "fitlink-message", "fitlink-user", "fond-user", "legacy-answer",
    ]

    static let all = couple + invite + answer + releaseKey + device + rekey + pairing + chats + legacyAnswer

    private static func faults(_ noun: String, _ faults: [(String, String)]) -> [DocumentFault] {
        faults.map { filter, rules in
            DocumentFault(noun: noun, filter: filter, rules: rules.split(separator: " ").map(String.init))
        }
    }

    /// The faults of every member that is a text: it is missing, or it is something else.
    private static func noText(_ members: String...) -> [(String, String)] {
        members.flatMap { name in
            [
                ("del(.\(name))", "\(name).present"), (".\(name) = null", "\(name).present"),
                (".\(name) = 1", "\(name).string"), (".\(name) = [.\(name)]", "\(name).string"),
                (".\(name) = \"\"", "\(name).\(ownRule(name))"),
            ]
        }
    }

    /// The rule for the content of a text.
    private static func ownRule(_ member: String) -> String {
        switch member {
        case "userId", "coupleId", "questionId", "senderId", "recipientId": "identifier"
        case "encryptedPayload": "sealed"
        case "commitmentHash": "commitment"
        case "encryptedAnswerKey", "encryptedCoupleKey": "keybox"
        case "encrypted_content": "messageContent"
        case "iv": "messageIV"
        case "public_key": "x25519PublicKey"
        default: member
        }
    }

    private static let wrap = [
        (".wrappedCoupleKey |= .[0:36]", "wrappedCoupleKey.wrappedCoupleKey"),
        (".wrappedCoupleKey |= \" \" + .", "wrappedCoupleKey.wrappedCoupleKey"),
        (".wrappedCoupleKey |= \"A\" * 21888", "wrappedCoupleKey.wrappedCoupleKey"),
        (".kdfSalt |= .[0:22]", "kdfSalt.kdfSalt"), (".kdfSalt |= \"AAAA\" + .", "kdfSalt.kdfSalt"),
        (".kdfSalt = \"AAECAwQFBgcICQoLDA0ODx==\"", "kdfSalt.kdfSalt"),
        (".kdfSalt = \"A\" * 22 + \"==\"", "kdfSalt.weakSalt"),
        (".kdfParams |= sub(\"46080\"; \"46079\")", "kdfParams.kdfParams"),
        (".kdfParams |= sub(\"argon2id\"; \"argon2i\")", "kdfParams.kdfParams"),
        (".kdfParams |= fromjson", "kdfParams.string"),
    ]

    private static let couple = faults(
        "couple",
        wrap + [
            (".encryptionVersion = 3", "encryptionVersion.encryptionVersion"),
            (".encryptionVersion = \"2\"", "encryptionVersion.encryptionVersion"),
            (".encryptionVersion = 1.5", "encryptionVersion.encryptionVersion"),
            (".encryptionVersion = 0", "encryptionVersion.versionForWrap"),
            ("{encryptionVersion}", "wrappedCoupleKey.wrapForVersion"),
            ("{encryptionVersion: 1}", "wrappedCoupleKey.wrapForVersion"),
            ("del(.wrappedCoupleKey)", "wrappedCoupleKey.wholeWrap"), ("del(.kdfSalt)", "kdfSalt.wholeWrap"),
            (".kdfParams = null", "kdfParams.wholeWrap"),
            ("del(.kdfSalt, .kdfParams)", "kdfSalt.wholeWrap kdfParams.wholeWrap"),
            (".kdfSalt = 1 | .kdfParams = \"\"", "kdfSalt.string kdfParams.kdfParams"),
            (".encryptionMigrationUsers = []", "encryptionMigrationUsers.migrationUsers"),
            (".encryptionMigrationUsers.alice = 1", "encryptionMigrationUsers.migrationUsers"),
            (".userIds = [\"alice\", \"alice\"]", "userIds.userIds"),
            (".userIds = \"alice\"", "userIds.userIds"),
            (".userIds = [] | .encryptionVersion = 0", "userIds.userIds encryptionVersion.versionForWrap"),
        ])

    private static let invite = faults(
        "invite",
        wrap + noText("wrappedCoupleKey", "kdfSalt", "kdfParams", "recoveryPhrase") + [
            (".code = 123456", "code.string"), (".code = \"\"", "code.code"),
            (".code |= .[0:5]", "code.code"), (".code |= . + \"7\"", "code.code"),
            (".code |= .[0:5] + \"-\"", "code.code"), (".code |= .[0:4] + \"é\"", "code.code"),
            (".recoveryPhrase |= \"AA\" + .[2:]", "recoveryPhrase.recoveryPhrase"),
            (".recoveryPhrase |= .[0:60]", "recoveryPhrase.recoveryPhrase"),
            (".recoveryPhrase |= . + \"\\n\"", "recoveryPhrase.recoveryPhrase"),
            (".status = \"accepted\"", "recoveryPhrase.wiped"), (".status = \"open\"", "status.inviteStatus"),
            (".expiresAt = \"soon\"", "expiresAt.time"), (".createdAt = {}", "createdAt.time"),
            ("del(.recoveryPhrase) | .status = \"expired\"", "recoveryPhrase.present"),
        ])

    private static let answer = faults(
        "answer",
        noText("userId", "questionId", "encryptedPayload", "commitmentHash") + [
            (".userId = \"a|b\"", "userId.identifier"),
            (".questionId = \"q\" * 129", "questionId.identifier"),
            ("del(.schemaVersion)", "schemaVersion.present"),
            (".schemaVersion = 2", "schemaVersion.schemaVersion"),
            (".schemaVersion = \"3\"", "schemaVersion.schemaVersion"),
            (".encryptedPayload |= sub(\"v1\"; \"v2\")", "encryptedPayload.sealed"),
            (".encryptedPayload |= .[0:89]", "encryptedPayload.sealed"),
            (".encryptedPayload |= . + \"=\"", "encryptedPayload.sealed"),
            (".encryptedPayload |= . + \" \"", "encryptedPayload.sealed"),
            (".commitmentHash |= .[0:49]", "commitmentHash.commitment"),
            (".commitmentHash |= .[0:49] + \"B\"", "commitmentHash.commitment"),
            (".commitmentHash |= sub(\"sha256\"; \"SHA256\")", "commitmentHash.commitment"),
            ("del(.answerKeyReleased)", "answerKeyReleased.present"),
            (".answerKeyReleased = 0", "answerKeyReleased.boolean"),
            (".isRevealed = \"false\"", "isRevealed.boolean"),
            (".text = \"in the clear\"", "text.plaintext"),
            (".b = [{c: \"\"}] | .a = \"x\"", "a.plaintext b.plaintext"),
            (".text = \"enc:v1:AAAA\"", "text.plaintext"), (".createdAt = \"now\"", "createdAt.plaintext"),
            (".answerDate = \"2026-02-29\"", "answerDate.plaintext"),
            (
                "{}",
                "userId.present questionId.present schemaVersion.present encryptedPayload.present "
                    + "commitmentHash.present answerKeyReleased.present"
            ),
        ])

    private static let releaseKey = faults(
        "release-key",
        noText("encryptedAnswerKey", "senderId", "recipientId") + [
            (".encryptedAnswerKey |= .[0:129]", "encryptedAnswerKey.keybox"),
            (".encryptedAnswerKey |= sub(\"keybox\"; \"sealed\")", "encryptedAnswerKey.keybox"),
            (".senderId = \"a b\"", "senderId.identifier"),
            (".recipientId = .senderId", "recipientId.otherPerson"),
        ])

    private static let rekey = faults(
        "rekey",
        noText("encryptedCoupleKey", "senderId", "recipientId") + [
            (".encryptedCoupleKey |= .[0:129]", "encryptedCoupleKey.keybox"),
            (".recipientId = .senderId", "recipientId.otherPerson"),
            ("del(.epoch)", "epoch.present"), (".epoch = 0", "epoch.epoch"), (".epoch = 1.5", "epoch.epoch"),
            (".epoch = 4294967296", "epoch.epoch"), (".epoch = \"1\"", "epoch.epoch"),
        ])

    private static let pairing =
        faults(
            "pair-offer",
            noText("lookup", "purpose", "coupleId", "userId", "publicKey", "x25519PublicKey", "offer") + [
                (".lookup |= ascii_downcase", "lookup.lookup"), (".purpose = \"device\"", "purpose.purpose"),
                (".x25519PublicKey = \"A\" * 43 + \"=\"", "x25519PublicKey.x25519PublicKey"),
                // The identity, and a character less.
                (".offer |= .[0:30] + \"wAA\" + \"A\" * 40", "offer.offer"),
                (".offer |= .[0:72]", "offer.offer"),
            ])
        + faults(
            "pair-reply",
            noText("lookup", "purpose", "userId", "publicKey", "x25519PublicKey", "reply") + [
                (".reply |= .[0:94]", "reply.reply"), (".reply |= .[0:96]", "reply.reply"),
                (".reply |= sub(\"v1\"; \"v2\")", "reply.reply"),
            ])
        + faults(
            "pair-grant",
            noText("lookup", "purpose", "grant") + [
                (".grant |= .[0:128]", "grant.grant"), (".grant |= . + \"=\"", "grant.grant"),
            ])

    private static let chats =
        faults(
            "game-slot",
            [
                ("del(.answers)", "answers.present"), (".answers = []", "answers.fieldsByUser"),
                (".answers.bob = \"yes\"", "answers.fieldsByUser"),
                (".answers.eve = .answers.bob", "answers.fieldsByUser"),
                (".answersText = {alice: \"rock\"}", "answersText.plaintext"),
            ])
        + faults(
            "fitlink-message",
            noText("encrypted_content", "iv") + [
                (".iv |= .[4:]", "iv.messageIV"), (".payload = {plan_id: \"p\"}", "payload.plaintext"),
                (".type = \"sticker\" | .status = \"seen\"", "status.plaintext type.plaintext"),
            ])
        + faults("fitlink-user", noText("public_key"))
        + faults(
            "fond-user",
            [
                ("del(.publicKey)", "publicKey.present"),
                (".publicKey = \"A\" * 43 + \"=\"", "publicKey.x25519PublicKey"),
                (".encryptedStatus |= .[0:36]", "encryptedStatus.fondField"),
                (".encryptedLocation = 1", "encryptedLocation.string"),
                (".encryptedHeartbeat = \"\"", "encryptedHeartbeat.fondField"),
                (".encryptedName = \"Alice\"", "encryptedName.fondField"),
                (".encryptedMessage = \"hi\"", "encryptedMessage.fondField"),
                (".encryptedPromptAnswer = \"yes\"", "encryptedPromptAnswer.fondField"),
                (".name = \"Alice\"", "name.plaintext"),
            ])

    private static let legacyAnswer = faults(
        "legacy-answer",
        [
            ("del(.userId)", "userId.present"), (".questionId = \"\"", "questionId.identifier"),
            (".schemaVersion = 3", "schemaVersion.otherSchema"), (".isRevealed = 1", "isRevealed.boolean"),
            (".text = \"yes\"", "content.field"), (".text = \"yes\" | .note = \"no\"", "content.field"),
            (".schemaVersion = \"3\" | .chat = \"\"", "schemaVersion.otherSchema content.field"),
            (".choices = [\"yes\"]", "choices.plaintext"), (".createdAt = \"now\"", "createdAt.plaintext"),
        ])

    private static let device = faults(
        "device",
        noText("publicKey", "platform") + [
            (".publicKey |= .[0:60]", "publicKey.publicKey"),
            (".publicKey |= sub(\"pub\"; \"PUB\")", "publicKey.publicKey"),
            (".platform = \"x\" * 129", "platform.platform"),
        ])
}
