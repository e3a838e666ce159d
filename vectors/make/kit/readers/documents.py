"""Documents: whether the partner of `make check-interop` takes one. Which rule is broken is read off the text by hand.

The partner knows one word for every fault. The rule's name is found here by a table of its own, member by member.
"""

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
            if name not in OPTIONAL.get(document, ()) and document != "couple":
                yield f"{name}.present"
        elif type(members[name]) is not type_ and not (type_ is int and type(members[name]) is float):
            yield f"{name}.{NAMES.get(type_, rule)}"
        elif not _holds(test, members[name]):
            yield f"{name}.{rule}"
        elif name == "kdfSalt" and not any(from_standard(members[name])):
            yield "kdfSalt.weakSalt"
    if document == "legacy-answer" and not all(_holds(FIELD[2], text) for text in _content(members)):
        yield "content.field"
    if document in ("release-key", "rekey") and members.get("senderId") == members.get("recipientId"):
        yield "recipientId.otherPerson"


def _content(members: dict) -> list[str]:
    """The texts but the ids, the date and the times."""
    named = (*MEMBERS["legacy-answer"], "answerDate")
    return [
        value
        for name, value in members.items()
        if isinstance(value, str) and name not in named and not name.endswith("At")
    ]


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
FIELD = (str, "field", _token("enc:v1:"))
X25519 = (str, "x25519PublicKey", pair_tokens.x25519_key)
FOND_FIELD = (str, "fondField", _base64(28))
RELEASE = {"senderId": ID, "recipientId": ID}
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
        "encryptedStatus": FOND_FIELD,
        "encryptedLocation": FOND_FIELD,
        "encryptedHeartbeat": FOND_FIELD,
    },
    "legacy-answer": {
        "userId": ID,
        "questionId": ID,
        "schemaVersion": (int, "otherSchema", lambda number: number == int(number) >= 0 and number != 3),
        "isRevealed": (bool, "boolean", lambda value: True),
    },
    "pair-offer": {**LOOKUP, "coupleId": ID, **PARTY, "offer": (str, "offer", pair_tokens.offer)},
    "pair-reply": {**LOOKUP, **PARTY, "reply": (str, "reply", pair_tokens.reply)},
    "pair-grant": {**LOOKUP, "grant": (str, "grant", pair_tokens.grant)},
}
OPTIONAL = {
    "invite": ("code",),
    "answer": ("isRevealed",),
    "legacy-answer": ("schemaVersion", "isRevealed"),
    "fond-user": ("encryptedStatus", "encryptedLocation", "encryptedHeartbeat"),
}
