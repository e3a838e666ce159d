"""What a pairing does to the couple's keys (closer-keys-pairing(7), WHAT A PAIRING DOES)."""

import re
from dataclasses import dataclass

from tink.proto import aes_gcm_pb2, tink_pb2

from checks import Refused
from kit.readers.keyset_files import from_binary, kind
from partner.encoding import length_prefixed as lp

LAST = 2**32 - 1
GAP, MAXIMUM_KEYS, MAXIMUM_PHRASE = 1000, 32, 256


@dataclass(frozen=True)
class Hold:
    epoch: int
    keyset: tink_pb2.Keyset

    def binary(self) -> bytes:
        return self.keyset.SerializeToString(deterministic=True)

    def body(self, name: bytes, *rest: bytes) -> bytes:
        return lp(name, self.epoch.to_bytes(4, "big"), self.binary(), *rest)

    def ids(self) -> list[int]:
        return [key.key_id for key in self.keyset.key]


class Retired:
    """Keys that one side has given up: by their ids, and those of a keyset by their bytes, too."""

    def __init__(self, ids: set[int], keyset: tink_pb2.Keyset) -> None:
        self.ids = ids | {key.key_id for key in keyset.key}
        self.contents = {_bytes(key) for key in keyset.key}

    def has(self, key: tink_pb2.Keyset.Key) -> bool:
        return key.key_id in self.ids or _bytes(key) in self.contents


def read(body: bytes, name: bytes, count: int) -> tuple[Hold, list[bytes]]:
    """What was sealed: the name, the epoch, the keyset, and the items behind them."""
    parts = items(body)
    _demand(len(parts) == count and parts[0] == name and len(parts[1]) == 4)
    try:
        keyset = from_binary(parts[2], "strict")
    except Refused:
        raise Refused("malformed") from None
    for key in keyset.key:
        _demand(kind(key) == "aes256-gcm" and key.status == tink_pb2.ENABLED)
    return Hold(int.from_bytes(parts[1], "big"), keyset), parts[3:]


def phrase(content: bytes) -> str:
    """One that either of the two could have made."""
    words = content.split(b" ")
    is_long = len(words) >= 10 and len(set(words)) >= 5 and len(content) <= MAXIMUM_PHRASE
    _demand(is_long and all(re.fullmatch(b"[a-z]{3,8}", word) for word in words), "phraseRefused")
    return content.decode()


def granted(
    ours: Hold, theirs: Hold | None, is_alone: bool, retired: Retired
) -> tuple[int, bool, list[int]]:
    """The inviter's: the epoch, whether there is a new primary, and the ids of the other keys."""
    if is_alone and theirs is None:
        return ours.epoch, False, ours.ids()
    epoch = ours.epoch
    if theirs:
        _check_agreement(ours, theirs)
        _check_epoch(theirs.epoch, ours.epoch)
        epoch = max(epoch, theirs.epoch)
    _demand(epoch < LAST - 1, "limit")
    others = theirs.keyset.key if theirs else []
    added = [key.key_id for key in others if key.key_id not in ours.ids() and not retired.has(key)]
    _demand(len(ours.ids()) + len(added) < MAXIMUM_KEYS, "limit")
    return epoch + 1, True, ours.ids() + added


def taken(grant: Hold, ours: Hold | None, retired: Retired) -> Hold:
    """The acceptor's: what it was granted, and its own keys behind it."""
    primary = next(key for key in grant.keyset.key if key.key_id == grant.keyset.primary_key_id)
    if ours:
        _demand(grant.epoch >= ours.epoch, "epochMismatch")
        for key in ours.keyset.key:
            is_known = key.key_id == primary.key_id or _bytes(key) == _bytes(primary)
            _demand(not is_known, "keyMismatch")
    _demand(not retired.has(primary), "keyMismatch")
    if ours:
        _check_agreement(grant, ours)
    _check_epoch(grant.epoch, ours.epoch if ours else 0)
    keys = [key for key in grant.keyset.key if not retired.has(key)]
    known = {key.key_id for key in keys}
    keys += [key for key in ours.keyset.key if key.key_id not in known] if ours else []
    _demand(len(keys) <= MAXIMUM_KEYS, "limit")
    return Hold(grant.epoch, tink_pb2.Keyset(primary_key_id=primary.key_id, key=keys))


def _check_agreement(ours: Hold, theirs: Hold) -> None:
    for one in ours.keyset.key:
        for other in theirs.keyset.key:
            if one.key_id == other.key_id:
                same = _bytes(one) == _bytes(other) and one.output_prefix_type == other.output_prefix_type
                _demand(same, "keyMismatch")


def _check_epoch(epoch: int, ours: int) -> None:
    _demand(epoch < LAST and epoch <= ours + GAP, "limit")


def _bytes(key: tink_pb2.Keyset.Key) -> bytes:
    return aes_gcm_pb2.AesGcmKey.FromString(key.key_data.value).key_value


def items(body: bytes) -> list[bytes]:
    """What is length-prefixed, one behind the other."""
    found, place = [], 0
    while place < len(body):
        end = place + 4 + int.from_bytes(body[place : place + 4], "big")
        _demand(place + 4 <= len(body) and end <= len(body))
        found.append(body[place + 4 : end])
        place = end
    return found


def _demand(holds: object, error: str = "malformed") -> None:
    if not holds:
        raise Refused(error)
