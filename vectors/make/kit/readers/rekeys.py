"""A rekey's keybox, opened by Tink, and the MAC and form of what is in it, by pyca/cryptography (closer-keys-formats(7), REKEYING)."""

import hmac

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tink.proto import tink_pb2

import ecies
from checks import Refused
from kit.pairing_keys import items, phrase
from kit.readers import tink_boxes
from kit.readers.keyset_files import from_binary, kind
from partner.encoding import identifier, token_payload
from partner.encoding import length_prefixed as lp

NAME, TAG = b"closer-keys/v1/rekey", 32


def open_rekey(case: dict) -> dict:
    for name in ("coupleId", "senderId", "recipientId"):
        identifier(case[name])
    keyset = tink_pb2.Keyset.FromString(bytes.fromhex(case["identityKeyset"]))
    box, their_point = token_payload("keybox:v1:", case["encryptedCoupleKey"]), point(case["publicKey"])
    plaintext = tink_boxes.opened(keyset, box, context(case).encode())
    # With the primary, and no older key.
    own = next(key for key in keyset.key if key.key_id == keyset.primary_key_id)
    if int.from_bytes(box[1:5], "big") != own.key_id:
        raise Refused("authFailed")
    scalar = int.from_bytes(ecies.parsed(own.key_data).key_value, "big")
    body, tag = plaintext[:-TAG], plaintext[-TAG:]
    key = authentication_key(scalar, their_point, case, is_sender=False)
    if len(plaintext) < TAG or not hmac.compare_digest(tag, hmac.digest(key, body, "sha256")):
        raise Refused("macInvalid")
    parts = items(body)
    if len(parts) != 4 or parts[0] != NAME or len(parts[1]) != 4:
        raise Refused("malformed")
    couple_keys = from_binary(parts[2], "strict")
    if any(kind(key) != "aes256-gcm" for key in couple_keys.key):
        raise Refused("malformed")
    words = phrase(parts[3])
    if int.from_bytes(parts[1], "big") != int(case["epoch"]):
        raise Refused("malformed")
    return {"keyset": parts[2], "phrase": words}


def context(case: dict) -> str:
    return f"{case['coupleId']}|ck.rekey.{case['epoch']}|{case['senderId']}|{case['recipientId']}"


def authentication_key(scalar: int, theirs: bytes, case: dict, is_sender: bool) -> bytes:
    """What both identity keys share, bound to who gives what to whom."""
    curve = ec.SECP256R1()
    private, public = ec.derive_private_key(scalar, curve), ec.EllipticCurvePublicKey.from_encoded_point(curve, theirs)
    numbers = private.public_key().public_numbers()
    ours = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    points = (ours, theirs) if is_sender else (theirs, ours)
    names = (case[name].encode() for name in ("coupleId", "senderId", "recipientId"))
    info = lp(b"rekey-auth", *names, *points)
    return HKDF(SHA256(), 32, b"closer-keys/v1", info).derive(private.exchange(ec.ECDH(), public))


def point(public_key: str) -> bytes:
    return tink_boxes.parse_public_key({"publicKey": public_key})["point"]
