"""AEAD ciphertexts, opened by Tink. Which key is meant, and whether a text can be one, is read off its first bytes."""

from collections.abc import Callable

import tink
from tink.proto import tink_pb2

import theirs
from checks import Refused
from partner.encoding import identifier, placed, placed_payload, token_payload

OVERHEAD = 28


def open_field(case: dict) -> dict:
    couple = identifier(case["coupleId"])
    return _opened(case["keyset"], token_payload("enc:v1:", case["token"]), couple.encode())


def open_placed_field(case: dict) -> dict:
    ciphertext = placed_payload(case["token"])
    return _opened(case["keyset"], ciphertext, placed(case["coupleId"], case["place"]))


def open_aead(case: dict) -> dict:
    ciphertext, data = bytes.fromhex(case["ciphertext"]), bytes.fromhex(case["associatedData"])
    return _opened(case["keyset"], ciphertext, data)


def opened(keyset: tink_pb2.Keyset, ciphertext: bytes, data: bytes) -> bytes:
    try:
        return theirs.field_cipher(keyset).decrypt(ciphertext, data)
    except tink.TinkError:
        raise Refused(reason(keyset, ciphertext, OVERHEAD, lambda key: OVERHEAD)) from None


def reason(keyset: tink_pb2.Keyset, ciphertext: bytes, least: int, overhead: Callable[..., int]) -> str:
    """Why it cannot open: Tink does not say. `overhead` is what a key's ciphertext has beside prefix and plaintext."""
    enabled = [key for key in keyset.key if key.status == tink_pb2.ENABLED]
    meant = [key for key in enabled if ciphertext.startswith(prefix(key))]
    if len(ciphertext) < least:
        return "malformed"
    if not meant:
        return "noKey"
    is_short = all(len(ciphertext) < len(prefix(key)) + overhead(key) for key in meant)
    return "malformed" if is_short else "authFailed"


def prefix(key: tink_pb2.Keyset.Key) -> bytes:
    if key.output_prefix_type == tink_pb2.RAW:
        return b""
    return bytes([key.output_prefix_type == tink_pb2.TINK]) + key.key_id.to_bytes(4, "big")


def _opened(keyset: str, ciphertext: bytes, data: bytes) -> dict:
    return {"plaintext": opened(tink_pb2.Keyset.FromString(bytes.fromhex(keyset)), ciphertext, data)}
