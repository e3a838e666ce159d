"""How an answer is checked: each step has an error of its own, and none is skipped.

closer-keys-formats(7), Reading order.
"""

import hmac
from dataclasses import dataclass

from checks import Refused
from partner import payload as payloads
from partner.canonical import canonical, parsed, parsed_object
from partner.contexts import Context
from partner.couple_key import CoupleKey
from partner.sealed import opened_payload


@dataclass(frozen=True)
class Revealed:
    """An answer that passed every check. Only one with a MAC says which place it belongs to."""

    payload: bytes
    authenticity: str
    commitment: str
    place: str | None


@dataclass(frozen=True)
class Shown:
    """What the server shows of an answer, and what the reader holds it against."""

    token: str
    commitment: str
    context: Context
    place: str
    pinned: str | None


def reveal(shown: Shown, one_time_key: bytes, key: CoupleKey) -> Revealed:
    received = opened_payload(shown.token, one_time_key, shown.context)
    payload = _committed(received, shown.commitment)
    if shown.pinned is not None and shown.pinned != shown.commitment:
        raise Refused("pinMismatch")
    members = _parsed(payload)
    if not any(name in members for name in payloads.ADDED):
        return Revealed(payload, "unauthenticated", shown.commitment, None)
    if (
        not all(isinstance(members.get(name), str) for name in payloads.ADDED)
        or canonical(members) != received
    ):
        raise Refused("malformed")
    author = _proven(members, key, shown.context)
    if members["_c"] != shown.place:
        raise Refused("placeMismatch")
    # The server may have every key that came by a v1 invite or a phrase: closer-keys-trust(7), STATES.
    authenticity = "authenticated" if author in key.private else "serverForgeable"
    return Revealed(payload, authenticity, shown.commitment, members["_c"])


def _committed(received: bytes, commitment: str) -> bytes:
    """Gives the bytes as they were received, or their canonical form, whichever fits the commitment."""
    if payloads.commitment(received) == commitment:
        return received
    try:
        payload = canonical(parsed(received))
    except Refused:
        raise Refused("commitmentMismatch") from None
    if payloads.commitment(payload) != commitment:
        raise Refused("commitmentMismatch")
    return payload


def _parsed(payload: bytes) -> dict:
    if len(payload) > payloads.MAXIMUM:
        raise Refused("malformed")
    return parsed_object(payload)


def _proven(members: dict, key: CoupleKey, context: Context) -> bytes:
    """The key of the MAC: the primary, or another enabled one, since the author may not have the newest yet."""
    for each in key.enabled():
        if hmac.compare_digest(payloads.mac(members, each, context).encode(), members["_m"].encode()):
            return each
    raise Refused("macInvalid")
