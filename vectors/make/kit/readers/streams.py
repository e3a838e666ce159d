"""Streams, opened by Tink."""

import hmac
import io

import tink
from tink import proto_keyset_format, secret_key_access, streaming_aead
from tink.proto import tink_pb2

from checks import Refused
from kit.streaming_keys import streaming_key
from partner.couple_key import CoupleKey
from partner.encoding import identifier, length_prefixed

streaming_aead.register()

LEAST = 40 + 16


def open_stream(case: dict) -> dict:
    return _opened(bytes.fromhex(case["keyset"]), case)


def open_file(case: dict) -> dict:
    """A file of a couple: a stream under a subkey of one of its keys."""
    couple, keyset = identifier(case["coupleId"]), tink_pb2.Keyset.FromString(bytes.fromhex(case["keyset"]))
    keys = [
        streaming_key(_subkey(key, couple), number, 1 << 20)
        for number, key in enumerate(CoupleKey(keyset).enabled(), start=1)
    ]
    return _opened(tink_pb2.Keyset(primary_key_id=1, key=keys).SerializeToString(), case)


def _subkey(key: bytes, couple: str) -> bytes:
    """HKDF for 32 bytes by Python's hmac, where the maker takes that of pyca."""
    extracted = hmac.digest(b"closer-keys/v1", key, "sha256")
    return hmac.digest(extracted, length_prefixed(b"file", couple.encode()) + b"\1", "sha256")


def _opened(keyset: bytes, case: dict) -> dict:
    ciphertext = bytes.fromhex(case["ciphertext"])
    handle = proto_keyset_format.parse(keyset, secret_key_access.TOKEN)
    opener = handle.primitive(streaming_aead.StreamingAead)
    try:
        source = opener.new_decrypting_stream(io.BytesIO(ciphertext), bytes.fromhex(case["associatedData"]))
        with source:
            return {"plaintext": source.read()}
    except (tink.TinkError, EOFError, OSError):
        raise Refused(
            "malformed" if len(ciphertext) < LEAST or ciphertext[0] != 40 else "authFailed"
        ) from None
