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
    rule = next(_broken(case["document"], members, case.get("previous")), None)
    if _partner_takes(case, members) != (rule is None) and rule not in UNKNOWN_TO_THE_PARTNER:
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
    "platform.platform",
    "wrappedCoupleKey.wrappedCoupleKey",
}


def _broken(document: str, members: dict, previous: str | None):
    if document == "couple":
        yield from _of_couple(members, previous)
    for name, (type_, rule, test) in MEMBERS[document].items():
        if name not in members:
            if name not in OPTIONAL.get(document, ()) and document != "couple":
                yield f"{name}.present"
        elif type(members[name]) is not type_ and not (type_ is int and type(members[name]) is float):
            yield f"{name}.{NAMES.get(type_, rule)}"
        elif not _holds(test, members[name]):
            yield f"{name}.{rule}"
    if document == "release-key" and members.get("senderId") == members.get("recipientId"):
        yield "recipientId.otherPerson"


def _of_couple(members: dict, previous: str | None):
    present = [name for name in WRAP if name in members]
    version = members.get("encryptionVersion", 2 if present else 0)
    if 0 < len(present) < 3:
        yield f"{next(name for name in WRAP if name not in members)}.wholeWrap"
    if present and version == 0:
        yield "encryptionVersion.versionForWrap"
    if not present and version in (1, 2) and type(version) is int:
        yield "wrappedCoupleKey.wrapForVersion"
    if previous and type(version) is int and version < json.loads(previous).get("encryptionVersion", 2):
        yield "encryptionVersion.notLowered"


def _holds(test, value: object) -> bool:
    try:
        return bool(test(value))
    except Refused:
        return False


def _token(kind: str):
    return lambda text: token_payload(kind, text) is not None


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
MEMBERS = {
    "couple": {"encryptionVersion": (int, "encryptionVersion", lambda number: number in (0, 1, 2)), **KEY},
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
        "senderId": ID,
        "recipientId": ID,
    },
    "device": {
        "publicKey": (str, "publicKey", tink_boxes.public_keyset),
        "platform": (str, "platform", lambda text: 1 <= len(text.encode()) <= 128),
    },
    "pair-offer": {**LOOKUP, "coupleId": ID, **PARTY, "offer": (str, "offer", pair_tokens.offer)},
    "pair-reply": {**LOOKUP, **PARTY, "reply": (str, "reply", pair_tokens.reply)},
    "pair-grant": {**LOOKUP, "grant": (str, "grant", pair_tokens.grant)},
}
OPTIONAL = {"invite": ("code",), "answer": ("isRevealed",)}
