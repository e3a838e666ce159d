"""Keyboxes, `keybox:v1:`: ECIES over P-256, the context's UTF-8 as Tink's context info."""

from tink.proto import common_pb2, tink_pb2

import ecies
import texts
import theirs
from checks import must_refuse, same
from draw import Draw
from keysets import new_keyset, prefix_byte_count, prefix_name, primary, with_width
from program import KEYBOX_TOKEN_MINIMUM, Program, token
from rotation import rotated


def tink_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, width = drawn(draw)
    (context_kind, context), (_, plaintext) = texts.context(draw), texts.plaintext(draw)
    box = _sealed_by_tink(draw, keyset, plaintext, context)
    rotation, after = rotated(draw, ours, keyset, ecies.new_key)
    form = _form(draw, box)
    same("plaintext", plaintext, ours.open_box(after.SerializeToString(), context, box, form))
    facts = {"integers": width, "rotation": rotation, "context": context_kind, "box": form}
    return facts | _facts(keyset, box)


def ours_to_tink(draw: Draw, ours: Program) -> dict[str, str]:
    keyset, width = drawn(draw)
    (context_kind, context), (_, plaintext) = texts.context(draw), texts.plaintext(draw)
    public = theirs.public_keyset(keyset)
    form = _form(draw, bytes(_overhead(keyset)) + plaintext)
    box = ours.seal_box(public.SerializeToString(), context, plaintext, form)
    same("the box's size", _overhead(keyset) + len(plaintext), len(box))
    rotation, after = rotated(draw, ours, keyset, ecies.new_key)
    same("plaintext", plaintext, theirs.box_opener(after).decrypt(box, context.encode()))
    facts = {"integers": width, "rotation": rotation, "context": context_kind, "box": form}
    return facts | _facts(keyset, box)


def refused(draw: Draw, ours: Program) -> dict[str, str]:
    """First both open what is genuine, so that what follows is refused for the one thing that changed."""
    keyset, _ = drawn(draw)
    (_, context), (_, plaintext) = texts.context(draw), texts.plaintext(draw)
    box = theirs.box_sealer(theirs.public_keyset(keyset)).encrypt(plaintext, context.encode())
    same("plaintext", plaintext, ours.open_box(keyset.SerializeToString(), context, box))

    fault = draw.choice(("byte", "truncated", "context", "other keyset"))
    if fault == "byte":
        box = texts.flipped(draw, box)
    elif fault == "truncated":
        box = texts.truncated(draw, box)
    elif fault == "context":
        context = texts.other(draw, context)
    else:
        keyset, _ = drawn(draw)
    form = _form(draw, box)
    must_refuse("tink", lambda: theirs.box_opener(keyset).decrypt(box, context.encode()))
    must_refuse("closer-keys", lambda: ours.open_box(keyset.SerializeToString(), context, box, form))
    return {"fault": fault}


def drawn(draw: Draw) -> tuple[tink_pb2.Keyset, str]:
    width = draw.choice(tuple(ecies.WIDTHS))
    return with_width(new_keyset(draw, ecies.new_key), width), width


def _sealed_by_tink(draw: Draw, keyset: tink_pb2.Keyset, plaintext: bytes, context: str) -> bytes:
    """Seals one box in twenty again and again, until the shared x begins with a zero byte, where ECIES often errs."""
    sealer = theirs.box_sealer(theirs.public_keyset(keyset))
    wants_zero = draw.random() < 1 / 20
    while True:
        box = sealer.encrypt(plaintext, context.encode())
        if not wants_zero or _shared_x(keyset, box)[0] == 0:
            return box


def _form(draw: Draw, box: bytes) -> str:
    return draw.choice(("token", "binary")) if len(token("keybox", box)) >= KEYBOX_TOKEN_MINIMUM else "binary"


def _point_format(keyset: tink_pb2.Keyset) -> int:
    return ecies.parsed(primary(keyset).key_data).public_key.params.ec_point_format


def _overhead(keyset: tink_pb2.Keyset) -> int:
    """Prefix, ephemeral point, nonce and tag."""
    return prefix_byte_count(primary(keyset)) + ecies.POINT_BYTES[_point_format(keyset)] + 12 + 16


def _shared_x(keyset: tink_pb2.Keyset, box: bytes) -> bytes:
    start = prefix_byte_count(primary(keyset))
    kem = box[start : start + ecies.POINT_BYTES[_point_format(keyset)]]
    return ecies.shared_x(primary(keyset).key_data, kem)


def _facts(keyset: tink_pb2.Keyset, box: bytes) -> dict[str, str]:
    data = primary(keyset).key_data
    params = ecies.parsed(data).public_key.params
    return {
        "prefix": prefix_name(primary(keyset)),
        "point": common_pb2.EcPointFormat.Name(params.ec_point_format).lower(),
        "dem key": f"{ecies.dem_key_size(params)} bytes",
        "salt": "yes" if params.kem_params.hkdf_salt else "no",
        "leading zero in the key": ecies.leading_zero(data),
        "leading zero in the shared x": "yes" if _shared_x(keyset, box)[0] == 0 else "no",
    }
