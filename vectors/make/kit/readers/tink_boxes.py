"""ECIES ciphertexts, opened by Tink, and public key tokens, read by Tink and pyca/cryptography."""

import tink
from tink.proto import common_pb2, tink_pb2

import ecies
import theirs
from checks import Refused
from kit.readers.keyset_files import from_binary, kind
from kit.readers.tink_ciphertexts import reason
from partner.encoding import token_payload

MAXIMUM_CONTEXT, LEAST = 32 * 1024, 33 + 28


def open_ecies(case: dict) -> dict:
    keyset = tink_pb2.Keyset.FromString(bytes.fromhex(case["keyset"]))
    return {"plaintext": opened(keyset, bytes.fromhex(case["ciphertext"]), bytes.fromhex(case["context"]))}


def open_keybox(case: dict) -> dict:
    keyset = tink_pb2.Keyset.FromString(bytes.fromhex(case["keyset"]))
    return {
        "plaintext": opened(keyset, token_payload("keybox:v1:", case["keybox"]), case["context"].encode())
    }


def opened(keyset: tink_pb2.Keyset, box: bytes, context: bytes) -> bytes:
    if len(context) > MAXIMUM_CONTEXT:
        raise Refused("limit")
    try:
        return theirs.box_opener(keyset).decrypt(box, context)
    except tink.TinkError:
        raise Refused(reason(keyset, box, LEAST, _overhead)) from None


def parse_public_key(case: dict) -> dict:
    keyset = public_keyset(case["publicKey"])
    key = ecies.parsed(keyset.key[0].key_data)
    point = b"\4" + key.x[-32:].rjust(32, b"\0") + key.y[-32:].rjust(32, b"\0")
    return {"keyId": keyset.key[0].key_id, "point": point}


def public_keyset(text: str) -> tink_pb2.Keyset:
    keyset = from_binary(token_payload("pub:v1:", text), "strict")
    if len(keyset.key) != 1 or not kind(keyset.key[0]).startswith("ecies-p256-public"):
        raise Refused("malformed")
    theirs.box_sealer(keyset)
    return keyset


def _overhead(key: tink_pb2.Keyset.Key) -> int:
    is_compressed = ecies.parsed(key.key_data).public_key.params.ec_point_format == common_pb2.COMPRESSED
    return (33 if is_compressed else 65) + 28
