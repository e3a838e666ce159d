"""What a partner in Python says in a pairing, with a new scalar and new nonces each time."""

import secrets

from checks import Refused
from kit import cpace
from kit.pairing import Pairing
from kit.readers import pairings


def reply(case: dict) -> dict:
    number = secrets.randbelow(cpace.ORDER - 1) + 1
    pairing = pairings.answered(case | {"scalar": number.to_bytes(32, "little").hex()})
    held = _sealed(pairing, "hold", pairings.own(case).body(b"hold")) if "keyset" in case else b""
    return {"reply": pairing.reply_text(held)}


def grant(case: dict) -> dict:
    """Only for a reply that proves to know the code."""
    _, pairing, tag, held = pairings.judged(case)
    if not secrets.compare_digest(tag, pairing.tag("reply", held)):
        raise Refused("codeMismatch")
    name = pairings.MIGRATING if case.get("migrating") == "true" else b"couple"
    body = pairings.own(case).body(name, case["phrase"].encode())
    return {"grant": pairing.grant_text(_sealed(pairing, "seal", body))}


def _sealed(pairing: Pairing, label: str, body: bytes) -> bytes:
    return pairing.seal(label, body, secrets.token_bytes(12))
