"""What a pairing does with the keys of both: closer-keys-pairing(7), WHAT A PAIRING DOES."""

from collections.abc import Iterable
from random import Random

from tink.proto import tink_pb2

from checks import Refused
from partner.couple_key import keyset_of
from partner.memory import Couple, Retired
from partner.pairing_sides import Held

MAXIMUM_KEYS, MAXIMUM_GAP, HIGHEST_EPOCH = 32, 1000, 2**32 - 2

Entry = tuple[int, int, bytes]  # id, prefix and bytes


def united(ours: Couple, theirs: Held | None, draw: Random) -> Held:
    """What the inviter grants: ours in our order, then what else they have, then a new primary."""
    if ours.is_alone and not theirs:
        return Held(ours.epoch, ours.key.keyset)
    keyset = without(_joined(ours.key.keyset, theirs.keyset if theirs else tink_pb2.Keyset()), ours.retired)
    epoch = max(ours.epoch, _near(theirs.epoch, ours.epoch) if theirs else 0) + 1
    return Held(_near(epoch, epoch), _few(_with_new_primary(keyset, draw, ours.retired.ids)))


def adopted(granted: Held, ours: Couple | None) -> Held:
    """What the acceptor takes: without what was retired here, and with what else is here. The primary must be new to us."""
    epoch, held = (ours.epoch, ours.key.keyset) if ours else (0, tink_pb2.Keyset())
    retired = ours.retired if ours else Retired()
    if granted.epoch < epoch:
        raise Refused("epochMismatch")
    primary = next(key for key in granted.keyset.key if key.key_id == granted.keyset.primary_key_id)
    if Retired.of(held).has(primary) or retired.has(primary):
        raise Refused("keyMismatch")
    keyset = _joined(without(granted.keyset, retired), held)
    return Held(_near(granted.epoch, epoch), _few(keyset))


def without(keyset: tink_pb2.Keyset, retired: Retired) -> tink_pb2.Keyset:
    kept = [key for key in keyset.key if not retired.has(key)]
    return tink_pb2.Keyset(primary_key_id=keyset.primary_key_id, key=kept)


def _joined(first: tink_pb2.Keyset, second: tink_pb2.Keyset) -> tink_pb2.Keyset:
    """The first, then what else the second has."""
    result, held, others = tink_pb2.Keyset(), _entries(first), _entries(second)
    result.CopyFrom(first)
    if any(others[key_id] != held[key_id] for key_id in held.keys() & others.keys()):
        raise Refused("keyMismatch")
    result.key.extend(key for key in second.key if key.key_id not in held)
    return result


def _with_new_primary(keyset: tink_pb2.Keyset, draw: Random, taken: Iterable[int]) -> tink_pb2.Keyset:
    """No id that a key has, or had."""
    key_id = draw.randint(1, 2**32 - 1)
    while key_id in {*_entries(keyset), *taken}:
        key_id = draw.randint(1, 2**32 - 1)
    added = keyset_of(draw.randbytes(32), key_id).key[0]
    return tink_pb2.Keyset(primary_key_id=key_id, key=[*keyset.key, added])


def _entries(keyset: tink_pb2.Keyset) -> dict[int, Entry]:
    return {key.key_id: (key.key_id, key.output_prefix_type, key.key_data.value) for key in keyset.key}


def _near(theirs: int, ours: int) -> int:
    if theirs > min(ours + MAXIMUM_GAP, HIGHEST_EPOCH):
        raise Refused("limit")
    return theirs


def _few(keyset: tink_pb2.Keyset) -> tink_pb2.Keyset:
    if len(keyset.key) > MAXIMUM_KEYS:
        raise Refused("limit")
    return keyset
