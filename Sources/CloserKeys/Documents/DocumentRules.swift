internal import CloserPrimitives
internal import CloserWire

/// Every rule: its name, its words, its form and its check together. A new one is also entered in `allCases`, at the end.
extension DocumentRule: CaseIterable {
    // MARK: - Presence and type

    /// The member is there, and not null.
    public static let present = row("present", "must be there")
    /// It is a string.
    public static let string = row("string", "must be a string")
    /// It is true or false.
    public static let boolean = row("boolean", "must be true or false")
    /// A wrap has all three of its members, or lacks all three.
    public static let wholeWrap = DocumentRule(
        "wholeWrap", "must come with wrappedCoupleKey, kdfSalt and kdfParams, all three or none",
        RuleForm(code: [.members]), .row)

    /// The member is missing: a bound message has it inside its token.
    public static let absent = row("absent", "must be missing: the token holds it")

    // MARK: - Members beside each other

    /// An encrypted couple has a wrap.
    public static let wrapForVersion = members(
        "wrapForVersion", "must be there when encryptionVersion is 1 or 2"
    ) { document, _ in document.has("wrappedCoupleKey") || document.coupleVersion == .plaintext }
    /// A couple with a wrap is encrypted.
    public static let versionForWrap = members(
        "versionForWrap", "must be 1 or 2 where a key is wrapped: it is never lowered"
    ) { document, _ in !document.has("wrappedCoupleKey") || document.coupleVersion != .plaintext }
    /// Sender and recipient are two people.
    public static let otherPerson = members("otherPerson", "must not be the sender") { document, bytes in
        document.string("senderId", in: bytes) != document.string("recipientId", in: bytes)
    }

    /// The phrase of an accepted invite is gone.
    public static let wiped = members("wiped", "must be gone from an invite that was accepted") {
        document, bytes in !(document.has("recoveryPhrase") && document.isAccepted(in: bytes))
    }

    /// It is one of the two whose ids make that of the chat, where the path names the chat.
    public static let ofChat = members("ofChat", "must be one of the two whose ids make the chat's") {
        document, bytes in
        guard let chat = document.path?["chatId"] else { return true }
        return ["sender_id", "senderId", "recipientId"].compactMap { document.string($0, in: bytes) }
            .allSatisfy { chat.hasPrefix("\($0)_") || chat.hasSuffix("_\($0)") }
    }

    // MARK: - The document before, the path, and who writes

    /// The version is at least the former one (docs/threat-model.md#w9).
    public static let notLowered = write("notLowered", "must not be lower than in the previous document")
    /// The version is at least what the server requires.
    public static let required = write("required", "must not be lower than this server requires")
    /// The change is one of those that a user, or the server, may make.
    public static let notAnUpdate = write("notAnUpdate", "must not be changed so by this writer")
    /// The writer is one of the couple's two users.
    public static let notAMember = write(
        "notAMember", "must name the writer: only the two of a couple write")
    /// The writer is the author.
    public static let notTheOwner = write("notTheOwner", "must be the writer")
    /// The writer is the server itself.
    public static let notTheServer = write("notTheServer", "must be written by the server: no user may")
    /// It is the id that the document's path has.
    public static let samePath = write("samePath", "must be the id in the document's path")
    /// It is left out of a message in a thread.
    public static let notInThread = write("notInThread", "must be missing in a thread")
    /// It is a text of the form that the contract gives its name, or each text in it, at any depth, is a token.
    public static let plaintext = write(
        "plaintext", "must hold no text but tokens, or what the contract or the app names")

    // MARK: - Numbers, lists and maps

    /// It is 0, 1 or 2: see ``EncryptionVersion``.
    public static let encryptionVersion = DocumentRule(
        "encryptionVersion", "must be 0, 1 or 2", RuleForm(numbers: 0...2), .form)
    /// It is 3, the only schema of sealed answers.
    public static let schemaVersion = DocumentRule(
        "schemaVersion", "must be 3", RuleForm(numbers: 3...3), .form)
    /// It is another schema than that of sealed answers, in which each text is a ``FieldToken``.
    public static let otherSchema = DocumentRule(
        "otherSchema", "must be a whole number other than 3, the schema of sealed answers",
        RuleForm(numbers: 0...RuleForm.maximumInteger, refused: [.number(3)]), .form)
    /// It is a number that a rekey can have.
    public static let epoch = DocumentRule(
        "epoch", "must be 1 to 4294967295", RuleForm(numbers: 1...4_294_967_295), .form)
    /// It is the birth of a chat key, in seconds since 1970.
    public static let chatIndex = DocumentRule(
        "chatIndex", "must be 1 to 4294967295, a time in seconds", RuleForm(numbers: 1...4_294_967_295), .form
    )
    /// It says `true` for each user who has migrated, one or two of the couple.
    public static let migrationUsers = DocumentRule(
        "migrationUsers", "must have the value true for each of at most two ids of users",
        RuleForm(elements: .isTrue, count: 0...2), .form)
    /// It is the ids of two users.
    public static let userIds = DocumentRule(
        "userIds", "must be a list of two different ids",
        RuleForm(elements: .unique(.identifier), count: 2...2), .form)
    /// It has a ``FieldToken`` for each user, of two at most.
    public static let fieldsByUser = DocumentRule(
        "fieldsByUser", "must have an enc:v1: or enc:v2: token for each of at most two ids of users",
        RuleForm(elements: .values(.field), count: 0...2), .form)

    // MARK: - Names

    /// It is a name: see ``Identifier``.
    public static let identifier = text(
        "identifier", "must be 1 to 128 of the characters a-z A-Z 0-9 . _ - : @ +",
        RuleForm(pattern: "^[A-Za-z0-9._:@+-]{1,128}$")
    ) { try UserID(parsing: $0) }
    /// It is an invite code.
    public static let code = DocumentRule(
        "code", "must match ^[a-zA-Z0-9]{6}$", RuleForm(pattern: "^[a-zA-Z0-9]{6}$"),
        .secret { (try? InviteCode(parsing: $0)) != nil })
    /// It is the first half of a pairing code: see ``PairingCode/Lookup``.
    public static let lookup = text(
        "lookup", "must match ^[0-9A-HJKMNP-TV-Z]{6}$", RuleForm(pattern: "^[0-9A-HJKMNP-TV-Z]{6}$")
    ) { try PairingCode.Lookup(parsing: $0) }
    /// It is `couple`, the only purpose of a pairing.
    public static let purpose = oneOf("purpose", "must be couple", ["couple"])
    /// It is how far an invite has come.
    public static let inviteStatus = oneOf(
        "inviteStatus", "must be pending, accepted or expired", ["pending", "accepted", "expired"])
    /// It is what a FitLink message holds.
    public static let messageType = oneOf(
        "messageType", "must be text, image, file, diet_plan, workout_plan, voice or challenge",
        ["text", "image", "file", "diet_plan", "workout_plan", "voice", "challenge"])
    /// It is how far a FitLink message has come.
    public static let messageStatus = oneOf(
        "messageStatus", "must be sent, delivered or read", ["sent", "delivered", "read"])
    /// It is a day that the calendar has.
    public static let date = text(
        "date", "must be a day of the calendar, YYYY-MM-DD", RuleForm(pattern: "^\(RuleForm.day)$")
    ) { try AnswerPlace(parsing: "daily:\($0)") }
    /// It is a time (RFC 3339), in capital letters and with at most nine digits of a second.
    public static let time = DocumentRule(
        "time", "must be a time: RFC 3339, or a number or an object where an SDK makes one",
        RuleForm(
            pattern: "^\(RuleForm.day)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]{1,9})?"
                + "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"),
        .text(RuleForm.isTime))
    /// It has 1 to 128 bytes.
    public static let platform = DocumentRule(
        "platform", "must have 1 to 128 bytes", RuleForm(length: 1...128, code: [.utf8]),
        .text(DeviceDocument.isPlatform))

    // MARK: - A wrapped key

    /// It is base64 of a length that a wrapped keyset can have.
    public static let wrappedCoupleKey = DocumentRule(
        "wrappedCoupleKey", "must be base64 of 29 to 16412 bytes",
        RuleForm(
            pattern: RuleForm.wrappedKey, length: 39...21884, bytes: [29...16412], code: [.byteCount]),
        .text(KeyWrap.isKey))
    /// It is a salt of 16 bytes.
    public static let kdfSalt = DocumentRule(
        "kdfSalt", "must be 16 bytes in standard base64, 24 characters",
        RuleForm(pattern: "^[A-Za-z0-9+/]{21}[AQgw]==$", length: 24...24, bytes: [16...16]),
        .text(KeyWrap.isSalt))
    /// Its bytes are not all zeros, which two couples would share.
    public static let weakSalt = DocumentRule(
        "weakSalt", "must not be 16 zeros", RuleForm(refused: [.text("AAAAAAAAAAAAAAAAAAAAAA==")]),
        .text { !KeyWrap.isWeak(salt: $0) })
    /// It names exactly the costs of v1 (docs/threat-model.md#w15).
    public static let kdfParams = DocumentRule(
        "kdfParams", "must be argon2id, version 19, with m=46080, t=3 and p=1",
        RuleForm(pattern: RuleForm.costs, code: [.json]), .text(WrapCost.isExactly))
    /// It is a phrase under a code: closer-keys-formats(7), THE COUPLE KEY, Legacy invite code.
    public static let recoveryPhrase = DocumentRule(
        "recoveryPhrase", "must be standard base64 of 01, a salt of 16 bytes, and a ciphertext",
        .standard([46...1069], begins: "A[Q-Za-f]", byCode: [.byteCount]), .text(InvitedPhrase.isWellFormed))

    // MARK: - Tokens and keys

    /// It is a ``SealedToken``.
    public static let sealed = text(
        "sealed", "must match ^sealed:v1:[A-Za-z0-9_-]{80,}$ and be base64url in its only accepted spelling",
        .url([60...RuleForm.maximumByteCount], behind: "sealed:v1:")
    ) { try SealedToken(parsing: $0) }
    /// It is a commitment, `sha256:` and 43 characters.
    public static let commitment = text(
        "commitment", "must match ^sha256:[A-Za-z0-9_-]{43}$ and be base64url in its only accepted spelling",
        RuleForm(pattern: "^sha256:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$")
    ) { try Commitment(parsing: $0.utf8) }
    /// It is a ``KeyboxToken``.
    public static let keybox = text(
        "keybox", "must match ^keybox:v1:[A-Za-z0-9_-]{120,}$ and be base64url in its only accepted spelling",
        .url([90...RuleForm.maximumByteCount], behind: "keybox:v1:")
    ) { try KeyboxToken(parsing: $0) }
    /// It is a ``PublicKeyToken``.
    public static let publicKey = text(
        "publicKey",
        "must match ^pub:v1:[A-Za-z0-9_-]+$ and hold one public key in its only accepted spelling",
        .url([1...RuleForm.maximumByteCount], behind: "pub:v1:", byCode: [.protobuf, .p256])
    ) { try PublicKeyToken(parsing: $0.utf8) }
    /// It has the letters of a ``ChatToken``, of which the longest holds a message of 64 KiB.
    public static let chatToken = text(
        "chatToken",
        "must match ^chat:v2:[A-Za-z0-9_-]{176,}$ and be base64url of at most \(ChatToken.byteCounts.upperBound) bytes in its only accepted spelling",
        .url([ChatToken.byteCounts], behind: "chat:v2:")
    ) { text in
        ChatToken.byteCounts.contains(try TokenFormat.chatMessage.payload(of: text.utf8).count) ? true : nil
    }
    /// It is the MAC of a ``ChatKeyDocument``.
    public static let chatMac = text(
        "chatMac", "must be 32 bytes in base64url, 43 characters", .url([32...32], behind: "")
    ) { text in try Base64.url.decode(text).count == 32 ? true : nil }
    /// It is an ``X25519PublicKey``.
    public static let x25519PublicKey = text(
        "x25519PublicKey",
        "must be 32 bytes in standard base64, 44 characters, of a number below 2^255 - 19, and no point of low order",
        RuleForm(pattern: "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$", code: [.x25519])
    ) { try X25519PublicKey(parsing: $0) }
    /// It is the token of a ``PairOffer``.
    public static let offer = text(
        "offer",
        "must match ^offer:v1:[A-Za-z0-9_-]{64}$, in its only accepted spelling, and hold an element of ristretto255",
        .url([48...48], behind: "offer:v1:", byCode: [.ristretto255])
    ) { PairOffer.token($0) }
    /// It is the token of a ``PairReply``.
    public static let reply = text(
        "reply",
        "must match ^reply:v1:[A-Za-z0-9_-]{86,}$, in its only accepted spelling, and hold an element of ristretto255",
        .url([64...64, 92...16384], behind: "reply:v1:", byCode: [.byteCount, .ristretto255])
    ) { PairReply.token($0) }
    /// It is the token of a ``PairGrant``.
    public static let grant = text(
        "grant",
        "must match ^grant:v1:[A-Za-z0-9_-]{120,}$ and be base64url of at most 16 KiB in its only accepted spelling",
        .url([90...16384], behind: "grant:v1:")
    ) { TokenFormat.grant.pairingPayload($0) }
    /// It is a ``FieldToken``.
    public static let field = text(
        "field",
        "must match ^enc:v[12]:[A-Za-z0-9+/]+={0,2}$ and be standard base64 in its only accepted spelling",
        .standard([1...RuleForm.maximumByteCount], behind: "enc:v[12]:")
    ) { text in
        try FieldToken(parsing: text).ciphertext
    }
    /// It is the ciphertext of a ``FitLinkMessage``.
    public static let messageContent = base64(
        "messageContent", "must be 16 bytes or more in standard base64", atLeast: AESGCM.tagByteCount)
    /// It is the initialization vector of a ``FitLinkMessage``.
    public static let messageIV = text(
        "messageIV", "must be 12 bytes in standard base64, 16 characters",
        RuleForm(pattern: "^[A-Za-z0-9+/]{16}$", length: 16...16, bytes: [12...12])
    ) { text in try Base64.standard.decode(text).count == AESGCM.nonceByteCount ? true : nil }
    /// It is a ``FondField``.
    public static let fondField = base64(
        "fondField", "must be 28 bytes or more in standard base64", atLeast: AESGCM.overheadByteCount)

    /// Every rule, in the order of `vectors/contract/rules.json`.
    public static let allCases: [DocumentRule] = [
        present, string, boolean, identifier, encryptionVersion, wholeWrap, wrapForVersion, versionForWrap,
        notLowered, required, wrappedCoupleKey, kdfSalt, weakSalt, kdfParams, code, recoveryPhrase,
        schemaVersion, sealed, commitment, keybox, publicKey, otherPerson, platform, epoch, lookup, purpose,
        x25519PublicKey, offer, reply, grant, migrationUsers, userIds, otherSchema, field, fieldsByUser,
        messageContent, messageIV, fondField, notAnUpdate, notAMember, notTheOwner, samePath,
        plaintext, date, time, inviteStatus, messageType, messageStatus, wiped, notInThread, notTheServer,
        absent, ofChat, chatIndex, chatToken, chatMac,
    ]
}

extension DocumentRule {
    private static func row(_ name: String, _ requirement: String) -> DocumentRule {
        DocumentRule(name, requirement, RuleForm(), .row)
    }

    private static func members(
        _ name: String, _ requirement: String,
        holds: @escaping @Sendable (DocumentReader, Span<UInt8>) -> Bool
    ) -> DocumentRule { DocumentRule(name, requirement, RuleForm(code: [.members]), .members(holds)) }

    private static func write(_ name: String, _ requirement: String) -> DocumentRule {
        DocumentRule(name, requirement, RuleForm(code: [.write]), .write)
    }

    /// A text of which `parse` makes something.
    private static func text<Value>(
        _ name: String, _ requirement: String, _ form: RuleForm,
        parse: @escaping @Sendable (String) throws -> Value?
    ) -> DocumentRule { DocumentRule(name, requirement, form, .text { (try? parse($0)) != nil }) }

    private static func oneOf(_ name: String, _ requirement: String, _ texts: [String]) -> DocumentRule {
        DocumentRule(
            name, requirement, RuleForm(texts: texts),
            .text { text in texts.contains { $0.hasSameBytes(as: text) } })
    }

    private static func base64(_ name: String, _ requirement: String, atLeast least: Int) -> DocumentRule {
        DocumentRule(
            name, requirement, .standard([least...RuleForm.maximumByteCount]),
            .text { text in (try? Base64.standard.decode(text)).map { $0.count >= least } ?? false })
    }
}
