"""How old boxes come to be opened: after they were sealed, the keyset gets another primary."""

from tink.proto import tink_pb2

import streams
from checks import same
from draw import Draw
from keysets import NewKey, key_with_id, new_entry, prefix_name, primary, type_name, with_width
from program import Program


def rotated(
    draw: Draw, ours: Program, keyset: tink_pb2.Keyset, new_key: NewKey
) -> tuple[str, tink_pb2.Keyset]:
    """The keyset after no rotation, one made here, or one by closer-keys; the old primary still opens."""
    how = draw.choice(("none", "python", "ours", "ours at once"))
    if how == "python":
        return how, _rotated_here(draw, keyset, new_key)
    if how == "ours at once":
        return how, _rotated_at_once(ours, keyset)
    return how, keyset if how == "none" else rotated_by_ours(draw, ours, keyset)


def _rotated_at_once(ours: Program, keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    """`rotate` adds a key like the primary, makes it the primary, and changes nothing else."""
    expected = with_width(keyset, "33")
    after = _parsed(ours.keyset("rotate", keyset.SerializeToString()))
    added = after.key[-1]
    is_stream = primary(keyset).key_data.type_url == streams.TYPE
    same("the new key's prefix", "raw" if is_stream else prefix_name(primary(keyset)), prefix_name(added))
    same("the new key's type", type_name(primary(keyset).key_data), type_name(added.key_data))
    expected.key.append(added)
    expected.primary_key_id = added.key_id
    same("keyset rotate", expected, after)
    return after


def _rotated_here(draw: Draw, keyset: tink_pb2.Keyset, new_key: NewKey) -> tink_pb2.Keyset:
    after = tink_pb2.Keyset()
    after.CopyFrom(keyset)
    added = new_entry(draw, new_key(draw), after)
    after.key.insert(draw.randint(0, len(after.key)), added)
    after.primary_key_id = added.key_id
    return after


def rotated_by_ours(draw: Draw, ours: Program, keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    """Adds a key, promotes it and disables another. Each step must change that and nothing else."""
    expected = with_width(keyset, "33")
    is_stream = primary(keyset).key_data.type_url == streams.TYPE
    prefix = "raw" if is_stream else draw.choice(("tink", "raw", "crunchy"))
    after = _parsed(ours.keyset("add", keyset.SerializeToString(), "--prefix", prefix))
    added = after.key[-1]
    same("the added key's prefix", prefix, prefix_name(added))
    expected.key.append(added)
    same("keyset add", expected, after)

    after = _parsed(ours.keyset("set primary", after.SerializeToString(), "--key-id", str(added.key_id)))
    expected.primary_key_id = added.key_id
    same("keyset set primary", expected, after)

    others = [key for key in expected.key if key.key_id not in (keyset.primary_key_id, added.key_id)]
    if others:
        chosen = draw.choice(others)
        after = _parsed(ours.keyset("set disabled", after.SerializeToString(), "--key-id", str(chosen.key_id)))
        chosen.status = tink_pb2.DISABLED
        same("keyset set disabled", expected, after)
    return after


def old_primary_disabled(draw: Draw, ours: Program, keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    """Rotates, and then disables what was the primary: its boxes open no more."""
    after = rotated_by_ours(draw, ours, keyset)
    after = _parsed(ours.keyset("set disabled", after.SerializeToString(), "--key-id", str(keyset.primary_key_id)))
    same("status", tink_pb2.DISABLED, key_with_id(after, keyset.primary_key_id).status)
    _there_and_back(ours, after, keyset.primary_key_id)
    return after


def _there_and_back(ours: Program, keyset: tink_pb2.Keyset, key_id: int) -> None:
    """`set enabled` undoes `set disabled`, and `set removed` leaves all other keys."""
    written, expected = keyset.SerializeToString(), with_width(keyset, "33")
    key_with_id(expected, key_id).status = tink_pb2.ENABLED
    # As Java prints it.
    signed = key_id - (1 << 32 if key_id >> 31 else 0)
    same("keyset set enabled", expected, _parsed(ours.keyset("set enabled", written, f"--key-id={signed}")))
    expected.key.remove(key_with_id(expected, key_id))
    same("keyset set removed", expected, _parsed(ours.keyset("set removed", written, "--key-id", str(key_id))))


def _parsed(written: bytes) -> tink_pb2.Keyset:
    return tink_pb2.Keyset.FromString(written)
