"""Signal's numeric fingerprint, version 0, by Python's hashlib (closer-keys-formats(7), SAFETY NUMBERS)."""

import hashlib

from kit.pair_tokens import x25519_key
from kit.readers.tink_boxes import public_keyset
from kit.ecies_keys import with_33_bytes
from partner.encoding import identifier, length_prefixed


def fingerprint(case: dict) -> dict:
    return {"digits": digits(bytes.fromhex(case["identity"]), bytes.fromhex(case["key"]))}


def of_couple(case: dict) -> dict:
    couple = identifier(case["coupleId"]).encode()
    return {"digits": _both(case, lambda text: _couple_key(couple, text))}


def of_x25519(case: dict) -> dict:
    return {"digits": _both(case, x25519_key)}


def digits(identity: bytes, key: bytes) -> str:
    state = hashlib.sha512(b"\0\0" + key + identity + key).digest()
    for _ in range(5199):
        state = hashlib.sha512(state + key).digest()
    groups = (int.from_bytes(state[start : start + 5]) % 100_000 for start in range(0, 30, 5))
    return "".join(f"{group:05}" for group in groups)


def _both(case: dict, key) -> str:
    halves = [
        digits(identifier(case[f"{whose}UserId"]).encode(), key(case[f"{whose}PublicKey"]))
        for whose in ("our", "their")
    ]
    return "".join(sorted(halves))


def _couple_key(couple: bytes, text: str) -> bytes:
    return length_prefixed(b"closer-keys/sn/1", couple, with_33_bytes(public_keyset(text)))
