"""A sealed answer: a token under a key of its own, and the keybox that releases this key.

closer-keys-formats(7), SEALED ANSWERS.
"""

import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from google.protobuf.message import DecodeError
from tink import TinkError
from tink.proto import tink_pb2

import keysets
import theirs
from checks import Refused
from partner.contexts import Context
from partner.couple_key import new_keyset, opened, strict_keyset
from partner.encoding import token, token_payload


@dataclass(frozen=True)
class SealedAnswer:
    """What the author keeps until the release. `one_time_key` is in the form in which the keybox will hold it."""

    context: Context
    token: str
    commitment: str
    one_time_key: bytes


def sealed(payload: bytes, commitment: str, context: Context, raw_key: bool = False) -> SealedAnswer:
    """Under a fresh key: a Tink keyset of one key, or 32 raw bytes, whose ciphertexts have no prefix."""
    if raw_key:
        key, iv = os.urandom(32), os.urandom(12)
        box = iv + AESGCM(key).encrypt(iv, payload, context.of_payload())
    else:
        keyset = new_keyset()
        key = keyset.SerializeToString(deterministic=True)
        box = theirs.field_cipher(keyset).encrypt(payload, context.of_payload())
    return SealedAnswer(context, token("sealed:v1:", box), commitment, key)


def opened_payload(text: str, one_time_key: bytes, context: Context) -> bytes:
    """Every failure is `authFailed`, since nobody can tell a wrong key from a changed byte."""
    box = token_payload("sealed:v1:", text)
    try:
        if len(one_time_key) == 32:
            return AESGCM(one_time_key).decrypt(box[:12], box[12:], context.of_payload())
        keyset = strict_keyset(one_time_key)
    except InvalidTag:
        raise Refused("authFailed") from None
    if len(keyset.key) != 1:
        raise Refused("malformed")
    try:
        return opened(keyset, box, context.of_payload())
    except Refused:
        raise Refused("authFailed") from None


def keybox(answer: SealedAnswer, recipient: str, public_key: str) -> str:
    sealer = theirs.box_sealer(public_keyset(public_key))
    return token("keybox:v1:", sealer.encrypt(answer.one_time_key, answer.context.of_release(recipient)))


def opened_keybox(text: str, identity: tink_pb2.Keyset, context: Context, recipient: str) -> bytes:
    box = token_payload("keybox:v1:", text)
    if box[:5] != b"\x01" + identity.primary_key_id.to_bytes(4, "big"):
        raise Refused("noKey")
    try:
        return theirs.box_opener(identity).decrypt(box, context.of_release(recipient))
    except TinkError:
        raise Refused("authFailed") from None


def public_token(identity: tink_pb2.Keyset, integers: str = "33") -> str:
    """With integers of 33 bytes, or of 32 as old clients write them."""
    public = keysets.with_width(theirs.public_keyset(identity), integers)
    return token("pub:v1:", public.SerializeToString(deterministic=True))


def public_keyset(text: str) -> tink_pb2.Keyset:
    content = token_payload("pub:v1:", text)
    try:
        keyset = tink_pb2.Keyset.FromString(content)
        theirs.box_sealer(keyset)
    except (DecodeError, TinkError):
        raise Refused("malformed") from None
    if len(keyset.key) != 1 or keyset.SerializeToString(deterministic=True) != content:
        raise Refused("malformed")
    return keyset
