"""Keyset files with a fault in them: neither side may use them."""

from collections.abc import Callable
from random import Random

from google.protobuf import json_format
from tink.proto import aes_gcm_pb2, tink_pb2

import ecies
import texts
import theirs
from checks import must_refuse
from keysets import AES, new_aes_key, new_keyset
from program import Program

Use = Callable[[bytes, str], bytes]

TYPES = ("aes256-gcm", "ecies-p256", "ecies-p256-public")


def refused(draw: Random, ours: Program) -> dict[str, str]:
    """First both use what is genuine, so that what follows is refused for the one thing that changed."""
    fault, form = draw.choice((*FAULTS, "truncated", "secret")), draw.choice(("binary", "json"))
    kind = "ecies-p256-public" if fault == "secret" else draw.choice(TYPES)
    secret = _one_key(draw, kind)
    genuine = theirs.public_keyset(secret) if kind == "ecies-p256-public" else secret
    use_by_tink, use_by_ours = _uses(ours, secret, kind)
    for use in (use_by_tink, use_by_ours):
        use(_file(genuine, form), form)

    if fault == "truncated":
        faulty = texts.truncated(draw, _file(genuine, form))
    elif fault == "secret":  # where only a public keyset may be
        faulty = _file(secret, form)
    else:
        faulty = _file(_planted(draw, genuine, fault), form)
    must_refuse("tink", lambda: use_by_tink(faulty, form))
    must_refuse("closer-keys", lambda: use_by_ours(faulty, form))
    return {"fault": fault, "type": kind, "form": form}


def _one_key(draw: Random, kind: str) -> tink_pb2.Keyset:
    """Keysets of one key, so that the fault is always in the key that is used."""
    keyset = new_keyset(draw, new_aes_key if kind == "aes256-gcm" else ecies.new_key)
    del keyset.key[1:]
    keyset.primary_key_id, keyset.key[0].status = keyset.key[0].key_id, tink_pb2.ENABLED
    return keyset


def _uses(ours: Program, secret: tink_pb2.Keyset, kind: str) -> tuple[Use, Use]:
    """What Tink and closer-keys do with a file: open what was sealed to the genuine one, or seal to it."""
    if kind == "aes256-gcm":
        box = theirs.field_cipher(secret).encrypt(b"plaintext", b"couple")
        return (
            lambda file, form: theirs.field_cipher(theirs.read(file, form)).decrypt(box, b"couple"),
            lambda file, form: ours.open_field(file, "couple", box),
        )
    if kind == "ecies-p256":
        box = theirs.box_sealer(theirs.public_keyset(secret)).encrypt(b"plaintext", b"context")
        return (
            lambda file, form: theirs.box_opener(theirs.read(file, form)).decrypt(box, b"context"),
            lambda file, form: ours.open_box(file, "context", box),
        )
    return (
        lambda file, form: theirs.box_sealer(theirs.read_public(file, form)).encrypt(b"plain", b"context"),
        lambda file, form: ours.seal_box(file, "context", b"plaintext"),
    )


def _file(keyset: tink_pb2.Keyset, form: str) -> bytes:
    """Written by protobuf and not by Tink, which would refuse to write a faulty one."""
    return keyset.SerializeToString() if form == "binary" else json_format.MessageToJson(keyset).encode()


def _planted(draw: Random, keyset: tink_pb2.Keyset, fault: str) -> tink_pb2.Keyset:
    faulty = tink_pb2.Keyset()
    faulty.CopyFrom(keyset)
    FAULTS[fault](draw, faulty)
    return faulty


def _no_keys(draw: Random, keyset: tink_pb2.Keyset) -> None:
    del keyset.key[:]


def _primary_missing(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.primary_key_id ^= 1 << draw.randrange(32)


def _primary_disabled(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.key[0].status = draw.choice((tink_pb2.DISABLED, tink_pb2.DESTROYED))


def _duplicate_id(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.key.append(keyset.key[0])


def _unknown_status(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.key[0].status = tink_pb2.UNKNOWN_STATUS


def _unknown_prefix(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.key[0].output_prefix_type = tink_pb2.UNKNOWN_PREFIX


def _unknown_type(draw: Random, keyset: tink_pb2.Keyset) -> None:
    keyset.key[0].key_data.type_url += "2"


def _unknown_version(draw: Random, keyset: tink_pb2.Keyset) -> None:
    _change(keyset, lambda key: setattr(key, "version", draw.choice((1, 1 << 31))))


def _changed_bit(draw: Random, keyset: tink_pb2.Keyset) -> None:
    """Changes a bit of the secret, or of a public key's coordinate, so that the point is not on the curve."""
    name = draw.choice(("x", "y")) if keyset.key[0].key_data.type_url == ecies.PUBLIC else "key_value"
    _change(keyset, lambda key: setattr(key, name, texts.flipped(draw, getattr(key, name))))


def _number_out_of_range(draw: Random, keyset: tink_pb2.Keyset) -> None:
    """An AES key of a size that AES has not; the scalars 0 and n, a coordinate that is p or more."""
    type_url = keyset.key[0].key_data.type_url
    if type_url == AES:
        name, value = "key_value", draw.randbytes(draw.choice((0, 15, 31, 33, 64)))
    elif type_url == ecies.PRIVATE:
        name, value = "key_value", draw.choice((0, ecies.ORDER)).to_bytes(33, "big")
    else:
        name, value = draw.choice(("x", "y")), ((1 << 256) - draw.randint(1, 1 << 200)).to_bytes(33, "big")
    _change(keyset, lambda key: setattr(key, name, value))


def _change(keyset: tink_pb2.Keyset, change: Callable) -> None:
    data = keyset.key[0].key_data
    key = aes_gcm_pb2.AesGcmKey.FromString(data.value) if data.type_url == AES else ecies.parsed(data)
    change(key)
    data.value = key.SerializeToString()


FAULTS = {
    "no keys": _no_keys,
    "primary missing": _primary_missing,
    "primary disabled": _primary_disabled,
    "duplicate id": _duplicate_id,
    "unknown status": _unknown_status,
    "unknown prefix": _unknown_prefix,
    "unknown type": _unknown_type,
    "unknown version": _unknown_version,
    "changed bit": _changed_bit,
    "number out of range": _number_out_of_range,
}
