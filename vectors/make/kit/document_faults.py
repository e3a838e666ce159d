"""Changes that break one rule of a document, and the rule."""

import string
from collections.abc import Iterator

from kit import cpace, pair_tokens
from kit.answer_parts import FIELD, content_of
from kit.x25519_keys import LOW_ORDER, OTHER_SPELLINGS, bytes_of
from partner.encoding import standard

URL_SAFE = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
BAD_IDS = ("", "a|b", "x" * 129, "é", "a b")


def missing(name: str, member: str) -> str | None:
    """The rule that a missing member breaks; none, if it may be missing or its absence means something else."""
    if (name, member) in OPTIONAL:
        return None
    return f"{member}.wholeWrap" if name == "couple" else f"{member}.present"


def faults(name: str, members: dict) -> Iterator[tuple[str, dict, str, str]]:
    for member, value in members.items():
        rule = OWN_RULES.get((name, member)) or RULES.get(member)
        if (name, member) != CONTENT:
            yield from _types(member, value, rule)
        for other in OWN_VALUES.get((name, member)) or VALUES.get(member, ()):
            shown = ascii(other)[:40]
            yield (
                f"{member} is {shown}, {len(str(other))}",
                {member: other},
                f"{member}.{rule}",
                "Value",
            )
    for member in (
        "encryptedPayload",
        "commitmentHash",
        "encryptedAnswerKey",
        "encryptedCoupleKey",
        "publicKey",
        *PAIR_TOKENS,
    ):
        if member in members and (name, member) not in OWN_RULES:
            for comment, other in _tokens(members[member]):
                yield f"{member}: {comment}", {member: other}, f"{member}.{RULES[member]}", "Value"
    if "kdfSalt" in members:
        yield "a salt of zeros", {"kdfSalt": standard(bytes(16))}, "kdfSalt.weakSalt", "Value"
    if name == "legacy-answer":
        yield from _plain_texts()
    for comment, changes, rule in CLEAR.get(name, ()):
        yield comment, changes, rule, "Content"
    if name in CLEAR:
        yield from _at_any_depth()
    for comment, changes, rule in OTHERS.get(name, ()):
        yield comment, changes, rule, "Value"
    if name in ("release-key", "rekey", "chat-key"):
        yield "released to oneself", {"recipientId": members["senderId"]}, "recipientId.otherPerson", "Person"

    for kind in PAIR_TOKENS:
        if kind in members:
            for comment, content in _contents(kind, content_of(members[kind])):
                yield f"{kind}: {comment}", {kind: pair_tokens.text(kind, content)}, f"{kind}.{kind}", "Value"


def _plain_texts() -> Iterator[tuple[str, dict, str, str]]:
    """Texts beside the ids, of which only the date and times may be in the clear."""
    for member in ("text", "content", "chat", "createdat", "answerdate", "Attic", "", "encryptedPayload"):
        yield f"{member!r} is in the clear", {member: "yes"}, "content.field", "Content"
    for comment, other in _tokens(FIELD, padded="other bits", letter="_"):
        yield f"text: {comment}", {"text": other}, "content.field", "Content"
    yield "one text of two is in the clear", {"text": FIELD, "note": "yes"}, "content.field", "Content"
    yield "a sealed answer's text", {"text": "sealed:v1:" + "A" * 80}, "content.field", "Content"


def _at_any_depth() -> Iterator[tuple[str, dict, str, str]]:
    """One text in the clear more than the kind may have."""
    for comment, value in {
        "a list": ["in the clear"],
        "a map": {"alice": "in the clear"},
        "a map in a list": [1, {"x": [{}, "in the clear"]}],
        "an empty text in a list": [""],
        "the object of a time": {"seconds": "in the clear"},
    }.items():
        yield f"in the clear: {comment}", {"memo": value}, "memo.plaintext", "Content"


def _contents(kind: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Of tokens that are spelled well."""
    if kind != "grant":
        start = 16 if kind == "offer" else 0
        for comment, share in _no_shares(content[start : start + 32]):
            yield f"the share is {comment}", content[:start] + share + content[start + 32 :]
    yield "too long", (content + bytes(16 * 1024))[: 49 if kind == "offer" else 16 * 1024 + 1]
    for count in {"offer": (0, 16, 47), "reply": (0, 63, 65, 91), "grant": (0, 32, 89)}[kind]:
        yield f"{count} bytes", content[:count]


def _no_shares(share: bytes) -> Iterator[tuple[str, bytes]]:
    number = int.from_bytes(share, "little")
    values = {"the identity": 0, "with bit 255": number | 1 << 255, "negative": cpace.P - number}
    values |= {"the identity with bit 255": 1 << 255, "p": cpace.P, "p and 2": cpace.P + 2}
    for comment, value in values.items():
        yield comment, value.to_bytes(32, "little")
    changed = (share[:place] + bytes([share[place] ^ 2]) + share[place + 1 :] for place in range(1, 31))
    yield "no element", next(each for each in changed if not cpace.is_element(each))


def _types(member: str, value: object, own_rule: str | None) -> Iterator[tuple[str, dict, str, str]]:
    others = {
        str: (1, True, {}, ["x"]),
        bool: (0, "false", []),
        int: ("2", True, [2]),
        dict: ("x", 1, True, []),
        list: ("x", 1, False, {}),
    }[type(value)]
    rule = {str: "string", bool: "boolean"}.get(type(value), own_rule)
    for other in others:
        yield f"{member} is {other!r}", {member: other}, f"{member}.{rule}", "Type"


def _tokens(text: str, padded: str = "padding", letter: str = "+") -> Iterator[tuple[str, str]]:
    yield "empty", ""
    yield "without its name", text.rpartition(":")[2]
    yield f"with {padded}", text + "="
    yield "a line break behind it", text + "\n"
    yield "a letter of the other alphabet", text[:-1] + letter
    yield "cut to 30 characters", text[:30]
    if letter == "+" and len(text.rpartition(":")[2]) % 4:
        yield "a bit behind the last byte", text[:-1] + URL_SAFE[URL_SAFE.index(text[-1]) | 1]


def _unlike_standard(least: int, most: int | None = None) -> tuple[str, ...]:
    """Standard base64 of other lengths, and other spellings."""
    right = standard(bytes([9] * least))
    longer = (standard(bytes(most + 1)),) if most else ()
    others = (right + "\n", " " + right, "_" + right[1:], right.rstrip("=") + "A" * (right[-1] != "="))
    return ("", standard(bytes(least - 1)), *longer, *others)


def of_migration() -> Iterator[tuple[str, dict, str, str]]:
    """Faults in the two members of a couple that a migration reads."""
    for other in ("x", 1, True, []):
        yield f"the map is {other!r}", {MAP: other}, f"{MAP}.migrationUsers", "Type"
    for other in MAPS:
        yield f"the map is {other!r}"[:60], {MAP: other}, f"{MAP}.migrationUsers", "Migration"
    for other in ("alice", 1, False, {"alice": True, "bob": True}):
        yield f"userIds is {other!r}", {"userIds": other}, "userIds.userIds", "Type"
    for other in PEOPLE:
        yield f"userIds is {other!r}"[:60], {"userIds": other}, "userIds.userIds", "Migration"


MAP = "encryptionMigrationUsers"
MAPS = (
    {"alice": False},
    {"alice": 1},
    {"alice": "true"},
    {"alice": None},
    {"alice": {}},
    {"alice": True, "bob": False},
    {"a|b": True},
    {"": True},
    {"x" * 129: True},
    {"alice": True, "bob": True, "eve": True},
)
PEOPLE = (
    [],
    ["alice"],
    ["alice", "alice"],
    ["alice", "bob", "eve"],
    ["alice", "a|b"],
    ["alice", ""],
    ["alice", 1],
    ["alice", None],
    [["alice", "bob"]],
)
FOND = ("encryptedStatus", "encryptedLocation", "encryptedHeartbeat", "encryptedName", "encryptedMessage", "encryptedPromptAnswer")
# It may be of another type, as any member may that has no rule.
CONTENT = ("legacy-answer", "text")
OPTIONAL = {
    ("invite", "code"),
    ("answer", "isRevealed"),
    ("couple", "encryptionVersion"),
    ("legacy-answer", "schemaVersion"),
    ("legacy-answer", "isRevealed"),
    CONTENT,
    *(("fond-user", name) for name in FOND),
}
PAIR_TOKENS = ("offer", "reply", "grant")
RULES = {
    "encryptionVersion": "encryptionVersion",
    "wrappedCoupleKey": "wrappedCoupleKey",
    "kdfSalt": "kdfSalt",
    "kdfParams": "kdfParams",
    "code": "code",
    "recoveryPhrase": "recoveryPhrase",
    "userId": "identifier",
    "questionId": "identifier",
    "senderId": "identifier",
    "recipientId": "identifier",
    "schemaVersion": "schemaVersion",
    "encryptedPayload": "sealed",
    "commitmentHash": "commitment",
    "encryptedAnswerKey": "keybox",
    "encryptedCoupleKey": "keybox",
    "epoch": "epoch",
    "answers": "fieldsByUser",
    "encrypted_content": "messageContent",
    "iv": "messageIV",
    "public_key": "x25519PublicKey",
    "encryptedStatus": "fondField",
    "encryptedLocation": "fondField",
    **{name: "fondField" for name in ("encryptedHeartbeat", "encryptedName", "encryptedMessage", "encryptedPromptAnswer")},
    "publicKey": "publicKey",
    "sender_id": "identifier",
    "index": "chatIndex",
    "mac": "chatMac",
    "platform": "platform",
    "coupleId": "identifier",
    **{name: name for name in ("lookup", "purpose", "x25519PublicKey", *PAIR_TOKENS)},
}
NOT_X25519 = (
    "",
    standard(bytes(32)),
    standard(bytes_of(LOW_ORDER["of order 8"])),
    standard(bytes([9] * 31)),
    standard(bytes([9] * 33)),
    standard(bytes([9] * 32)).rstrip("="),
    standard(bytes([9] * 32)) + "\n",
    "_" + standard(bytes([9] * 32))[1:],
    *(standard(bytes_of(number)) for number in OTHER_SPELLINGS.values()),
)
VALUES = {
    "encryptionVersion": (3, -1, 1.5),
    "wrappedCoupleKey": ("", "AAAA", "A" * 37, "*" * 80, "A" * 40 + "\n", "A" * 21888),
    "kdfSalt": (
        "",
        "AAECAwQFBgcICQoLDA0ODw",
        "AAECAwQFBgcICQoLDA0OD_==",
        "AAECAwQFBgcICQoLDA0O",
        "000102030405060708090a0b0c0d0e0f",
    ),
    "kdfParams": (
        "",
        "{}",
        '{"alg":"argon2id","m":8,"p":1,"t":3,"v":19}',
        '{"alg":"argon2i","m":46080,"p":1,"t":3,"v":19}',
    ),
    "code": ("", "7KQ2M", "7KQ2MXX", "7KQ 2M", "7KQ2MÜ"),
    "recoveryPhrase": (
        "",
        "AAAA",
        "AjAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktg/ZeBvWdrVTXubotvgNa+",
        "AT" + "A" * 43,
        "*" * 64,
    ),
    "userId": BAD_IDS,
    "questionId": BAD_IDS,
    "senderId": BAD_IDS,
    "recipientId": BAD_IDS,
    "schemaVersion": (2, 4, 0, 3.5),
    "platform": ("", "x" * 129, "é" * 65),
    "lookup": ("", "QZV8R", "QZV8RDD", "qzv8rd", "QZV8RO", "QZV8RI", "QZV8RL", "QZV8RU", "QZV8R\n", "QZV8RÉ"),
    "purpose": ("", "device", "Couple", "couple "),
    "coupleId": BAD_IDS,
    "x25519PublicKey": NOT_X25519,
    "public_key": NOT_X25519,
    "epoch": (0, -1, 1.5, 4294967296),
    "answers": (
        {"alice": "yes"},
        {"alice": ""},
        {"alice": FIELD + "\n"},
        {"alice": FIELD.replace("v1", "v3")},
        {"alice": 1},
        {"alice": None},
        {"alice": FIELD, "bob": "no"},
        {"a|b": FIELD},
        {"": FIELD},
        {"alice": FIELD, "bob": FIELD, "eve": FIELD},
    ),
    "encrypted_content": _unlike_standard(16),
    "sender_id": BAD_IDS,
    "index": (0, -1, 1.5, 4294967296),
    "mac": ("", "A" * 42, "A" * 44, "A" * 43 + "=", "A" * 42 + "B", "+" + "A" * 42, "A" * 43 + "\n"),
    "iv": _unlike_standard(12, 12),
    "encryptedStatus": _unlike_standard(28),
    "encryptedLocation": _unlike_standard(28)[:2],
    **{name: _unlike_standard(28)[:2] for name in ("encryptedHeartbeat", "encryptedName", "encryptedMessage", "encryptedPromptAnswer")},
}
# What a member is in one kind alone.
OWN_RULES = {
    ("fond-user", "publicKey"): "x25519PublicKey",
    ("chat-key", "publicKey"): "x25519PublicKey",
    ("legacy-answer", "schemaVersion"): "otherSchema",
    ("chat-message", "encrypted_content"): "chatToken",
}
NOT_BOUND = (
    *("", "A" * 176, "chat:v2:", "chat:v2:" + "A" * 175, "chat:v2:" + "A" * 172, "chat:v2:" + "A" * 87559),
    *("chat:v1:" + "A" * 176, "chat:v3:" + "A" * 176, "CHAT:v2:" + "A" * 176, "enc:v2:" + "A" * 176, " chat:v2:" + "A" * 176),
    *("chat:v2:" + "A" * 177 + letter for letter in ("B", "=", "+", "/", "\n", "é")),
)
OWN_VALUES = {
    ("fond-user", "publicKey"): NOT_X25519,
    ("chat-key", "publicKey"): NOT_X25519,
    ("legacy-answer", "schemaVersion"): (3, -1, 1.5),
    ("chat-message", "encrypted_content"): NOT_BOUND,
}
WRONG_TIMES = (
    "yesterday", "", "2026-11-20", "2026-02-29T08:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T08:60:00Z", "2026-11-20T08:00:61Z",
    "2026-11-20T08:00:00", "2026-11-20 08:00:00Z", "2026-11-20t08:00:00z", "2026-11-20T08:00:00.Z", "2026-11-20T08:00:00.1234567890Z",
    "2026-11-20T08:00:00+24:00", "2026-11-20T08:00:00+0100", "2026-11-20T08:00Z", "2026-11-20T08:00:00Z\n", "\uff12026-11-20T08:00:00Z",
)  # fmt: skip
WRONG_DATES = ("yesterday", "", "2026-02-29", "2100-02-29", "2026-04-31", "2026-00-10", "2026-11-00", "2026-1-02", "20261120", "2026-11-20\n")
# Texts that a kind with content may not hold, and the rule that is told first.
CLEAR = {
    "answer": (
        ("a text in the clear", {"answerText": "in the clear"}, "answerText.plaintext"),
        ("an encrypted field beside the seal", {"answerText": FIELD}, "answerText.plaintext"),
        ("a bound field beside the seal", {"answerText": FIELD.replace("v1", "v2")}, "answerText.plaintext"),
        ("an encrypted field in a list", {"choices": [FIELD]}, "choices.plaintext"),
        ("two texts in the clear", {"zebra": "x", "apple": "y", "Zoo": "z"}, "Zoo.plaintext"),
        ("a couple that is no id", {"coupleId": "a b"}, "coupleId.plaintext"),
        ("a text in a time's object", {"createdAt": {"seconds": 1, "note": "in the clear"}}, "createdAt.plaintext"),
        *((f"answerDate is {ascii(each)}", {"answerDate": each}, "answerDate.plaintext") for each in WRONG_DATES),
        *((f"createdAt is {ascii(each)}", {"createdAt": each}, "createdAt.plaintext") for each in WRONG_TIMES),
        ("a name that ends in At, without a time", {"chat": 1, "repeat_At": "noon"}, "repeat_At.plaintext"),
        ("a name that ends in at", {"chat": "noon"}, "chat.plaintext"),
    ),
    "legacy-answer": (
        ("a list in the clear", {"scale": 4, "choices": ["a"], "note": None}, "choices.plaintext"),
        ("a name that ends in At, without a time", {"answerDate": "2026-11-20", "At": "x"}, "At.plaintext"),
        ("a field and a text in a list", {"choices": [FIELD, "a"]}, "choices.plaintext"),
        ("a sealed text in a map", {"more": {"x": "sealed:v1:" + "A" * 80}}, "more.plaintext"),
        ("a date that the calendar lacks", {"answerDate": "2026-02-30"}, "answerDate.plaintext"),
        ("a time in words", {"createdAt": "in the clear"}, "createdAt.plaintext"),
        ("a field and one more of version 3", {"text": FIELD, "other": FIELD.replace("v1", "v3")}, "content.field"),
    ),
    "game-slot": (
        ("texts beside the answers", {"answersText": {"alice": "rock in the clear"}}, "answersText.plaintext"),
        ("a session in a list", {"sessionId": ["s_1"]}, "sessionId.plaintext"),
        ("a session that is no id", {"sessionId": "my session"}, "sessionId.plaintext"),
    ),
    "fitlink-message": (
        ("a reply to a list", {"reply_to": ["m_1", "m_2"]}, "reply_to.plaintext"),
        ("a payload in one text", {"payload": "AAAA"}, "payload.plaintext"),
        ("a payload of tokens", {"payload": {"plan_id": FIELD}}, "payload.plaintext"),
        ("a text in the clear", {"preview": "hi"}, "preview.plaintext"),
        ("another type", {"type": "sticker"}, "type.plaintext"),
        ("another status", {"status": "Read"}, "status.plaintext"),
        ("a sender that is no id", {"sender_id": "alice smith"}, "sender_id.plaintext"),
        ("a time in words", {"timestamp": "noon"}, "timestamp.plaintext"),
    ),
    "chat-message": (
        ("a text in the clear", {"preview": "hi"}, "preview.plaintext"),
        ("another status", {"status": "Read"}, "status.plaintext"),
        ("a time in words", {"timestamp": "noon"}, "timestamp.plaintext"),
        ("a token under another name", {"last_message": "chat:v2:" + "A" * 176}, "last_message.plaintext"),
    ),
    "fond-user": (
        ("a name in the clear", {"name": "Alice"}, "name.plaintext"),
        ("a partner that is no id", {"partnerUid": "my love"}, "partnerUid.plaintext"),
        ("a time", {"createdAt": "2026-11-20T08:00:00Z"}, "createdAt.plaintext"),
        ("a field under another name", {"note": FIELD}, "note.plaintext"),
    ),
}  # fmt: skip
# What a server demands of an invite beside the key and the phrase, and what a bound message has inside.
OTHERS = {
    "chat-message": (
        *((f"with {name}", {name: value}, f"{name}.absent") for name, value in {"iv": "A" * 16, "type": "text", "payload": {"seconds": 12}, "reply_to": "m_1"}.items()),
        *((f"with {name}, a number", {name: 0}, f"{name}.absent") for name in ("iv", "type", "payload", "reply_to")),
    ),
    "invite": (
        ("a status of its own", {"status": "open"}, "status.inviteStatus"),
        ("a status that is no text", {"status": 1}, "status.string"),
        ("an inviter that is no id", {"inviterUserId": "a b"}, "inviterUserId.identifier"),
        ("accepted, with its phrase", {"status": "accepted"}, "recoveryPhrase.wiped"),
        ("expired, without its phrase", {"status": "expired", "recoveryPhrase": None}, "recoveryPhrase.present"),
        *((f"expiresAt is {ascii(each)}", {"expiresAt": each}, "expiresAt.time") for each in ("soon", "2026-02-30T08:00:00Z", True, [], {}, {"nanos": 1}, {"seconds": "1"}, {"seconds": 1, "note": "x"})),
    ),
}  # fmt: skip
