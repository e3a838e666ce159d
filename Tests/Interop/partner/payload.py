"""What the author of an answer commits to: canonical JSON, with or without the four members that harden it.

closer-keys-formats(7), Payload.
"""

import hmac
import json
import os
from hashlib import sha256

from checks import Refused
from partner.canonical import canonical, parsed_object
from partner.contexts import Context
from partner.couple_key import subkey
from partner.encoding import length_prefixed, token, url
from partner.wrap import RandomBytes

ADDED = ("_b", "_c", "_p", "_m")
MINIMUM, MAXIMUM, BLOCK = 27, 64 * 1024, 256


def compat(answer: str) -> bytes:
    """The app's object and nothing else."""
    return _checked(canonical(_members(answer)))


def hardened(
    answer: str, key: bytes, context: Context, place: str, random: RandomBytes = os.urandom
) -> bytes:
    """Blinded, padded, and bound to author and place under a key of the couple."""
    members = _members(answer) | {"_b": url(random(32)), "_c": place, "_p": ""}
    count = len(canonical(members | {"_m": "m" * 43}))
    members["_p"] = "0" * (-count % BLOCK)
    return _checked(canonical(members | {"_m": mac(members, key, context)}))


def mac(members: dict, key: bytes, context: Context) -> str:
    """`_m`, the MAC over every other member."""
    rest = canonical({name: value for name, value in members.items() if name != "_m"})
    message = length_prefixed(
        b"closer-keys/v1/sealed",
        context.couple.encode(),
        context.question.encode(),
        context.author.encode(),
        sha256(rest).digest(),
    )
    return url(hmac.digest(subkey(key, "sealed-mac", context.couple), message, "sha256"))


def android(answer: str) -> bytes:
    """As Android's org.json writes it: members in the order in which they were put in, and `/` escaped."""
    return _org_json(_members(answer)).encode()


def commitment(payload: bytes) -> str:
    return token("sha256:", sha256(payload).digest())


def _members(answer: str) -> dict:
    members = parsed_object(answer.encode())
    if any(name.startswith("_") for name in members):
        raise Refused("malformed")
    return members


def _checked(payload: bytes) -> bytes:
    if len(payload) < MINIMUM:
        raise Refused("malformed")
    if len(payload) > MAXIMUM:
        raise Refused("limit")
    return payload


def _org_json(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_org_json(name)}:{_org_json(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_org_json, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("/", "\\/")
    return repr(value).upper() if isinstance(value, float) else json.dumps(value)
