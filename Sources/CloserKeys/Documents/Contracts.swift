/// The table: what each kind of document must be. `vectors/contract/rules.json` is this in JSON.
extension DocumentKind {
    /// What a server demands of this kind.
    package var contract: DocumentContract {
        switch self {
        case .couple: Contracts.couple
        case .invite: Contracts.invite
        case .answer: Contracts.answer
        case .releaseKey: Contracts.releaseKey
        case .rekey: Contracts.rekey
        case .device: Contracts.device
        case .pairOffer: Contracts.pairOffer
        case .pairReply: Contracts.pairReply
        case .pairGrant: Contracts.pairGrant
        case .gameSlot: Contracts.gameSlot
        case .chatMessage: Contracts.chatMessage
        case .chatKey: Contracts.chatKey
        case .fitLinkMessage: Contracts.fitLinkMessage
        case .fitLinkUser: Contracts.fitLinkUser
        case .fondUser: Contracts.fondUser
        case .legacyAnswer: Contracts.legacyAnswer
        }
    }
}

private enum Contracts {
    // MARK: - Couples

    static let couple = DocumentContract(
        paths: ["couples/{coupleId}"],
        [.init("encryptionVersion", .optional, .number, .encryptionVersion)] + wrap(.wholeWrap) + [
            .init("encryptionMigrationUsers", .optional, .map, .migrationUsers),
            .init("userIds", .optional, .list, .userIds),
        ],
        relations: [
            .init(.versionForWrap, "encryptionVersion", reading: ["encryptionVersion"] + KeyWrap.names),
            .init(.wrapForVersion, "wrappedCoupleKey", reading: ["encryptionVersion"] + KeyWrap.names),
            .init(.notLowered, "encryptionVersion", reading: ["encryptionVersion"]),
            .init(.required, "encryptionVersion", reading: ["encryptionVersion"]),
        ],
        writes: WriteRules(
            createdBy: [.server], fixed: ["userIds"],
            updates: [
                .init(
                    "migrationStart", by: .member, .server,
                    changes: ["encryptionVersion", "encryptionMigrationUsers.<uid>"] + KeyWrap.names,
                    versions: VersionStep(from: 0...0, to: 1...1), empty: "encryptionMigrationUsers"),
                .init(
                    "migrationOwn", by: .member, changes: ["encryptionMigrationUsers.<uid>"],
                    versions: VersionStep(from: 1...2, to: 1...2)),
                .init(
                    "migrationEnd", by: .member, .server,
                    changes: ["encryptionVersion", "encryptionMigrationUsers.<uid>"],
                    versions: VersionStep(from: 1...1, to: 2...2), complete: "encryptionMigrationUsers"),
                .init(
                    "versionSpelled", by: .member, .server, changes: ["encryptionVersion"],
                    versions: VersionStep(from: 2...2, to: 2...2)),
                .init(
                    "onlyWrap", by: .member, .server, changes: KeyWrap.names,
                    versions: VersionStep(from: 1...2, to: 1...2)),
                .init("onlyRhythm", by: .member, .server, changes: ["streakCount", "lastAnsweredAt"]),
                .init("byServer", by: .server, changes: ["currentQuestionId", "activePackId"]),
            ]))

    static func wrap(_ presence: Presence) -> [MemberRule] {
        [
            .init("wrappedCoupleKey", presence, .string, .wrappedCoupleKey),
            .init("kdfSalt", presence, .string, .kdfSalt, .weakSalt),
            .init("kdfParams", presence, .string, .kdfParams),
        ]
    }

    static let invite = DocumentContract(
        paths: ["invites/{code}"],
        [.init("code", .optional, .string, .code)] + wrap(.required) + [
            .init("recoveryPhrase", .untilAccepted, .string, .recoveryPhrase),
            .init("inviterUserId", .optional, .string, .identifier, isOfWrite: true),
            .init("status", .optional, .string, .inviteStatus, isOfWrite: true),
            .init("createdAt", .optional, .time, .time, isOfWrite: true),
            .init("expiresAt", .optional, .time, .time, isOfWrite: true),
        ],
        relations: [.init(.wiped, "recoveryPhrase", reading: ["recoveryPhrase", "status"], isOfWrite: true)],
        writes: WriteRules(
            createdBy: [.server], owner: "inviterUserId",
            updates: [.init("byServer", by: .server, changes: ["*"])]))

    static let rekey = DocumentContract(
        [.init("encryptedCoupleKey", .required, .string, .keybox)] + people + [
            .init("epoch", .required, .number, .epoch)
        ], relations: otherPerson,
        writes: WriteRules(createdBy: [.owner], owner: "senderId", isOfCouple: true))

    static let people: [MemberRule] = [
        .init("senderId", .required, .string, .identifier),
        .init("recipientId", .required, .string, .identifier),
    ]
    static let otherPerson: [RelationRule] = [
        .init(.otherPerson, "recipientId", reading: ["senderId", "recipientId"])
    ]

    // MARK: - Answers

    static let answerPaths = [
        "couples/{coupleId}/daily_question/{date}/answers/{userId}",
        "couples/{coupleId}/threads/{threadId}/messages/{userId}",
    ]
    /// Names that an answer may have beside its content.
    static let placeOfAnswer: [(name: String, rule: DocumentRule)] = [
        ("coupleId", .identifier), ("date", .date), ("answerDate", .date), ("threadId", .identifier),
        ("createdAt", .time), ("updatedAt", .time),
    ]
    static let author: [MemberRule] = [
        .init("userId", .required, .string, .identifier),
        .init("questionId", .required, .string, .identifier),
    ]

    static let answer = DocumentContract(
        paths: answerPaths,
        author + [
            .init("schemaVersion", .required, .number, .schemaVersion),
            .init("encryptedPayload", .required, .string, .sealed),
            .init("commitmentHash", .required, .string, .commitment),
            .init("answerKeyReleased", .required, .boolean), .init("isRevealed", .optional, .boolean),
        ],
        // A sealed answer with other tokens beside would have two shapes.
        texts: TextRules(named: placeOfAnswer, hasTimes: true),
        notInThread: ["isRevealed", "answerDate"],
        writes: WriteRules(
            createdBy: [.owner], initiallyFalse: ["answerKeyReleased", "isRevealed"], owner: "userId",
            isOfCouple: true,
            updates: [
                .init(
                    "onlyRelease", by: .owner, .server,
                    changes: ["isRevealed", "answerKeyReleased", "updatedAt"]
                )
            ]))

    static let legacyAnswer = DocumentContract(
        paths: [answerPaths[0]],
        author + [
            .init("schemaVersion", .optional, .number, .otherSchema),
            .init("isRevealed", .optional, .boolean),
        ],
        texts: TextRules(named: placeOfAnswer, hasTimes: true, hasTokens: true, isClearBefore: true),
        writes: WriteRules(
            createdBy: [.owner], owner: "userId", isOfCouple: true, fixed: ["schemaVersion"],
            updates: byOwner))

    static let gameSlot = DocumentContract(
        [.init("answers", .required, .map, .fieldsByUser)],
        texts: TextRules(
            named: [
                ("coupleId", .identifier), ("sessionId", .identifier), ("questionId", .identifier),
                ("createdByUserId", .identifier), ("createdAt", .time), ("updatedAt", .time),
            ], hasTimes: true, hasTokens: true),
        writes: WriteRules(
            createdBy: [.member, .server], isOfCouple: true,
            updates: [
                .init("ownSlot", by: .member, changes: ["answers.<uid>"]),
                .init("byServer", by: .server, changes: ["*"]),
            ]))

    static let releaseKey = DocumentContract(
        paths: ["couples/{coupleId}/daily_question/{date}/answers/{senderId}/releaseKeys/{recipientId}"],
        [.init("encryptedAnswerKey", .required, .string, .keybox)] + people, relations: otherPerson,
        writes: WriteRules(createdBy: [.owner], owner: "senderId", isOfCouple: true))

    // MARK: - People

    static let device = DocumentContract(
        paths: ["users/{userId}/devices/{deviceId}"],
        [
            .init("publicKey", .required, .string, .publicKey),
            .init("platform", .required, .string, .platform),
        ],
        writes: ofOwner)

    static let pairPaths = ["couples/{coupleId}/pairings/{lookup}"]
    static let pairing: [MemberRule] = [
        .init("lookup", .required, .string, .lookup), .init("purpose", .required, .string, .purpose),
    ]
    static let party: [MemberRule] = [
        .init("userId", .required, .string, .identifier),
        .init("publicKey", .required, .string, .publicKey),
        .init("x25519PublicKey", .required, .string, .x25519PublicKey),
    ]

    static let byOwner = [UpdateRule("any", by: .owner, changes: ["*"])]
    static let ofOwner = WriteRules(createdBy: [.owner], owner: "userId", updates: byOwner)
    static let pairOffer = DocumentContract(
        paths: pairPaths,
        pairing + [.init("coupleId", .required, .string, .identifier)] + party + [
            .init("offer", .required, .string, .offer)
        ], writes: ofOwner)
    static let pairReply = DocumentContract(
        paths: pairPaths, pairing + party + [.init("reply", .required, .string, .reply)],
        writes: ofOwner)
    static let pairGrant = DocumentContract(
        paths: pairPaths, pairing + [.init("grant", .required, .string, .grant)])

    // MARK: - Chats

    static let chatMessage = DocumentContract(
        paths: ["friend_chats/{chatId}/friend_messages/{messageId}"],
        [
            .init("encrypted_content", .required, .string, .chatToken),
            .init("sender_id", .required, .string, .identifier),
        ] + ["iv", "type", "payload", "reply_to"].map { .init($0, .absent, .string, isOfWrite: true) },
        texts: TextRules(
            named: [
                ("id", .identifier), ("timestamp", .time), ("status", .messageStatus), ("read_at", .time),
            ]),
        relations: [.init(.ofChat, "sender_id", reading: ["sender_id"], isOfWrite: true)], writes: ofSender)
    static let ofSender = WriteRules(
        createdBy: [.owner], owner: "sender_id",
        updates: [.init("byServer", by: .server, changes: ["status", "read_at"])])
    static let chatKey = DocumentContract(
        paths: ["friend_chats/{chatId}/chat_keys/{senderId}"],
        people + [
            .init("index", .required, .number, .chatIndex),
            .init("publicKey", .required, .string, .x25519PublicKey),
            .init("mac", .required, .string, .chatMac),
        ],
        relations: otherPerson + [
            .init(.ofChat, "senderId", reading: ["senderId", "recipientId"], isOfWrite: true)
        ],
        writes: WriteRules(
            createdBy: [.owner], owner: "senderId",
            updates: [
                .init(
                    "newChatKey", by: .owner, changes: ["index", "publicKey", "mac", "updatedAt"],
                    rises: "index"),
                .init("sameChatKey", by: .owner, changes: []),
            ]))

    static let fitLinkMessage = DocumentContract(
        [
            .init("encrypted_content", .required, .string, .messageContent),
            .init("iv", .required, .string, .messageIV),
        ],
        texts: TextRules(
            named: [
                ("id", .identifier), ("sender_id", .identifier), ("type", .messageType), ("timestamp", .time),
                ("status", .messageStatus), ("read_at", .time), ("reply_to", .identifier),
            ]), writes: ofSender)
    static let fitLinkUser = DocumentContract(
        [.init("public_key", .required, .string, .x25519PublicKey)],
        writes: WriteRules(createdBy: [.owner], owner: "user_id", updates: byOwner))
    static let fondUser = DocumentContract(
        paths: ["users/{userId}"],
        [.init("publicKey", .required, .string, .x25519PublicKey)]
            + DocumentKind.fondFields.map { .init($0, .optional, .string, .fondField) },
        texts: TextRules(
            named: [("userId", .identifier), ("connectionId", .identifier), ("partnerUid", .identifier)]),
        writes: WriteRules(
            createdBy: [.owner], owner: "userId",
            updates: byOwner + [.init("byServer", by: .server, changes: ["connectionId", "partnerUid"])]))
}
