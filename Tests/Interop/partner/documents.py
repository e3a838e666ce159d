"""The documents as the apps store them, and the rules by which one is refused: closer-keys-formats(7), DOCUMENTS."""

import json
import re

from checks import Refused
from partner import pairing_documents
from partner.canonical import parsed_object
from partner.encoding import from_either, from_standard, identifier, token_payload
from partner.sealed import SealedAnswer, public_keyset
from partner.wrap import are_costs

WRAP = ("wrappedCoupleKey", "kdfSalt", "kdfParams")


def couple(wrap: dict[str, str]) -> dict:
    return {"encryptionVersion": 2, **wrap}


def invite(wrap: dict[str, str], code: str | None, phrase_under_code: str) -> dict:
    return ({"code": code} if code else {}) | wrap | {"recoveryPhrase": phrase_under_code}


def answer(sealed: SealedAnswer, is_in_thread: bool, is_released: bool) -> dict:
    members = {
        "userId": sealed.context.author,
        "questionId": sealed.context.question,
        "schemaVersion": 3,
        "encryptedPayload": sealed.token,
        "commitmentHash": sealed.commitment,
        "answerKeyReleased": is_released,
    }
    return members if is_in_thread else members | {"isRevealed": False}


def release_key(keybox: str, sender: str, recipient: str) -> dict:
    return {"encryptedAnswerKey": keybox, "senderId": sender, "recipientId": recipient}


def read(noun: str, text: str) -> dict:
    """The document, if no rule refuses it. Unknown members are kept and ignored."""
    members = parsed_object(text.encode())
    RULES[noun](members)
    return members


def _check_couple(members: dict) -> None:
    present = [name for name in WRAP if name in members]
    _demand(len(present) in (0, len(WRAP)))
    version = members.get("encryptionVersion", 2 if present else 0)
    _demand(version in (0, 1, 2) and type(version) is int)
    if present:
        _check_wrap(members)
        if version == 0:
            raise Refused("downgrade")
    else:
        _demand(version == 0)


def _check_wrap(members: dict) -> None:
    _demand(all(isinstance(members.get(name), str) for name in WRAP) and are_costs(members["kdfParams"]))
    _demand(
        len(from_standard(members["kdfSalt"])) == 16 and len(from_either(members["wrappedCoupleKey"])) > 28
    )


def _check_invite(members: dict) -> None:
    _check_wrap(members)
    _demand("code" not in members or re.fullmatch("[a-zA-Z0-9]{6}", members["code"]))
    _demand(isinstance(members.get("recoveryPhrase"), str))
    _demand(from_standard(members["recoveryPhrase"])[:1] == b"\x01")


def _check_answer(members: dict) -> None:
    identifier(members.get("userId"))
    identifier(members.get("questionId"))
    _demand(members.get("schemaVersion") == 3 and isinstance(members.get("answerKeyReleased"), bool))
    _demand(isinstance(members.get("isRevealed", False), bool))
    _check_token("sealed:v1:", members.get("encryptedPayload"))
    _check_token("sha256:", members.get("commitmentHash"))


def _check_release_key(members: dict) -> None:
    if "encryptedAnswerKey" not in members:
        raise Refused("notYet")
    _check_token("keybox:v1:", members["encryptedAnswerKey"])
    _demand(identifier(members.get("senderId")) != identifier(members.get("recipientId")))


def _check_device(members: dict) -> None:
    _check_token("pub:v1:", members.get("publicKey"))
    public_keyset(members["publicKey"])
    _demand(isinstance(members.get("platform"), str))


def _check_token(kind: str, text: object) -> None:
    _demand(isinstance(text, str))
    token_payload(kind, text)


def _demand(holds: object) -> None:
    if not holds:
        raise Refused("malformed")


def written(members: dict) -> str:
    return json.dumps(members, ensure_ascii=False)


RULES = {
    "couple": _check_couple,
    "invite": _check_invite,
    "answer": _check_answer,
    "release-key": _check_release_key,
    "device": _check_device,
}
CHECKS = {noun: lambda text, noun=noun: read(noun, text) for noun in RULES} | pairing_documents.RULES
