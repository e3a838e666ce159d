"""Keyset files, binary and JSON: one side writes them, the other reads them, and both use them alike."""

from tink.proto import tink_pb2

import ecies
import texts
import theirs
from checks import same
from draw import Draw
from keysets import new_aes_key, new_aes_template, new_keyset, new_prefix
from keysets import prefix_name, primary, summary, with_width
from program import Program, token_payload

TYPES = ("aes256-gcm", "ecies-p256")
FORMS = ("binary", "json")


def tink_to_ours(draw: Draw, ours: Program) -> dict[str, str]:
    """Tink writes the files; closer-keys has to list what they hold."""
    kind, form = draw.choice(TYPES), draw.choice(FORMS)
    keyset, facts = _drawn(draw, kind)
    written = theirs.write(keyset, form)
    same("keyset list", summary(keyset), ours.list_keyset(written))
    if kind == "aes256-gcm":
        _exchange_fields(draw, ours, keyset, written)
    else:
        public = theirs.public_keyset(keyset)
        written_public = theirs.write(public, form)
        same("keyset list", summary(public), ours.list_keyset(written_public))
        _exchange_boxes(draw, ours, (keyset, public), (written, written_public))
    return {"form": form, "type": kind} | facts


def ours_to_tink(draw: Draw, ours: Program) -> dict[str, str]:
    """closer-keys makes and writes the files; Tink has to find in them what was asked for."""
    kind, form = draw.choice(TYPES), draw.choice(FORMS)
    written = _made(draw, ours, kind, form)
    keyset = theirs.read(written, form)
    same("integers of 33 bytes", with_width(keyset, "33"), keyset)
    same("keyset list", summary(keyset), ours.list_keyset(written))
    if kind == "aes256-gcm":
        _exchange_fields(draw, ours, keyset, written)
        return {"form": form, "type": kind}
    public_form = draw.choice((*FORMS, "token"))
    written_public = ours.keyset("public", written, "--format", public_form)
    public = _read_public(written_public, public_form)
    same("public keyset", _public_half(keyset, primary_alone=public_form == "token"), public)
    _exchange_boxes(draw, ours, (keyset, public), (written, written_public))
    return {"form": form, "type": kind, "public form": public_form}


def _exchange_fields(draw: Draw, ours: Program, keyset: tink_pb2.Keyset, written: bytes) -> None:
    """Each side seals and the other opens: Tink with what it read, closer-keys with the file."""
    couple, (_, plaintext) = texts.couple(draw), texts.plaintext(draw)
    cipher = theirs.field_cipher(keyset)
    opened = ours.open_field(written, couple, cipher.encrypt(plaintext, couple.encode()))
    same("plaintext that closer-keys opened", plaintext, opened)
    opened = cipher.decrypt(ours.seal_field(written, couple, plaintext), couple.encode())
    same("plaintext that tink opened", plaintext, opened)


def _exchange_boxes(
    draw: Draw,
    ours: Program,
    keysets: tuple[tink_pb2.Keyset, tink_pb2.Keyset],
    written: tuple[bytes, bytes],
) -> None:
    """The same with a private and a public keyset, and their two files."""
    (private, public), (private_file, public_file) = keysets, written
    (_, context), (_, plaintext) = texts.context(draw), texts.plaintext(draw)
    box = theirs.box_sealer(public).encrypt(plaintext, context.encode())
    same("plaintext that closer-keys opened", plaintext, ours.open_box(private_file, context, box))
    box = ours.seal_box(public_file, context, plaintext)
    same("plaintext that tink opened", plaintext, theirs.box_opener(private).decrypt(box, context.encode()))


def _drawn(draw: Draw, kind: str) -> tuple[tink_pb2.Keyset, dict[str, str]]:
    """A keyset of keys that Tink drew, with Tink's integers, or of keys made here, with any."""
    if draw.random() < 1 / 3:
        return _drawn_by_tink(draw, kind), {"keys": "of tink"}
    if kind == "aes256-gcm":
        return new_keyset(draw, new_aes_key), {"keys": "made here"}
    width = draw.choice(tuple(ecies.WIDTHS))
    keyset = with_width(new_keyset(draw, ecies.new_key), width)
    zero = ecies.leading_zero(primary(keyset).key_data)
    return keyset, {"keys": "made here", "integers": width, "leading zero in the key": zero}


def _drawn_by_tink(draw: Draw, kind: str) -> tink_pb2.Keyset:
    keyset = tink_pb2.Keyset()
    for _ in range(draw.randint(1, 3)):
        template = new_aes_template() if kind == "aes256-gcm" else ecies.new_template(draw)
        keyset.key.append(theirs.new_key(template))
        keyset.key[-1].output_prefix_type = new_prefix(draw)
    keyset.primary_key_id = draw.choice(keyset.key).key_id
    if kind == "ecies-p256":
        same("tink's integers", with_width(keyset, "32"), keyset)
    return keyset


def _made(draw: Draw, ours: Program, kind: str, form: str) -> bytes:
    """A file that closer-keys made, in this form from the start or converted to it."""
    first_form = draw.choice(FORMS)
    made = _with_keys(draw, ours, kind, first_form)
    written = _rearranged(draw, ours, made, first_form)
    if draw.choice((True, False)):
        written = _rotated(ours, written, first_form)
    if first_form == form:
        return written
    converted = ours.keyset("convert", written, "--format", form)
    same("keyset convert", theirs.read(written, first_form), theirs.read(converted, form))
    return converted


def _with_keys(draw: Draw, ours: Program, kind: str, form: str) -> bytes:
    """`new`, and `add` up to three times: Tink finds the prefixes and parameters that were asked for."""
    params = ecies.new_params(draw, dem_prefixes=(tink_pb2.TINK,)) if kind == "ecies-p256" else None
    prefixes = draw.choices(("tink", "raw", "crunchy"), k=draw.randint(1, 4))
    options = ecies.options(params) if params else []
    written = ours.new_keyset("--type", kind, *options, "--prefix", prefixes[0], "--format", form)
    for prefix in prefixes[1:]:
        written = ours.keyset("add", written, "--prefix", prefix)
    keyset = theirs.read(written, form)
    same("prefixes", prefixes, [prefix_name(key) for key in keyset.key])
    same("primary", keyset.key[0].key_id, keyset.primary_key_id)
    for key in keyset.key if params else ():
        same("parameters", params, ecies.parsed(key.key_data).public_key.params)
    return written


def _rearranged(draw: Draw, ours: Program, written: bytes, form: str) -> bytes:
    """`set primary` for any key, `set disabled` for any but that: Tink finds these changes and no other."""
    expected = theirs.read(written, form)
    primary, disabled = draw.choice(expected.key), draw.choice(expected.key)
    expected.primary_key_id = primary.key_id
    written = ours.keyset("set primary", written, "--key-id", str(primary.key_id))
    if disabled.key_id != primary.key_id:
        disabled.status = tink_pb2.DISABLED
        written = ours.keyset("set disabled", written, "--key-id", str(disabled.key_id))
    same("keyset set primary and set disabled", expected, theirs.read(written, form))
    return written


def _rotated(ours: Program, written: bytes, form: str) -> bytes:
    """`rotate`: the caller then has both sides seal and open under the new primary."""
    rotated = ours.keyset("rotate", written)
    before, after = theirs.read(written, form), theirs.read(rotated, form)
    same("the other keys", list(before.key), list(after.key)[:-1])
    same("primary", after.key[-1].key_id, after.primary_key_id)
    return rotated


def _public_half(keyset: tink_pb2.Keyset, primary_alone: bool) -> tink_pb2.Keyset:
    """What Tink makes the public keyset of this one; a `pub:v1:` token holds no more than the primary."""
    public = theirs.public_keyset(keyset)
    if primary_alone:
        chosen = primary(public)
        del public.key[:]
        public.key.append(chosen)
    return public


def _read_public(written: bytes, form: str) -> tink_pb2.Keyset:
    if form == "token":
        return theirs.read_public(token_payload("pub", written), "binary")
    return theirs.read_public(written, form)
