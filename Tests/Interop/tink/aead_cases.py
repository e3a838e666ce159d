"""Encrypted fields, `enc:v1:`: AES-256-GCM keysets, the couple's id as associated data."""

from tink.proto import tink_pb2

import texts
import theirs
from checks import must_refuse, same
from draw import Draw
from keysets import new_aes_key, new_keyset, prefix_name, primary
from program import Program
from rotation import old_primary_disabled, rotated


def tink_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, couple, (kind, plaintext) = _drawn(draw)
    box = theirs.field_cipher(keyset).encrypt(plaintext, couple.encode())
    rotation, after = rotated(draw, ours, keyset, new_aes_key)
    same("plaintext", plaintext, ours.open_field(after.SerializeToString(), couple, box))
    return _facts(keyset, rotation, kind)


def ours_to_tink(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, couple, (kind, plaintext) = _drawn(draw)
    box = ours.seal_field(keyset.SerializeToString(), couple, plaintext)
    rotation, after = rotated(draw, ours, keyset, new_aes_key)
    same("plaintext", plaintext, theirs.field_cipher(after).decrypt(box, couple.encode()))
    return _facts(keyset, rotation, kind)


def refused(draw: Draw, ours: Program) -> dict[str, str]:
    """First both open what is genuine, so that what follows is refused for the one thing that changed."""
    keyset, couple, (_, plaintext) = _drawn(draw)
    box = theirs.field_cipher(keyset).encrypt(plaintext, couple.encode())
    same("plaintext", plaintext, ours.open_field(keyset.SerializeToString(), couple, box))

    fault = draw.choice(("byte", "truncated", "couple", "disabled key"))
    if fault == "byte":
        box = texts.flipped(draw, box)
    elif fault == "truncated":
        box = texts.truncated(draw, box)
    elif fault == "couple":
        couple = texts.other(draw, couple)
    else:
        keyset = old_primary_disabled(draw, ours, keyset)
    must_refuse("tink", lambda: theirs.field_cipher(keyset).decrypt(box, couple.encode()))
    must_refuse("closer-keys", lambda: ours.open_field(keyset.SerializeToString(), couple, box))
    return {"fault": fault}


def _drawn(draw: Draw) -> tuple[tink_pb2.Keyset, str, tuple[str, bytes]]:
    return new_keyset(draw, new_aes_key), texts.couple(draw), texts.field_plaintext(draw)


def _facts(keyset: tink_pb2.Keyset, rotation: str, kind: str) -> dict[str, str]:
    return {"prefix": prefix_name(primary(keyset)), "rotation": rotation, "plaintext": kind}
