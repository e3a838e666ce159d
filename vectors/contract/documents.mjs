// The server's contract of closer-keys for Node 18 and later, in one file without packages. CC0-1.0: copy it.
// Made from vectors/contract/rules.json by its make/generate.py. Nothing secret passes here.

const MAXIMUM_BYTE_COUNT = 1048576, MAXIMUM_DEPTH = 16;

const RULES = {
  present: { requirement: "must be there" },
  string: { requirement: "must be a string" },
  boolean: { requirement: "must be true or false" },
  identifier: { requirement: "must be 1 to 128 of the characters a-z A-Z 0-9 . _ - : @ +", pattern: /^[A-Za-z0-9._:@+-]{1,128}$/ },
  encryptionVersion: { requirement: "must be 0, 1 or 2", numbers: [0, 2] },
  wholeWrap: { requirement: "must come with wrappedCoupleKey, kdfSalt and kdfParams, all three or none", code: ["members"] },
  wrapForVersion: { requirement: "must be there when encryptionVersion is 1 or 2", code: ["members"] },
  versionForWrap: { requirement: "must be 1 or 2 where a key is wrapped: it is never lowered", code: ["members"] },
  notLowered: { requirement: "must not be lower than in the previous document", code: ["write"] },
  required: { requirement: "must not be lower than this server requires", code: ["write"] },
  wrappedCoupleKey: { requirement: "must be base64 of 29 to 16412 bytes", pattern: /^(?:(?:[A-Za-z0-9+/]{4}){9,}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=?|(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/][AQgw](?:==)?)?|(?:[A-Za-z0-9_-]{4}){9,}[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]=?|(?:[A-Za-z0-9_-]{4}){10,}(?:[A-Za-z0-9_-][AQgw](?:==)?)?)$/, length: [39, 21884], bytes: [[29, 16412]], code: ["byteCount"] },
  kdfSalt: { requirement: "must be 16 bytes in standard base64, 24 characters", pattern: /^[A-Za-z0-9+/]{21}[AQgw]==$/, length: [24, 24], bytes: [[16, 16]] },
  weakSalt: { requirement: "must not be 16 zeros", refused: ["AAAAAAAAAAAAAAAAAAAAAA=="] },
  kdfParams: { requirement: "must be argon2id, version 19, with m=46080, t=3 and p=1", pattern: /^(?:argon2id\$v=19\$m=46080,t=3,p=1|[ \t\r\n]*\{[ -~\t\r\n]*\}[ \t\r\n]*)$/, code: ["json"] },
  code: { requirement: "must match ^[a-zA-Z0-9]{6}$", pattern: /^[a-zA-Z0-9]{6}$/ },
  recoveryPhrase: { requirement: "must be standard base64 of 01, a salt of 16 bytes, and a ciphertext", pattern: /^A[Q-Za-f][A-Za-z0-9+/]{2}(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/, length: [64, 1428], bytes: [[46, 1069]], code: ["byteCount"] },
  schemaVersion: { requirement: "must be 3", numbers: [3, 3] },
  sealed: { requirement: "must match ^sealed:v1:[A-Za-z0-9_-]{80,}$ and be base64url in its only accepted spelling", pattern: /^sealed:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [90, 1048576], bytes: [[60, 1048576]] },
  commitment: { requirement: "must match ^sha256:[A-Za-z0-9_-]{43}$ and be base64url in its only accepted spelling", pattern: /^sha256:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/ },
  keybox: { requirement: "must match ^keybox:v1:[A-Za-z0-9_-]{120,}$ and be base64url in its only accepted spelling", pattern: /^keybox:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [130, 1048576], bytes: [[90, 1048576]] },
  publicKey: { requirement: "must match ^pub:v1:[A-Za-z0-9_-]+$ and hold one public key in its only accepted spelling", pattern: /^pub:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [9, 1048576], bytes: [[1, 1048576]], code: ["protobuf", "p256"] },
  otherPerson: { requirement: "must not be the sender", code: ["members"] },
  platform: { requirement: "must have 1 to 128 bytes", length: [1, 128], code: ["utf8"] },
  epoch: { requirement: "must be 1 to 4294967295", numbers: [1, 4294967295] },
  lookup: { requirement: "must match ^[0-9A-HJKMNP-TV-Z]{6}$", pattern: /^[0-9A-HJKMNP-TV-Z]{6}$/ },
  purpose: { requirement: "must be couple", texts: ["couple"] },
  x25519PublicKey: { requirement: "must be 32 bytes in standard base64, 44 characters, of a number below 2^255 - 19, and no point of low order", pattern: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, code: ["x25519"] },
  offer: { requirement: "must match ^offer:v1:[A-Za-z0-9_-]{64}$, in its only accepted spelling, and hold an element of ristretto255", pattern: /^offer:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [73, 73], bytes: [[48, 48]], code: ["ristretto255"] },
  reply: { requirement: "must match ^reply:v1:[A-Za-z0-9_-]{86,}$, in its only accepted spelling, and hold an element of ristretto255", pattern: /^reply:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [95, 21855], bytes: [[64, 64], [92, 16384]], code: ["byteCount", "ristretto255"] },
  grant: { requirement: "must match ^grant:v1:[A-Za-z0-9_-]{120,}$ and be base64url of at most 16 KiB in its only accepted spelling", pattern: /^grant:v1:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [129, 21855], bytes: [[90, 16384]] },
  migrationUsers: { requirement: "must have the value true for each of at most two ids of users", elements: {"constant": true}, count: [0, 2] },
  userIds: { requirement: "must be a list of two different ids", elements: {"rule": "identifier", "unique": true}, count: [2, 2] },
  otherSchema: { requirement: "must be a whole number other than 3, the schema of sealed answers", numbers: [0, 9007199254740991], refused: [3] },
  field: { requirement: "must match ^enc:v[12]:[A-Za-z0-9+/]+={0,2}$ and be standard base64 in its only accepted spelling", pattern: /^enc:v[12]:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/, length: [11, 1048576], bytes: [[1, 1048576]] },
  fieldsByUser: { requirement: "must have an enc:v1: or enc:v2: token for each of at most two ids of users", elements: {"rule": "field"}, count: [0, 2] },
  messageContent: { requirement: "must be 16 bytes or more in standard base64", pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/, length: [24, 1048576], bytes: [[16, 1048576]] },
  messageIV: { requirement: "must be 12 bytes in standard base64, 16 characters", pattern: /^[A-Za-z0-9+/]{16}$/, length: [16, 16], bytes: [[12, 12]] },
  fondField: { requirement: "must be 28 bytes or more in standard base64", pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/, length: [40, 1048576], bytes: [[28, 1048576]] },
  notAnUpdate: { requirement: "must not be changed so by this writer", code: ["write"] },
  notAMember: { requirement: "must name the writer: only the two of a couple write", code: ["write"] },
  notTheOwner: { requirement: "must be the writer", code: ["write"] },
  samePath: { requirement: "must be the id in the document's path", code: ["write"] },
  plaintext: { requirement: "must hold no text but tokens, or what the contract or the app names", code: ["write"] },
  date: { requirement: "must be a day of the calendar, YYYY-MM-DD", pattern: /^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/ },
  time: { requirement: "must be a time: RFC 3339, or a number or an object where an SDK makes one", pattern: /^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/ },
  inviteStatus: { requirement: "must be pending, accepted or expired", texts: ["pending", "accepted", "expired"] },
  messageType: { requirement: "must be text, image, file, diet_plan, workout_plan, voice or challenge", texts: ["text", "image", "file", "diet_plan", "workout_plan", "voice", "challenge"] },
  messageStatus: { requirement: "must be sent, delivered or read", texts: ["sent", "delivered", "read"] },
  wiped: { requirement: "must be gone from an invite that was accepted", code: ["members"] },
  notInThread: { requirement: "must be missing in a thread", code: ["write"] },
  notTheServer: { requirement: "must be written by the server: no user may", code: ["write"] },
  absent: { requirement: "must be missing: the token holds it" },
  ofChat: { requirement: "must be one of the two whose ids make the chat's", code: ["members"] },
  chatIndex: { requirement: "must be 1 to 4294967295, a time in seconds", numbers: [1, 4294967295] },
  chatToken: { requirement: "must match ^chat:v2:[A-Za-z0-9_-]{176,}$ and be base64url of at most 65668 bytes in its only accepted spelling", pattern: /^chat:v2:(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [184, 87566], bytes: [[132, 65668]] },
  chatMac: { requirement: "must be 32 bytes in base64url, 43 characters", pattern: /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/, length: [43, 43], bytes: [[32, 32]] },
};

const KINDS = {
  "couple": {
    members: [
      {"name": "encryptionVersion", "presence": "optional", "type": "number", "rules": ["encryptionVersion"]},
      {"name": "wrappedCoupleKey", "presence": "wholeWrap", "type": "string", "rules": ["wrappedCoupleKey"]},
      {"name": "kdfSalt", "presence": "wholeWrap", "type": "string", "rules": ["kdfSalt", "weakSalt"]},
      {"name": "kdfParams", "presence": "wholeWrap", "type": "string", "rules": ["kdfParams"]},
      {"name": "encryptionMigrationUsers", "presence": "optional", "type": "map", "rules": ["migrationUsers"]},
      {"name": "userIds", "presence": "optional", "type": "list", "rules": ["userIds"]},
    ],
    paths: ["couples/{coupleId}"],
    relations: [{"rule": "versionForWrap", "member": "encryptionVersion", "reads": ["encryptionVersion", "wrappedCoupleKey", "kdfSalt", "kdfParams"]}, {"rule": "wrapForVersion", "member": "wrappedCoupleKey", "reads": ["encryptionVersion", "wrappedCoupleKey", "kdfSalt", "kdfParams"]}, {"rule": "notLowered", "member": "encryptionVersion", "reads": ["encryptionVersion"]}, {"rule": "required", "member": "encryptionVersion", "reads": ["encryptionVersion"]}],
    writes: {"create": ["server"], "fixed": ["userIds"], "updates": [{"name": "migrationStart", "by": ["member", "server"], "changes": ["encryptionVersion", "encryptionMigrationUsers.<uid>", "wrappedCoupleKey", "kdfSalt", "kdfParams"], "versions": {"from": [0, 0], "to": [1, 1]}, "empty": "encryptionMigrationUsers"}, {"name": "migrationOwn", "by": ["member"], "changes": ["encryptionMigrationUsers.<uid>"], "versions": {"from": [1, 2], "to": [1, 2]}}, {"name": "migrationEnd", "by": ["member", "server"], "changes": ["encryptionVersion", "encryptionMigrationUsers.<uid>"], "versions": {"from": [1, 1], "to": [2, 2]}, "complete": "encryptionMigrationUsers"}, {"name": "versionSpelled", "by": ["member", "server"], "changes": ["encryptionVersion"], "versions": {"from": [2, 2], "to": [2, 2]}}, {"name": "onlyWrap", "by": ["member", "server"], "changes": ["wrappedCoupleKey", "kdfSalt", "kdfParams"], "versions": {"from": [1, 2], "to": [1, 2]}}, {"name": "onlyRhythm", "by": ["member", "server"], "changes": ["streakCount", "lastAnsweredAt"]}, {"name": "byServer", "by": ["server"], "changes": ["currentQuestionId", "activePackId"]}]},
  },
  "invite": {
    members: [
      {"name": "code", "presence": "optional", "type": "string", "rules": ["code"]},
      {"name": "wrappedCoupleKey", "presence": "required", "type": "string", "rules": ["wrappedCoupleKey"]},
      {"name": "kdfSalt", "presence": "required", "type": "string", "rules": ["kdfSalt", "weakSalt"]},
      {"name": "kdfParams", "presence": "required", "type": "string", "rules": ["kdfParams"]},
      {"name": "recoveryPhrase", "presence": "untilAccepted", "type": "string", "rules": ["recoveryPhrase"]},
      {"name": "inviterUserId", "presence": "optional", "type": "string", "rules": ["identifier"]},
      {"name": "status", "presence": "optional", "type": "string", "rules": ["inviteStatus"]},
      {"name": "createdAt", "presence": "optional", "type": "time", "rules": ["time"]},
      {"name": "expiresAt", "presence": "optional", "type": "time", "rules": ["time"]},
    ],
    paths: ["invites/{code}"],
    relations: [{"rule": "wiped", "member": "recoveryPhrase", "reads": ["recoveryPhrase", "status"], "ofWrite": true}],
    writes: {"create": ["server"], "owner": "inviterUserId", "updates": [{"name": "byServer", "by": ["server"], "changes": ["*"]}]},
  },
  "answer": {
    members: [
      {"name": "userId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "questionId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "schemaVersion", "presence": "required", "type": "number", "rules": ["schemaVersion"]},
      {"name": "encryptedPayload", "presence": "required", "type": "string", "rules": ["sealed"]},
      {"name": "commitmentHash", "presence": "required", "type": "string", "rules": ["commitment"]},
      {"name": "answerKeyReleased", "presence": "required", "type": "boolean", "rules": []},
      {"name": "isRevealed", "presence": "optional", "type": "boolean", "rules": []},
    ],
    paths: ["couples/{coupleId}/daily_question/{date}/answers/{userId}", "couples/{coupleId}/threads/{threadId}/messages/{userId}"],
    texts: {"named": {"coupleId": "identifier", "date": "date", "answerDate": "date", "threadId": "identifier", "createdAt": "time", "updatedAt": "time"}, "times": "At"},
    notInThread: ["isRevealed", "answerDate"],
    writes: {"create": ["owner"], "owner": "userId", "ofCouple": true, "initially": {"answerKeyReleased": false, "isRevealed": false}, "updates": [{"name": "onlyRelease", "by": ["owner", "server"], "changes": ["isRevealed", "answerKeyReleased", "updatedAt"]}]},
  },
  "release-key": {
    members: [
      {"name": "encryptedAnswerKey", "presence": "required", "type": "string", "rules": ["keybox"]},
      {"name": "senderId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "recipientId", "presence": "required", "type": "string", "rules": ["identifier"]},
    ],
    paths: ["couples/{coupleId}/daily_question/{date}/answers/{senderId}/releaseKeys/{recipientId}"],
    relations: [{"rule": "otherPerson", "member": "recipientId", "reads": ["senderId", "recipientId"]}],
    writes: {"create": ["owner"], "owner": "senderId", "ofCouple": true, "updates": []},
  },
  "rekey": {
    members: [
      {"name": "encryptedCoupleKey", "presence": "required", "type": "string", "rules": ["keybox"]},
      {"name": "senderId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "recipientId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "epoch", "presence": "required", "type": "number", "rules": ["epoch"]},
    ],
    relations: [{"rule": "otherPerson", "member": "recipientId", "reads": ["senderId", "recipientId"]}],
    writes: {"create": ["owner"], "owner": "senderId", "ofCouple": true, "updates": []},
  },
  "device": {
    members: [
      {"name": "publicKey", "presence": "required", "type": "string", "rules": ["publicKey"]},
      {"name": "platform", "presence": "required", "type": "string", "rules": ["platform"]},
    ],
    paths: ["users/{userId}/devices/{deviceId}"],
    writes: {"create": ["owner"], "owner": "userId", "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}]},
  },
  "pair-offer": {
    members: [
      {"name": "lookup", "presence": "required", "type": "string", "rules": ["lookup"]},
      {"name": "purpose", "presence": "required", "type": "string", "rules": ["purpose"]},
      {"name": "coupleId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "userId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "publicKey", "presence": "required", "type": "string", "rules": ["publicKey"]},
      {"name": "x25519PublicKey", "presence": "required", "type": "string", "rules": ["x25519PublicKey"]},
      {"name": "offer", "presence": "required", "type": "string", "rules": ["offer"]},
    ],
    paths: ["couples/{coupleId}/pairings/{lookup}"],
    writes: {"create": ["owner"], "owner": "userId", "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}]},
  },
  "pair-reply": {
    members: [
      {"name": "lookup", "presence": "required", "type": "string", "rules": ["lookup"]},
      {"name": "purpose", "presence": "required", "type": "string", "rules": ["purpose"]},
      {"name": "userId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "publicKey", "presence": "required", "type": "string", "rules": ["publicKey"]},
      {"name": "x25519PublicKey", "presence": "required", "type": "string", "rules": ["x25519PublicKey"]},
      {"name": "reply", "presence": "required", "type": "string", "rules": ["reply"]},
    ],
    paths: ["couples/{coupleId}/pairings/{lookup}"],
    writes: {"create": ["owner"], "owner": "userId", "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}]},
  },
  "pair-grant": {
    members: [
      {"name": "lookup", "presence": "required", "type": "string", "rules": ["lookup"]},
      {"name": "purpose", "presence": "required", "type": "string", "rules": ["purpose"]},
      {"name": "grant", "presence": "required", "type": "string", "rules": ["grant"]},
    ],
    paths: ["couples/{coupleId}/pairings/{lookup}"],
  },
  "game-slot": {
    members: [
      {"name": "answers", "presence": "required", "type": "map", "rules": ["fieldsByUser"]},
    ],
    texts: {"named": {"coupleId": "identifier", "sessionId": "identifier", "questionId": "identifier", "createdByUserId": "identifier", "createdAt": "time", "updatedAt": "time"}, "times": "At", "tokens": "field"},
    writes: {"create": ["member", "server"], "ofCouple": true, "updates": [{"name": "ownSlot", "by": ["member"], "changes": ["answers.<uid>"]}, {"name": "byServer", "by": ["server"], "changes": ["*"]}]},
  },
  "chat-message": {
    members: [
      {"name": "encrypted_content", "presence": "required", "type": "string", "rules": ["chatToken"]},
      {"name": "sender_id", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "iv", "presence": "absent", "type": "string", "rules": []},
      {"name": "type", "presence": "absent", "type": "string", "rules": []},
      {"name": "payload", "presence": "absent", "type": "string", "rules": []},
      {"name": "reply_to", "presence": "absent", "type": "string", "rules": []},
    ],
    paths: ["friend_chats/{chatId}/friend_messages/{messageId}"],
    texts: {"named": {"id": "identifier", "timestamp": "time", "status": "messageStatus", "read_at": "time"}},
    relations: [{"rule": "ofChat", "member": "sender_id", "reads": ["sender_id"], "ofWrite": true}],
    writes: {"create": ["owner"], "owner": "sender_id", "updates": [{"name": "byServer", "by": ["server"], "changes": ["status", "read_at"]}]},
  },
  "chat-key": {
    members: [
      {"name": "senderId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "recipientId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "index", "presence": "required", "type": "number", "rules": ["chatIndex"]},
      {"name": "publicKey", "presence": "required", "type": "string", "rules": ["x25519PublicKey"]},
      {"name": "mac", "presence": "required", "type": "string", "rules": ["chatMac"]},
    ],
    paths: ["friend_chats/{chatId}/chat_keys/{senderId}"],
    relations: [{"rule": "otherPerson", "member": "recipientId", "reads": ["senderId", "recipientId"]}, {"rule": "ofChat", "member": "senderId", "reads": ["senderId", "recipientId"], "ofWrite": true}],
    writes: {"create": ["owner"], "owner": "senderId", "updates": [{"name": "newChatKey", "by": ["owner"], "changes": ["index", "publicKey", "mac", "updatedAt"], "rises": "index"}, {"name": "sameChatKey", "by": ["owner"], "changes": []}]},
  },
  "fitlink-message": {
    members: [
      {"name": "encrypted_content", "presence": "required", "type": "string", "rules": ["messageContent"]},
      {"name": "iv", "presence": "required", "type": "string", "rules": ["messageIV"]},
    ],
    texts: {"named": {"id": "identifier", "sender_id": "identifier", "type": "messageType", "timestamp": "time", "status": "messageStatus", "read_at": "time", "reply_to": "identifier"}},
    writes: {"create": ["owner"], "owner": "sender_id", "updates": [{"name": "byServer", "by": ["server"], "changes": ["status", "read_at"]}]},
  },
  "fitlink-user": {
    members: [
      {"name": "public_key", "presence": "required", "type": "string", "rules": ["x25519PublicKey"]},
    ],
    writes: {"create": ["owner"], "owner": "user_id", "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}]},
  },
  "fond-user": {
    members: [
      {"name": "publicKey", "presence": "required", "type": "string", "rules": ["x25519PublicKey"]},
      {"name": "encryptedStatus", "presence": "optional", "type": "string", "rules": ["fondField"]},
      {"name": "encryptedLocation", "presence": "optional", "type": "string", "rules": ["fondField"]},
      {"name": "encryptedHeartbeat", "presence": "optional", "type": "string", "rules": ["fondField"]},
      {"name": "encryptedName", "presence": "optional", "type": "string", "rules": ["fondField"]},
      {"name": "encryptedMessage", "presence": "optional", "type": "string", "rules": ["fondField"]},
      {"name": "encryptedPromptAnswer", "presence": "optional", "type": "string", "rules": ["fondField"]},
    ],
    paths: ["users/{userId}"],
    texts: {"named": {"userId": "identifier", "connectionId": "identifier", "partnerUid": "identifier"}},
    writes: {"create": ["owner"], "owner": "userId", "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}, {"name": "byServer", "by": ["server"], "changes": ["connectionId", "partnerUid"]}]},
  },
  "legacy-answer": {
    members: [
      {"name": "userId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "questionId", "presence": "required", "type": "string", "rules": ["identifier"]},
      {"name": "schemaVersion", "presence": "optional", "type": "number", "rules": ["otherSchema"]},
      {"name": "isRevealed", "presence": "optional", "type": "boolean", "rules": []},
    ],
    paths: ["couples/{coupleId}/daily_question/{date}/answers/{userId}"],
    texts: {"named": {"coupleId": "identifier", "date": "date", "answerDate": "date", "threadId": "identifier", "createdAt": "time", "updatedAt": "time"}, "times": "At", "tokens": "field", "clearBefore": "content"},
    writes: {"create": ["owner"], "owner": "userId", "ofCouple": true, "fixed": ["schemaVersion"], "updates": [{"name": "any", "by": ["owner"], "changes": ["*"]}]},
  },
};

/**
 * A rule that a document breaks. `rule` is what scripts compare, such as `kdfSalt.present`, or `malformed` for what is no document:
 * `member` is then empty, or the option that is meant.
 * @typedef {{rule: string, member: string, requirement: string}} Broken
 * @typedef {{kind: string, valid: boolean, broken: Broken[]}} Verdict
 * @typedef {string | Uint8Array | Record<string, unknown>} Document  Text is read strictly. An object has lost what its text had twice.
 *
 * @typedef {object} Options
 * @property {string} [path] Where the document is stored, such as `users/alice/devices/d1`. It gives the ids that the document leaves out.
 * @property {Document | null} [previous] What is stored there now. If it is null or undefined, the document is created.
 * @property {string | null} [as] The user who writes, from a checked token. "$server" is your own code, and null is a request without a
 *   user, who may write nothing that names its writer.
 * @property {Document} [couple] The document of the couple: only its `userIds` write, and below version 1 legacy answers are plaintext.
 * @property {string[]} [alsoText] Members of your app that may hold text in the clear, in kinds that hold content.
 * @property {number} [required] The least encryptionVersion of a couple: 0 if it is left out, and then `{}` is a couple, too.
 */

/**
 * Checks a document against the contract: its shape and its path, and if there is `as`, whether this writer may write it.
 * `previous` without `as` is malformed: who writes?
 * @param {string} kind One of `kinds`.
 * @param {Document} document
 * @param {Options} [options]
 * @returns {Verdict} The first rule is the one that other implementations tell.
 * @throws {TypeError} If there is no such kind or option, if `alsoText` is no list of names, or if `as` or `couple` is there and undefined: a request without a user must not be the
 * server's, and a couple that is missing must not be any couple.
 */
export function check(kind, document, options = {}) {
  if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`no kind of document: ${kind}`);
  // A misspelt `couple` would be any couple.
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new TypeError(`no such option: ${unknown}`);
  if ("as" in options && typeof options.as !== "string" && options.as !== null) throw new TypeError('as must be a user\'s id, "$server", or null for a request without a user');
  if ("couple" in options && options.couple === undefined) throw new TypeError("couple must be the couple's document");
  const isList = Array.isArray(options.alsoText ?? []) && (options.alsoText ?? []).every((name) => typeof name === "string");
  if (!isList) throw new TypeError("alsoText must be a list of members' names");
  const broken = faults(KINDS[kind], document, options).map(([member, rule]) => told(member, rule));
  return { kind, valid: broken.length === 0, broken };
}

/** What must be right in the couple that is stored. */
const VERSION_AND_WRAP = ["encryptionVersion", "wrappedCoupleKey", "kdfSalt", "kdfParams"];
const OPTIONS = ["path", "previous", "as", "couple", "required", "alsoText"];
const SERVER = "$server";
/** A result names so many members in the clear at most. */
const MAXIMUM_TOLD = 16;

/** The kinds of documents. */
export const kinds = Object.keys(KINDS);

/**
 * The kinds that are kept at a path; empty if it is none of the contract.
 * @param {string} path
 * @returns {string[]}
 */
export const kindsAt = (path) => kinds.filter((kind) => KINDS[kind].paths?.some((form) => isOfForm(form, path)));

/** What is malformed, by the option; without one it is the document. */
const MALFORMED = {
  "": `must be one JSON object of at most ${MAXIMUM_BYTE_COUNT} bytes, with unique names and ${MAXIMUM_DEPTH} levels at most`,
  path: "must be one of this kind of document, with an id in each place; some kinds have none",
  as: `${RULES.identifier.requirement}, or ${SERVER}; it must be there with previous, and is no user for what names none`,
  previous: "must be one JSON object; of a couple, with a right version and wrap",
  couple: "must be a right document of a couple",
};

function told(member, rule) {
  if (rule === "malformed") return { rule, member, requirement: MALFORMED[member] };
  return { rule: `${member}.${rule}`, member, requirement: RULES[rule].requirement };
}

function faults(contract, document, options) {
  try {
    const ids = options.path === undefined ? {} : idsOf(contract.paths ?? [], options.path);
    const isServer = options.as === SERVER;
    const uid = isServer ? null : options.as ?? null;
    if (uid !== null && !(satisfies("identifier", uid) && contract.writes)) throw new Malformed("as");
    if ("previous" in options && !("as" in options)) throw new Malformed("as");
    const write = { ids, uid, isServer, required: options.required ?? 0, alsoText: options.alsoText ?? [] };
    write.previous = options.previous == null ? null : membersOf(options.previous, "previous");
    if (contract === KINDS.couple) demandCouple(write.previous, "previous", VERSION_AND_WRAP);
    write.couple = options.couple === undefined ? null : membersOf(options.couple, "couple");
    demandCouple(write.couple, "couple", KINDS.couple.members.map(({ name }) => name));
    const groups = "as" in options ? [brokenShape, brokenVersion, brokenWriter, brokenChange] : [brokenShape, brokenVersion];
    return firstBroken(groups, contract, membersOf(document, ""), write);
  } catch (error) {
    if (error instanceof Malformed) return [[error.message, "malformed"]];
    throw error;
  }
}

/** The rules of the first group that has a broken one. */
function firstBroken(groups, contract, found, write) {
  for (const group of groups) {
    const broken = group(contract, found, write);
    if (broken.length) return broken;
  }
  return [];
}

/** Members, relations, and the ids of the path. */
function brokenShape(contract, found, { ids, couple = null, alsoText = [] }) {
  const whole = withIds(found, ids, contract);
  const broken = brokenMembers(contract, whole);
  broken.push(...brokenRelations(contract, whole, broken, ids), ...brokenTexts(contract, found, couple, alsoText));
  const isTold = (name) => broken.some(([member]) => member === name);
  const elsewhere = Object.keys(ids).filter((name) => name in found && found[name] !== ids[name] && !isTold(name));
  const outside = "threadId" in ids ? (contract.notInThread ?? []).filter((name) => name in found) : [];
  return [...broken, ...elsewhere.map((name) => [name, "samePath"]), ...outside.map((name) => [name, "notInThread"])];
}

/** What decides for others must be right itself. */
function demandCouple(couple, option, names) {
  if (couple && brokenShape(KINDS.couple, couple, { ids: {} }).some(([member]) => names.includes(member))) throw new Malformed(option);
}

// MARK: - Paths

/** The ids of a path by their names. */
function idsOf(forms, path) {
  const form = forms.find((form) => isOfForm(form, path));
  if (form === undefined) throw new Malformed("path");
  const [names, parts] = [form.split("/"), path.split("/")];
  return Object.fromEntries(names.map((name, index) => [name.slice(1, -1), parts[index]]).filter((_, index) => names[index][0] === "{"));
}

function isOfForm(form, path) {
  const [names, parts] = [form.split("/"), path.split("/")];
  return names.length === parts.length && names.every((name, index) => (name[0] === "{" ? satisfies(name === "{date}" ? "date" : "identifier", parts[index]) : name === parts[index]));
}

/** A document's members without those that are null. */
function membersOf(document, option) {
  const object = typeof document === "string" || document instanceof Uint8Array ? parse(document) : document;
  if (!TYPES.map(object)) throw new Malformed(option);
  const members = Object.create(null);
  for (const [name, value] of Object.entries(object)) if (value !== null && value !== undefined) members[name] = value;
  return members;
}

/** The members, and the ids of the path that the document leaves out. */
function withIds(found, ids, contract) {
  const given = contract.members.filter(({ name }) => Object.hasOwn(ids, name) && !(name in found));
  return Object.assign(Object.create(null), found, Object.fromEntries(given.map(({ name }) => [name, ids[name]])));
}

// MARK: - Members

const TYPES = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  list: Array.isArray,
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  time: (value) => ["string", "number"].includes(typeof value) || (TYPES.map(value) && isTimeOfSDK(value)),
};
const TIME_PARTS = ["seconds", "nanoseconds", "_seconds", "_nanoseconds"];
const isTimeOfSDK = (value) => value instanceof Date || (Object.keys(value).length > 0 && Object.entries(value).every(([name, part]) => TIME_PARTS.includes(name) && typeof part === "number"));
const WRAP = ["wrappedCoupleKey", "kdfSalt", "kdfParams"];
const MISSING = {
  optional: () => null,
  absent: () => null,
  required: () => "present",
  untilAccepted: (found) => (found.status === "accepted" ? null : "present"),
  wholeWrap: (found) => (WRAP.some((name) => name in found) ? "wholeWrap" : null),
};

const brokenMembers = (contract, found) => contract.members.map((member) => [member.name, brokenRule(member, found)]).filter(([, rule]) => rule);

function brokenRule({ name, presence, type, rules }, found) {
  if (!(name in found)) return MISSING[presence](found);
  if (presence === "absent") return "absent";
  if (!TYPES[type](found[name])) return type in RULES ? type : rules[0];
  if (type === "time" && typeof found[name] !== "string") return undefined;
  return rules.find((rule) => !satisfies(rule, found[name]));
}

// MARK: - Texts, which only tokens and the names of the contract may be

/** The members without a row that hold a text in the clear, at any depth. */
function brokenTexts({ texts, members }, found, couple, alsoText) {
  if (!texts || (texts.clearBefore && couple !== null && versionOf(couple) === 0)) return [];
  const formOf = (name) => (Object.hasOwn(texts.named, name) ? texts.named[name] : texts.times && name.endsWith(texts.times) ? "time" : null);
  const isClear = (name) => (text) => !(texts.tokens && satisfies(texts.tokens, text)) && !(formOf(name) && TYPES.string(found[name]) && satisfies(formOf(name), text));
  const others = Object.keys(found).filter((name) => !members.some((row) => row.name === name) && !alsoText.includes(name));
  const clear = others.filter((name) => textsOf(found[name]).some(isClear(name)));
  const isContent = (name) => texts.clearBefore !== undefined && TYPES.string(found[name]) && !formOf(name);
  const told = byBytes(clear.filter((name) => !isContent(name))).slice(0, MAXIMUM_TOLD).map((name) => [name, "plaintext"]);
  return clear.some(isContent) ? [[texts.clearBefore, "field"], ...told] : told;
}

/** The texts in a value. What hides its content counts as one. */
function textsOf(value, depth = 0) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || value instanceof Date) return [];
  if (depth > MAXIMUM_DEPTH) throw new Malformed("");
  return isOpen(value) ? Object.values(value).flatMap((each) => textsOf(each, depth + 1)) : [""];
}

/** Whether an object shows what it holds: two of a class that hides it would look alike. */
const isOpen = (value) => Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value)) || (Object.keys(value).length > 0 && !ArrayBuffer.isView(value));

const byBytes = (names) => names.map((name) => Buffer.from(name)).sort(Buffer.compare).map(String);

// MARK: - Relations

const hasWrap = (couple) => "wrappedCoupleKey" in couple;
const versionOf = (couple) => couple.encryptionVersion ?? (hasWrap(couple) ? 2 : 0);
const RELATIONS = {
  versionForWrap: (couple) => !hasWrap(couple) || versionOf(couple) !== 0,
  wrapForVersion: (couple) => hasWrap(couple) || versionOf(couple) === 0,
  wiped: (found) => !(found.status === "accepted" && "recoveryPhrase" in found),
  otherPerson: (found) => found.senderId !== found.recipientId,
  ofChat: (found, { chatId }) => chatId === undefined || ["sender_id", "senderId", "recipientId"].every((name) => !(name in found) || isSideOf(chatId, found[name])),
};
const isSideOf = (chat, user) => chat.startsWith(`${user}_`) || chat.endsWith(`_${user}`);
/** The relations to what is beside the document, which make a group of their own. */
const VERSIONS = {
  notLowered: (couple, { previous }) => previous === null || !(versionOf(couple) < versionOf(previous)),
  required: (couple, { required }) => versionOf(couple) >= required,
};

function brokenRelations({ relations = [] }, found, broken, ids) {
  const isReadable = ({ reads }) => !broken.some(([member]) => reads.includes(member));
  const isBroken = (relation) => relation.rule in RELATIONS && isReadable(relation) && !RELATIONS[relation.rule](found, ids);
  return relations.filter(isBroken).map(({ member, rule }) => [member, rule]);
}

function brokenVersion({ relations = [] }, found, write) {
  return relations.filter(({ rule }) => rule in VERSIONS && !VERSIONS[rule](found, write)).map(({ member, rule }) => [member, rule]);
}

// MARK: - Who may write what

const WRITERS = {
  owner: ({ uid, owners }) => owners.every((owner) => owner === uid),
  member: ({ uid, users }) => uid !== null && users.includes(uid),
  server: ({ isServer }) => isServer,
};

function writerOf(contract, found, { previous, uid, isServer, ids, couple }) {
  const owner = contract.writes.owner;
  // Who owned it before, and who owns it after.
  const owners = [previous, found].filter(Boolean).map((document) => document[owner] ?? ids[owner]);
  const stored = contract === KINDS.couple ? previous ?? found : couple;
  return { uid, isServer, owners, users: Array.isArray(stored?.userIds) ? stored.userIds : [] };
}

const isOneOf = (writers, who) => writers.some((writer) => WRITERS[writer](who));

function brokenWriter(contract, found, write) {
  const { writes } = contract;
  if (!writes) return [];
  const allowed = write.previous && writes.updates.length ? writes.updates.flatMap(({ by }) => by) : writes.create;
  const who = writerOf(contract, found, write);
  const isStranger = writes.ofCouple && write.couple !== null && !who.isServer && !WRITERS.member(who);
  if (isStranger) return [["userIds", "notAMember"]];
  if (isOneOf(allowed, who)) return [];
  if (allowed.includes("member")) return [["userIds", "notAMember"]];
  return [[writes.owner ?? "userIds", allowed.includes("owner") ? "notTheOwner" : "notTheServer"]];
}

function brokenChange(contract, found, write) {
  if (!contract.writes) return [];
  const who = writerOf(contract, found, write);
  const names = write.previous ? brokenUpdate(contract, found, write.previous, who) : brokenStart(contract.writes, found, who);
  return names.map((name) => [name, "notAnUpdate"]);
}

/** What has another than its first value, and maps with an entry of another user. */
function brokenStart({ initially = {}, updates }, found, who) {
  const started = Object.keys(initially).filter((name) => name in found && found[name] !== initially[name]);
  const maps = updates.flatMap(({ changes }) => changes).filter((change) => change.endsWith(OWN)).map((change) => change.slice(0, -OWN.length));
  const isForged = (name) => who.uid !== null && name in found && !isOwnEntry({}, found[name], who.uid);
  return [...started, ...new Set(maps.filter(isForged))];
}

/** The members that this writer must not change, or not together. What is written once has no update, so that its first row is told. */
function brokenUpdate({ writes, members }, found, previous, who) {
  const rows = members.map(({ name }) => name);
  const changed = inOrder(rows, Object.keys({ ...previous, ...found })).filter((name) => !isSame(previous[name], found[name]));
  const versions = [versionOf(previous), versionOf(found)];
  const isEmpty = (map) => map === undefined || Object.keys(found[map] ?? {}).length === 0;
  const rises = (name) => name === undefined || (TYPES.number(previous[name]) && previous[name] < found[name]);
  const isPossible = ({ versions: step, complete, empty, rises: number }) => fits(step, versions) && isEmpty(empty) && rises(number) && (complete === undefined || isComplete(found[complete], who));
  const updates = writes.updates.filter(({ by }) => isOneOf(by, who));
  const may = (update) => (name) => !writes.fixed?.includes(name) && covers(update, name, previous[name], found[name], who);
  if (updates.some((update) => isPossible(update) && changed.every(may(update)))) return [];
  const never = changed.filter((name) => !updates.some((update) => may(update)(name)));
  return [never, changed, rows.slice(0, 1)].find((names) => names.length);
}

/** Those that have a row first, in the order of the rows, then the others by their bytes. */
function inOrder(rows, names) {
  return [...rows.filter((name) => names.includes(name)), ...byBytes(names.filter((name) => !rows.includes(name)))];
}

const fits = (versions, [before, after]) => !versions || (within(versions.from, before) && within(versions.to, after));

/** Whether the map has an entry for each of the couple's users. */
const isComplete = (map = {}, { users }) => users.length > 0 && users.every((user) => Object.hasOwn(map, user));

/** Behind the name of a map, the writer's own entry. */
const OWN = ".<uid>";

function covers({ changes }, name, before, after, { uid }) {
  const isWhole = changes.includes("*") || changes.includes(name);
  return isWhole || (changes.includes(name + OWN) && isOwnEntry(before, after, uid));
}

/** Whether no entry but the writer's differs. The server has none. */
const isOwnEntry = (before = {}, after = {}, uid) => TYPES.map(before) && TYPES.map(after) && isSame(withoutOwn(before, uid), withoutOwn(after, uid));

/** A map without the writer's own entry, and without those that are null. */
const withoutOwn = (map, uid) => Object.fromEntries(Object.entries(map).filter(([name, value]) => name !== uid && value != null));

const isSame = (before, after) => canonical(before ?? null) === canonical(after ?? null);

/** The form of RFC 8785, also of what an SDK makes of a time. */
function canonical(value, depth = 0) {
  const plain = typeof value?.toJSON === "function" ? value.toJSON() : value;
  if (typeof plain === "string" || plain === undefined) return JSON.stringify(plain ?? null);
  if (typeof plain !== "object" || plain === null) return String(plain);
  const names = Object.keys(plain).sort();
  if (depth > MAXIMUM_DEPTH || !isOpen(plain)) throw new Malformed("");
  if (Array.isArray(plain)) return `[${plain.map((each) => canonical(each, depth + 1))}]`;
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(plain[name], depth + 1)}`)}}`;
}

// MARK: - One value

const within = ([least, most], number) => number >= least && number <= most;
/** The bytes behind a token's prefix, if it has one. Both alphabets are read; the pattern has seen that only one is there. */
const unbase64 = (text) => new Uint8Array(Buffer.from(text.slice(text.lastIndexOf(":") + 1), "base64"));

/** What a row of RULES may say, in the order of the check. */
const FORMS = {
  length: (ends, text) => within(ends, text.length),
  pattern: (pattern, text) => pattern.test(text),
  bytes: (ranges, text) => ranges.some((ends) => within(ends, unbase64(text).length)),
  numbers: (ends, number) => Number.isInteger(number) && within(ends, number),
  texts: (texts, text) => texts.includes(text),
  refused: (values, value) => !values.includes(value),
  count: (ends, value) => within(ends, Object.keys(value).length),
  elements: (form, value) => areIds(value) && areElements(form, Object.values(value)),
  code: (words, value, name) => words.every((word) => CODE[word](value, name)),
};

function satisfies(name, value) {
  return Object.keys(FORMS).every((form) => !(form in RULES[name]) || FORMS[form](RULES[name][form], value, name));
}

const areIds = (value) => Array.isArray(value) || Object.keys(value).every((name) => satisfies("identifier", name));

function areElements({ constant, rule, unique }, values) {
  const isRight = (value) => (rule ? TYPES.string(value) && satisfies(rule, value) : value === constant);
  return values.every(isRight) && (!unique || new Set(values).size === values.length);
}

/** What a row leaves to code. */
const CODE = {
  byteCount: () => true, // FORMS.bytes has counted.
  utf8: (text, name) => within(RULES[name].length, Buffer.byteLength(text)),
  json: (text) => text === SHORT_COSTS || areCosts(parse(text)),
  protobuf: (text) => publicPoint(unbase64(text)) !== null,
  p256: (text) => isOnP256(...publicPoint(unbase64(text))),
  x25519: (text) => isX25519(unbase64(text)),
  ristretto255: (text, name) => isElement(unbase64(text).subarray(SHARE_AT[name], SHARE_AT[name] + 32)),
};
/** An offer has 16 bytes before its share. */
const SHARE_AT = { offer: 16, reply: 0 };

const SHORT_COSTS = "argon2id$v=19$m=46080,t=3,p=1";
/** The costs of Argon2id by the names that clients use, and nothing beside them. */
const COSTS = [[["alg"], "argon2id"], [["m", "memory", "memoryKiB"], 46080], [["p", "parallelism"], 1], [["t", "iterations"], 3], [["v"], 19]];

function areCosts(object) {
  const members = TYPES.map(object) ? Object.entries(object) : [];
  const has = ([names, cost]) => members.some(([name, value]) => names.includes(name) && value === cost);
  return members.length === COSTS.length && COSTS.every(has);
}

// MARK: - A public key: a Tink keyset with one key, in the only spelling that protobuf has for it

const PUBLIC_KEY_TYPE = "type.googleapis.com/google.crypto.tink.EciesAeadHkdfPublicKey";
const AES_GCM_TYPE = "type.googleapis.com/google.crypto.tink.AesGcmKey";
const [P256, SHA256, ENABLED, ASYMMETRIC_PUBLIC] = [2, 3, 1, 3];
const [NUMBER, BYTES] = [0, 2];

/** The coordinates of the key's point, or null. closer-keys-formats(7), TINK, Reading a keyset. */
function publicPoint(bytes) {
  try {
    const keyset = message(bytes, { 1: NUMBER, 2: BYTES });
    const key = message(keyset[2], { 1: BYTES, 2: NUMBER, 3: NUMBER, 4: NUMBER });
    const data = message(key[1], { 1: BYTES, 2: BYTES, 3: NUMBER });
    const publicKey = message(data[2], { 2: BYTES, 3: BYTES, 4: BYTES });
    demand(bytes.length <= 16384 && key[2] === ENABLED && key[3] === keyset[1] && within([1, 4], key[4]));
    demand(textOf(data[1]) === PUBLIC_KEY_TYPE && data[3] === ASYMMETRIC_PUBLIC);
    demandParameters(publicKey[2]);
    demand(publicKey[3]?.length === publicKey[4]?.length);
    return [coordinate(publicKey[3]), coordinate(publicKey[4])];
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

function demandParameters(bytes) {
  const parameters = message(bytes, { 1: BYTES, 2: BYTES, 3: NUMBER });
  const kem = message(parameters[1], { 1: NUMBER, 2: NUMBER, 11: BYTES });
  const template = message(message(parameters[2], { 2: BYTES })[2], { 1: BYTES, 2: BYTES, 3: NUMBER });
  demand(within([1, 2], parameters[3]) && kem[1] === P256 && kem[2] === SHA256 && (kem[11]?.length ?? 0) <= 1024);
  demand(textOf(template[1]) === AES_GCM_TYPE && within([1, 4], template[3]));
  demand([16, 32].includes(message(template[2], { 2: NUMBER })[2]));
}

/** 32 bytes, or 33 of which the first is zero. */
function coordinate(bytes) {
  demand(bytes?.length === 32 || (bytes?.length === 33 && bytes[0] === 0));
  return BigInt("0x" + Buffer.from(bytes).toString("hex"));
}

/** The fields of a message: each once, in their order, none with its default value, in the shortest varints. */
function message(bytes, shape) {
  demand(bytes !== undefined);
  const fields = {};
  for (let at = 0, last = 0; at < bytes.length; ) {
    const varint = () => {
      const start = at;
      let value = 0n;
      do value |= BigInt(bytes[at] & 127) << BigInt(7 * (at - start)); while (bytes[at++] > 127 && at - start < 5);
      demand(at <= bytes.length && bytes[at - 1] !== 0 && bytes[at - 1] < 128 && value < 2n ** 32n);
      return Number(value);
    };
    const tag = varint(), field = Math.floor(tag / 8), value = varint();
    demand(field > last && shape[field] === tag % 8);
    fields[field] = shape[field] === NUMBER ? value : bytes.subarray(at, (at += value));
    demand(at <= bytes.length);
    last = field;
  }
  return fields;
}

function demand(holds) { if (!holds) throw new Malformed(); }
const textOf = (bytes) => Buffer.from(bytes ?? []).toString("latin1");

// MARK: - Curves. All of it is public, so the time that it takes may show it.

const little = (bytes) => BigInt("0x" + Buffer.from(bytes).reverse().toString("hex"));

/** Whether the coordinates are those of a point of P-256 (SP 800-186 §3.2.1.3). */
function isOnP256(x, y) {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
  const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
  return x < p && y < p && (y * y - x ** 3n + 3n * x - b) % p === 0n;
}

const P = 2n ** 255n - 19n;
const mod = (number) => ((number % P) + P) % P;
/** The u coordinates of the points whose order divides 8, on the curve and on its twist (RFC 7748 §6.1). */
const LOW_ORDER = [
  0n, 1n, P - 1n,
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
];

/** Whether bytes are the one spelling of an X25519 key that is not of low order. */
function isX25519(bytes) {
  const u = little(bytes);
  return u < P && !LOW_ORDER.includes(u);
}

const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752n;
const isNegative = (number) => (number & 1n) === 1n;
const absolute = (number) => (isNegative(number) ? P - number : number);

function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest; rest >>= 1n, square = mod(square * square)) if (rest & 1n) result = mod(result * square);
  return result;
}

/** SQRT_RATIO_M1(1, v) of RFC 9496 §4.2; null if 1/v is no square. */
function inverseRoot(v) {
  const root = mod(v ** 3n * power(mod(v ** 7n), (P - 5n) / 8n));
  const check = mod(v * root * root);
  if (check !== 1n && check !== P - 1n) return null;
  return absolute(check === 1n ? root : mod(root * SQRT_M1));
}

/** Whether bytes are an element of ristretto255 other than the identity (RFC 9496 §4.3.1). */
function isElement(bytes) {
  const s = little(bytes);
  if (s >= P || isNegative(s) || s === 0n) return false;
  const [u1, u2] = [mod(1n - s * s), mod(1n + s * s)];
  const v = mod(-D * u1 * u1 - u2 * u2);
  const root = inverseRoot(mod(v * u2 * u2));
  if (root === null) return false;
  const x = absolute(mod(2n * s * root * u2));
  const y = mod(u1 * root * root * u2 * v);
  return y !== 0n && !isNegative(mod(x * y));
}

// MARK: - Strict JSON

class Malformed extends Error {}

/** What two parsers read alike, or undefined. JSON.parse has the grammar of RFC 8259; the rest is read from the tokens. */
function parse(text) {
  try {
    const string = typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
    if (Buffer.byteLength(string) > MAXIMUM_BYTE_COUNT) return undefined;
    const value = JSON.parse(string);
    return isStrict(string) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|[^\s{}[\]:,"]+/g;

/** Whether a JSON text has unique names, 16 levels at most, whole characters, and numbers that a double holds. */
function isStrict(text) {
  const names = [];
  let last;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") names.push(new Set());
    else if (token === "}" || token === "]") names.pop();
    else if (token === ":") { if (!isNew(names.at(-1), last)) return false; }
    else if (token[0] === '"') { last = JSON.parse(token); if (/\p{Surrogate}/u.test(last)) return false; }
    else if (/^[-0-9]/.test(token) && !isExact(token)) return false;
    if (names.length > MAXIMUM_DEPTH) return false;
  }
  return true;
}

const isNew = (names, name) => !names.has(name) && Boolean(names.add(name));

/** A whole number up to 2^53 - 1, a fraction below it, or what is written with an exponent (RFC 7493 §2.2). */
function isExact(literal) {
  const size = Math.abs(Number(literal));
  return size <= Number.MAX_SAFE_INTEGER || (size < Infinity && size >= 1e21 && /[.eE]/.test(literal));
}
