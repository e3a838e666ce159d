"""Streams, opened by Tink."""

import io

import tink
from tink import proto_keyset_format, secret_key_access, streaming_aead

from checks import Refused

streaming_aead.register()

LEAST = 40 + 16


def open_stream(case: dict) -> dict:
    ciphertext = bytes.fromhex(case["ciphertext"])
    handle = proto_keyset_format.parse(bytes.fromhex(case["keyset"]), secret_key_access.TOKEN)
    opener = handle.primitive(streaming_aead.StreamingAead)
    try:
        source = opener.new_decrypting_stream(io.BytesIO(ciphertext), bytes.fromhex(case["associatedData"]))
        with source:
            return {"plaintext": source.read()}
    except (tink.TinkError, EOFError, OSError):
        raise Refused(
            "malformed" if len(ciphertext) < LEAST or ciphertext[0] != 40 else "authFailed"
        ) from None
