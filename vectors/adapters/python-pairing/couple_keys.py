"""What a pairing does to the couple's keys: closer-keys-pairing(7), WHAT A PAIRING DOES."""

from google.protobuf.message import DecodeError
from tink.proto import aes_gcm_pb2, tink_pb2

from cpace import demand
from pairing import lp

AES, LAST = "type.googleapis.com/google.crypto.tink.AesGcmKey", 2**32 - 1


class Hold:
    """An epoch, and a keyset."""

    def __init__(self, epoch, keyset):
        self.epoch, self.keyset = epoch, keyset
        self.ids = [key.key_id for key in keyset.key]

    def body(self, name, *rest):
        return lp(name, self.epoch.to_bytes(4, "big"), self.keyset.SerializeToString(deterministic=True), *rest)


class Retired:
    """Keys that were given up: by their ids, and those of a keyset by their bytes, too."""

    def __init__(self, ids, keyset):
        self.ids = ids.union(key.key_id for key in keyset.key)
        self.contents = {material(key) for key in keyset.key}

    def has(self, key):
        return key.key_id in self.ids or material(key) in self.contents


def own(case):
    return (
        Hold(int(case["epoch"]), tink_pb2.Keyset.FromString(bytes.fromhex(case["keyset"])))
        if "keyset" in case
        else None
    )


def read(body, name, count):
    """What was sealed: exactly so many items, of which the third is a keyset in its only accepted spelling."""
    items = []
    while body:
        size = int.from_bytes(body[:4], "big")
        demand(len(body) >= 4 + size)
        items, body = [*items, body[4 : 4 + size]], body[4 + size :]
    demand(len(items) == count and items[0] == name and len(items[1]) == 4)
    return Hold(int.from_bytes(items[1], "big"), strict(items[2])), items[3:]


def strict(content):
    try:
        keyset = tink_pb2.Keyset.FromString(content)
        keyset.DiscardUnknownFields()
        demand(0 < len(keyset.key) <= 32 and keyset.SerializeToString(deterministic=True) == content)
        for key in keyset.key:
            demand((key.key_data.type_url, key.key_data.key_material_type) == (AES, tink_pb2.KeyData.SYMMETRIC))
            value = aes_gcm_pb2.AesGcmKey.FromString(key.key_data.value)
            value.DiscardUnknownFields()
            demand((value.version, len(value.key_value)) == (0, 32))
            demand(value.SerializeToString(deterministic=True) == key.key_data.value)
            demand(key.status == tink_pb2.ENABLED and key.output_prefix_type in (1, 2, 3, 4))
    except DecodeError:
        demand(False)
    ids = [key.key_id for key in keyset.key]
    demand(len(set(ids)) == len(ids) and keyset.primary_key_id in ids)
    return keyset


def granted(ours, theirs, is_alone, retired):
    """The inviter's: the epoch, whether there is a new primary, and the ids of all other keys."""
    if is_alone and not theirs:
        return ours.epoch, False, ours.ids
    if theirs:
        agree(ours, theirs)
        check_epoch(theirs.epoch, ours.epoch)
    epoch = max(ours.epoch, theirs.epoch if theirs else 0)
    others = [key for key in (theirs.keyset.key if theirs else []) if not retired.has(key)]
    ids = ours.ids + [key.key_id for key in others if key.key_id not in ours.ids]
    demand(epoch < LAST - 1 and len(ids) < 32, "limit")
    return epoch + 1, True, ids


def taken(grant, ours, retired):
    """The acceptor's: what it holds then, the granted keys first."""
    keys = {key.key_id: key for key in grant.keyset.key}
    primary = keys[grant.keyset.primary_key_id]
    before = list(ours.keyset.key) if ours else []
    demand(not ours or grant.epoch >= ours.epoch, "epochMismatch")
    known = [key for key in before if key.key_id == primary.key_id or material(key) == material(primary)]
    demand(not known and not retired.has(primary), "keyMismatch")
    if ours:
        agree(grant, ours)
    check_epoch(grant.epoch, ours.epoch if ours else 0)
    kept = [key for key in grant.keyset.key if not retired.has(key)]
    kept += [key for key in before if key.key_id not in [other.key_id for other in kept]]
    demand(len(kept) <= 32, "limit")
    return Hold(grant.epoch, tink_pb2.Keyset(primary_key_id=primary.key_id, key=kept))


def agree(ours, theirs):
    """No id has two keys."""
    keys = {key.key_id: (material(key), key.output_prefix_type) for key in ours.keyset.key}
    for key in theirs.keyset.key:
        same = keys.get(key.key_id, (material(key), key.output_prefix_type))
        demand(same == (material(key), key.output_prefix_type), "keyMismatch")


def check_epoch(epoch, ours):
    demand(epoch < LAST and epoch <= ours + 1000, "limit")


def material(key):
    return aes_gcm_pb2.AesGcmKey.FromString(key.key_data.value).key_value
