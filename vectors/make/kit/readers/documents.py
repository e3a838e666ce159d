"""Documents: whether the partner of `make check-interop` takes one. Which rule is broken is read off the text by hand.

The partner knows one word for every fault. The rule's name is found here by a table of its own, member by member.
"""

import base64
import calendar
import json
import re

from checks import Refused
from kit import pair_tokens
from kit.readers import couples, tink_boxes
from partner.canonical import parsed_object
from partner.documents import CHECKS, RULES, WRAP
from partner.encoding import from_either, from_standard, identifier, token_payload


def check(case: dict) -> dict:
    members = parsed_object(case["text"].encode())
    members = {name: value for name, value in members.items() if value is not None}
    rule = next(broken(case["document"], members, case.get("previous")), None)
    is_known = case["document"] in CHECKS and rule not in UNKNOWN_TO_THE_PARTNER
    # A phone ignores what only a write must not have, and joins no couple by an invite that was accepted.
    is_known = is_known and not (rule or "").endswith(OF_WRITES) and members.get("status") != "accepted"
    if is_known and _partner_takes(case, members) != (rule is None):
        raise Refused(f"the partner disagrees: {rule}")
    if rule:
        raise Refused(rule)
    return {}


def _partner_takes(case: dict, members: dict) -> bool:
    """It reads a document of a pairing from its text, and the others from their members."""
    document = case["document"]
    try:
        RULES[document](members) if document in RULES else CHECKS[document](case["text"])
    except (Refused, TypeError):  # the partner does not look at the type of a code
        return False
    return True


# What only the server's rules say.
UNKNOWN_TO_THE_PARTNER = {
    "encryptionVersion.notLowered",
    "encryptionMigrationUsers.migrationUsers",
    "kdfSalt.weakSalt",
    "platform.platform",
    "userIds.userIds",
    "wrappedCoupleKey.wrappedCoupleKey",
}
OF_WRITES = (".plaintext", ".time", ".wiped", ".inviteStatus", "status.string", "inviterUserId.identifier")


def broken(document: str, members: dict, previous: str | None):
    own = list(_of_members(document, members))
    yield from own
    if document == "couple" and not any(fault.split(".")[0] in ("encryptionVersion", *WRAP) for fault in own):
        yield from _of_couple(members, previous)


def _of_members(document: str, members: dict):
    for name, (type_, rule, test) in MEMBERS[document].items():
        if name not in members:
            if document == "couple" and name in WRAP and any(other in members for other in WRAP):
                yield f"{name}.wholeWrap"
            is_wiped = name == "recoveryPhrase" and members.get("status") == "accepted"
            if name not in OPTIONAL.get(document, ()) and document != "couple" and not is_wiped:
                yield f"{name}.present"
        elif type_ is object:
            if not test(members[name]):
                yield f"{name}.{rule}"
        elif type(members[name]) is not type_ and not (type_ is int and type(members[name]) is float):
            yield f"{name}.{NAMES.get(type_, rule)}"
        elif not _holds(test, members[name]):
            yield f"{name}.{rule}"
        elif name == "kdfSalt" and not any(from_standard(members[name])):
            yield "kdfSalt.weakSalt"
    if document == "invite" and members.get("status") == "accepted" and "recoveryPhrase" in members:
        yield "recoveryPhrase.wiped"
    yield from clear_texts(document, members)
    if document in ("release-key", "rekey", "chat-key") and members.get("senderId") == members.get("recipientId"):
        yield "recipientId.otherPerson"


def clear_texts(document: str, members: dict):
    """The texts of what holds content, at any depth, that are no tokens and have no form of the apps' documents."""
    if document not in NAMED:
        return
    others = [name for name in members if name not in MEMBERS[document]]
    clear = [name for name in others if not all(_may_stand(document, name, text, members[name]) for text in _texts(members[name]))]
    if document == "legacy-answer":
        own = [name for name in clear if isinstance(members[name], str) and not _form(document, name)]
        yield from ["content.field"] * bool(own)
        clear = [name for name in clear if name not in own]
    yield from (f"{name}.plaintext" for name in sorted(clear, key=str.encode))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]


def _may_stand(document: str, name: str, text: str, value: object) -> bool:
    """A token stands anywhere, and a text of the member's form alone."""
    is_token = document in ("legacy-answer", "game-slot") and _holds(FIELD[2], text)
    form = _form(document, name)
    return is_token or (text is value and form is not None and _holds(form, text))


def _form(document: str, name: str):
    has_times = document in ("answer", "legacy-answer", "game-slot") and name.endswith("At")
    return NAMED[document].get(name) or (is_time if has_times else None)


def is_day(text: str) -> bool:
    """Of the Gregorian calendar, which repeats after 400 years; Python's begins with the year 1."""
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    year, month, day = map(int, text.split("-"))
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year % 400 + 2000, month)[1]


def is_time(text: str) -> bool:
    """RFC 3339 §5.6, in capital letters."""
    found = re.fullmatch(
        r"(.{10})T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-](\d\d):(\d\d))", text, re.ASCII | re.DOTALL
    )
    if not found or not is_day(found[1]):
        return False
    limits = zip((2, 3, 4, 7, 8), (23, 59, 60, 23, 59))
    return all(int(found[group] or 0) <= limit for group, limit in limits)


def _is_time_of_any_kind(value: object) -> bool:
    if isinstance(value, dict):
        parts = {"seconds", "nanoseconds", "_seconds", "_nanoseconds"}
        return bool(value) and all(name in parts and type(each) in (int, float) for name, each in value.items())
    return type(value) in (int, float) or (isinstance(value, str) and is_time(value))


def version_of(members: dict) -> int:
    """Of a couple's document; a missing one is 2 beside a wrap."""
    version = members.get("encryptionVersion")
    return (2 if members.get("wrappedCoupleKey") else 0) if version is None else int(version)


def _of_couple(members: dict, previous: str | None):
    is_wrapped, version = "wrappedCoupleKey" in members, version_of(members)
    if is_wrapped and version == 0:
        yield "encryptionVersion.versionForWrap"
    if not is_wrapped and version > 0:
        yield "wrappedCoupleKey.wrapForVersion"
    if previous and version < version_of(json.loads(previous)):
        yield "encryptionVersion.notLowered"


def _holds(test, value: object) -> bool:
    try:
        return bool(test(value))
    except Refused:
        return False


def _token(kind: str):
    return lambda text: token_payload(kind, text) is not None


def _ids(texts: list, count: int) -> bool:
    return len(texts) <= count and all(map(identifier, texts))


def _base64(least: int, most: int = 1 << 20):
    return lambda text: least <= len(from_standard(text)) <= most


def _is_bound(text: str) -> bool:
    """A head of 40 bytes, a nonce, a tag, and a message of 64 bytes to 64 KiB and what fills it up, in base64url as Python writes it."""
    letters = text.removeprefix("chat:v2:")
    if letters == text or not re.fullmatch("[A-Za-z0-9_-]+", letters):
        return False
    box = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    return 132 <= len(box) <= 40 + 12 + 1025 * 64 + 16 and base64.urlsafe_b64encode(box).decode().rstrip("=") == letters


def _phrase(text: str) -> bool:
    box = from_standard(text)
    return box[:1] == b"\1" and 46 <= len(box) <= 45 + 1024


NAMES = {str: "string", bool: "boolean"}
ID = (str, "identifier", identifier)
KEY = {
    "wrappedCoupleKey": (
        str,
        "wrappedCoupleKey",
        lambda text: 29 <= len(from_either(text)) <= 28 + (1 << 14),
    ),
    "kdfSalt": (str, "kdfSalt", lambda text: len(from_standard(text)) == 16),
    "kdfParams": (str, "kdfParams", lambda text: couples.check_costs({"kdfParams": text}) == {}),
}
LOOKUP = {
    "lookup": (str, "lookup", pair_tokens.is_lookup),
    "purpose": (str, "purpose", lambda text: text == "couple"),
}
PARTY = {
    "userId": ID,
    "publicKey": (str, "publicKey", tink_boxes.public_keyset),
    "x25519PublicKey": (str, "x25519PublicKey", pair_tokens.x25519_key),
}
FIELD = (str, "field", lambda text: _token("enc:v2:" if text[:7] == "enc:v2:" else "enc:v1:")(text))
TIME = (object, "time", _is_time_of_any_kind)
X25519 = (str, "x25519PublicKey", pair_tokens.x25519_key)
FOND_FIELD = (str, "fondField", _base64(28))
RELEASE = {"senderId": ID, "recipientId": ID}
FOND = ("encryptedStatus", "encryptedLocation", "encryptedHeartbeat", "encryptedName", "encryptedMessage", "encryptedPromptAnswer")
MEMBERS = {
    "couple": {
        "encryptionVersion": (int, "encryptionVersion", lambda number: number in (0, 1, 2)),
        **KEY,
        "encryptionMigrationUsers": (
            dict,
            "migrationUsers",
            lambda users: _ids(list(users), 2) and all(value is True for value in users.values()),
        ),
        "userIds": (list, "userIds", lambda users: _ids(users, 2) and len(set(users)) == len(users) == 2),
    },
    "invite": {
        "code": (str, "code", lambda text: re.fullmatch("[a-zA-Z0-9]{6}", text)),
        **KEY,
        "recoveryPhrase": (str, "recoveryPhrase", _phrase),
        "inviterUserId": ID,
        "status": (str, "inviteStatus", lambda text: text in ("pending", "accepted", "expired")),
        "createdAt": TIME,
        "expiresAt": TIME,
    },
    "answer": {
        "userId": ID,
        "questionId": ID,
        "schemaVersion": (int, "schemaVersion", lambda number: number == 3),
        "encryptedPayload": (str, "sealed", _token("sealed:v1:")),
        "commitmentHash": (str, "commitment", _token("sha256:")),
        "answerKeyReleased": (bool, "boolean", lambda value: True),
        "isRevealed": (bool, "boolean", lambda value: True),
    },
    "release-key": {
        "encryptedAnswerKey": (str, "keybox", _token("keybox:v1:")),
        **RELEASE,
    },
    "device": {
        "publicKey": (str, "publicKey", tink_boxes.public_keyset),
        "platform": (str, "platform", lambda text: 1 <= len(text.encode()) <= 128),
    },
    "rekey": {
        "encryptedCoupleKey": (str, "keybox", _token("keybox:v1:")),
        **RELEASE,
        "epoch": (int, "epoch", lambda number: number == int(number) and 1 <= number < 1 << 32),
    },
    "game-slot": {
        "answers": (
            dict,
            "fieldsByUser",
            lambda fields: (
                _ids(list(fields), 2)
                and all(isinstance(text, str) and _holds(FIELD[2], text) for text in fields.values())
            ),
        )
    },
    "fitlink-message": {
        "encrypted_content": (str, "messageContent", _base64(16)),
        "iv": (str, "messageIV", _base64(12, 12)),
    },
    "fitlink-user": {"public_key": X25519},
    "fond-user": {
        "publicKey": X25519,
        **dict.fromkeys(FOND, FOND_FIELD),
    },
    "legacy-answer": {
        "userId": ID,
        "questionId": ID,
        "schemaVersion": (int, "otherSchema", lambda number: number == int(number) >= 0 and number != 3),
        "isRevealed": (bool, "boolean", lambda value: True),
    },
    "chat-message": {
        "encrypted_content": (str, "chatToken", _is_bound),
        "sender_id": ID,
        **{name: (object, "absent", lambda value: False) for name in ("iv", "type", "payload", "reply_to")},
    },
    "chat-key": {
        **RELEASE,
        "index": (int, "chatIndex", lambda number: number == int(number) and 1 <= number < 1 << 32),
        "publicKey": X25519,
        "mac": (str, "chatMac", lambda text: re.fullmatch("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", text)),
    },
    "pair-offer": {**LOOKUP, "coupleId": ID, **PARTY, "offer": (str, "offer", pair_tokens.offer)},
    "pair-reply": {**LOOKUP, **PARTY, "reply": (str, "reply", pair_tokens.reply)},
    "pair-grant": {**LOOKUP, "grant": (str, "grant", pair_tokens.grant)},
}
OPTIONAL = {
    "invite": ("code", "inviterUserId", "status", "createdAt", "expiresAt"),
    "answer": ("isRevealed",),
    "legacy-answer": ("schemaVersion", "isRevealed"),
    "fond-user": FOND,
    "chat-message": ("iv", "type", "payload", "reply_to"),
}
# Names that the apps' documents give to what is no content, and what a text there is.
_ANSWER = {"coupleId": identifier, "threadId": identifier, "date": is_day, "answerDate": is_day}
NAMED = {
    "answer": _ANSWER,
    "legacy-answer": _ANSWER,
    "game-slot": dict.fromkeys(("coupleId", "sessionId", "questionId", "createdByUserId"), identifier),
    "fitlink-message": {
        **dict.fromkeys(("id", "sender_id", "reply_to"), identifier),
        "type": lambda text: text in ("text", "image", "file", "diet_plan", "workout_plan", "voice", "challenge"),
        "status": lambda text: text in ("sent", "delivered", "read"),
        "timestamp": is_time,
        "read_at": is_time,
    },
    "chat-message": {
        "id": identifier,
        "status": lambda text: text in ("sent", "delivered", "read"),
        "timestamp": is_time,
        "read_at": is_time,
    },
    "fond-user": dict.fromkeys(("userId", "connectionId", "partnerUid"), identifier),
}
