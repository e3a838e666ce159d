"""Wraps and invites, by argon2-cffi and pyca/cryptography; what is in a wrap by Tink."""

import re

from checks import Refused
from kit.readers.keyset_files import from_binary, from_json, kind
from partner import wrap


def check_costs(case: dict) -> dict:
    if not wrap.are_costs(case["kdfParams"]):
        raise Refused("malformed")
    return {}


def unwrap(case: dict) -> dict:
    members = {name: case[name] for name in ("wrappedCoupleKey", "kdfSalt", "kdfParams")}
    content = wrap.unwrap(members, case["phrase"])
    keyset = from_json(content) if content.lstrip()[:1] == b"{" else from_binary(content, "strict")
    if any(kind(key) not in ("aes256-gcm", "destroyed") for key in keyset.key):
        raise Refused("malformed")
    return {"keyset": keyset.SerializeToString(deterministic=True)}


def open_invite(case: dict) -> dict:
    if not re.fullmatch("[a-zA-Z0-9]{6}", case["code"]):
        raise Refused("malformed")
    return {"phrase": wrap.from_code(case["recoveryPhrase"], case["code"])}
