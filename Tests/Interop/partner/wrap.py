"""The couple key under a recovery phrase, and the phrase under an invite code: closer-keys-formats(7), THE COUPLE KEY."""

import functools
import os
import re
from collections.abc import Callable

from argon2.low_level import ARGON2_VERSION, Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from checks import Refused
from partner import canonical
from partner.encoding import from_either, from_standard, standard

COSTS = '{"alg":"argon2id","m":46080,"p":1,"t":3,"v":19}'
SPELLINGS = {"memory": "m", "memoryKiB": "m", "iterations": "t", "parallelism": "p"}
OF_KEY, OF_PHRASE = b"closer_couple_key", b"closer_recovery_phrase"

RandomBytes = Callable[[int], bytes]


def wrap(keyset: bytes, phrase: str, random: RandomBytes = os.urandom) -> dict[str, str]:
    """The three members of a document. The phrase is taken as it is."""
    salt = random(16)
    box = _seal(derived(phrase.encode(), salt), keyset, OF_KEY, random)
    return {"wrappedCoupleKey": standard(box), "kdfSalt": standard(salt), "kdfParams": COSTS}


def unwrap(members: dict[str, str], phrase: str) -> bytes:
    """Tries the phrase in its normal form, then as it was typed: it may be another client's."""
    if not are_costs(members["kdfParams"]):
        raise Refused("malformed")
    salt, box = from_standard(members["kdfSalt"]), from_either(members["wrappedCoupleKey"])
    if len(salt) != 16 or len(box) <= 28:
        raise Refused("malformed")
    try:
        return _open(derived(normalised(phrase).encode(), salt), box, OF_KEY)
    except Refused:
        return _open(derived(phrase.encode(), salt), box, OF_KEY)


def under_code(phrase: str, code: str, random: RandomBytes = os.urandom) -> str:
    salt = random(16)
    return standard(b"\x01" + salt + _seal(derived(code.encode(), salt), phrase.encode(), OF_PHRASE, random))


def from_code(text: str, code: str) -> str:
    box = from_standard(text)
    if len(box) <= 45 or box[:1] != b"\x01":
        raise Refused("malformed")
    return _open(derived(code.encode(), box[1:17]), box[17:], OF_PHRASE).decode()


@functools.lru_cache(maxsize=64)
def derived(secret: bytes, salt: bytes) -> bytes:
    """Argon2id with the only costs of v1; slow on purpose, and a case often derives a key again."""
    return hash_secret_raw(
        secret,
        salt,
        time_cost=3,
        memory_cost=46080,
        parallelism=1,
        hash_len=32,
        type=Type.ID,
        version=ARGON2_VERSION,
    )


def normalised(phrase: str) -> str:
    lowered = re.sub("[A-Z]", lambda letter: letter[0].lower(), phrase)
    return re.sub("[ \t\r\n\u00a0-]+", " ", lowered).strip(" ")


def are_costs(text: str) -> bool:
    """Exactly v1's costs, however they are spelled: from a server they are a check, never an input."""
    if text == "argon2id$v=19$m=46080,t=3,p=1":
        return True
    try:
        members = canonical.parsed_object(text.encode())
    except Refused:
        return False
    named = {SPELLINGS.get(name, name): value for name, value in members.items()}
    return len(named) == len(members) and canonical.canonical(named) == COSTS.encode()


def _seal(key: bytes, plaintext: bytes, associated_data: bytes, random: RandomBytes) -> bytes:
    iv = random(12)
    return iv + AESGCM(key).encrypt(iv, plaintext, associated_data)


def _open(key: bytes, box: bytes, associated_data: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(box[:12], box[12:], associated_data)
    except InvalidTag:
        raise Refused("authFailed") from None
