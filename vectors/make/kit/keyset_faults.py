"""Keysets that are spelled otherwise, or broken in one thing."""

from collections.abc import Callable, Iterator

import ecies
from kit import aes_keys, ecies_keys
from kit.protobuf import AES, ECIES_PRIVATE, ECIES_PUBLIC, Raw, at, join, split, varint
from kit.streaming_keys import streaming_entry

KEY, DATA, VALUE = (2,), (2, 1), (2, 1, 2)
PARAMS = (*VALUE, 2, 2)
KEM, DEM, TEMPLATE = (*PARAMS, 1), (*PARAMS, 2), (*PARAMS, 2, 2)
P = 2**256 - 2**224 + 2**192 + 2**96 - 1


def aes() -> list:
    return split(aes_keys.binary(aes_keys.keyset(aes_keys.entry("keyset faults", 305419896))), AES)


def private() -> list:
    keyset = aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("keyset faults"), 99))
    return split(aes_keys.binary(keyset), ECIES_PRIVATE)


def public() -> list:
    keyset = aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("keyset faults"), 99))
    return split(aes_keys.binary(ecies_keys.public(keyset)), ECIES_PUBLIC)


def sets(number: int, value: object) -> Callable[[object], list]:
    return lambda _: [(number, value)]


def gone(_: object) -> list:
    return []


def respelled() -> Iterator[tuple[str, bytes, str]]:
    """The same keysets to protobuf. No Tink writes them so."""
    keyset, flag = aes(), "Lenient"
    yield "fields in reverse", join(keyset[::-1]), flag
    yield "fields of a key in reverse", join(at(keyset, KEY, lambda key: [(2, key[::-1])])), flag
    yield "an unknown number in the keyset", join([*keyset, (15, 1)]), flag
    yield "unknown bytes in the keyset", join([*keyset, (2047, b"hello")]), flag
    yield (
        "an unknown field in the key data",
        join(at(keyset, DATA, lambda data: [(1, [*data, (9, 1)])])),
        flag,
    )
    yield (
        "an unknown field in the AES key",
        join(at(keyset, VALUE, lambda value: [(2, [*value, (2, b"x")])])),
        flag,
    )
    yield (
        "a default that is written: version 0",
        join(at(keyset, VALUE, lambda value: [(2, [(1, 0), *value])])),
        flag,
    )
    for count in (6, 10):
        long_id = Raw(varint(8) + varint(305419896, count))
        yield f"an id of {count} bytes", join(at(keyset, (1,), sets(1, long_id))), flag
    long_tag = Raw(varint(8, 3) + varint(305419896))
    yield "a tag of three bytes", join(at(keyset, (1,), sets(1, long_tag))), flag
    minimal = aes_keys.keyset(ecies_keys.entry(70000, 7, width="minimal"))
    yield "integers as short as they can be", aes_keys.binary(minimal), "Integers"
    for width in (34, 66):
        wide = at(private(), (*VALUE, 3), lambda value: [(3, value.rjust(width, b"\0"))])
        yield f"a scalar of {width} bytes", join(wide), "Integers"


def broken() -> Iterator[tuple[str, bytes, str, str]]:
    yield from ((*fault[:2], "malformed", fault[2]) for fault in broken_messages())
    yield from ((*fault, "malformed", "Keyset") for fault in broken_keysets())
    yield from ((comment, join(keyset), "malformed", flag) for comment, keyset, flag in broken_keys())
    yield from ((comment, join(keyset), "malformed", "Curve") for comment, keyset in broken_points())
    keys = [aes_keys.entry(f"many {number}", number) for number in range(1, 34)]
    yield "33 keys", aes_keys.binary(aes_keys.keyset(*keys)), "limit", "Size"
    yield "an unknown field of 16 KiB", join([*aes(), (15, b"\0" * (1 << 14))]), "limit", "Size"
    yield (
        "a salt of 1025 bytes",
        join(at(private(), KEM, lambda kem: [(1, [*kem, (11, b"s" * 1025)])])),
        "limit",
        "Size",
    )


def broken_messages() -> Iterator[tuple[str, bytes, str]]:
    whole, flag = join(aes()), "Protobuf"
    for count in (1, 2, 20, len(whole) - 1):
        yield f"{count} bytes less", whole[:-count], flag
    yield "no protobuf", b"\xff" * 30, flag
    yield "a group", whole + bytes([15 << 3 | 3, 15 << 3 | 4]), flag
    yield "a fixed-width field of 32 bits", whole + bytes([15 << 3 | 5]) + b"\0" * 4, flag
    yield "a fixed-width field of 64 bits", whole + bytes([15 << 3 | 1]) + b"\0" * 8, flag
    yield "a field with the number 0", whole + b"\0\0", flag
    yield "a varint of eleven bytes", whole + b"\x78" + b"\x80" * 10 + b"\0", flag
    yield "a varint of more than 64 bits", whole + b"\x78" + b"\xff" * 9 + b"\x02", flag
    yield "a primary's id of 33 bits", join(at(aes(), (1,), sets(1, 305419896 + (1 << 32)))), flag
    yield "two primaries", join([(1, 305419896), *aes()]), flag
    yield "two AES keys in one", join(at(aes(), VALUE, lambda value: [(2, [*value, (3, b"k" * 32)])])), flag
    yield "a length beyond the end", whole + b"\x7a\x05abcd", flag


def broken_keysets() -> Iterator[tuple[str, bytes]]:
    keyset = aes()
    yield "no bytes", b""
    yield "no keys", join(keyset[:1])
    yield "no key has the primary's id", join(at(keyset, (1,), sets(1, 4)))
    yield "no primary's id", join(keyset[1:])
    yield "two enabled keys with one id", join([*keyset, keyset[1]])
    for status, name in ((2, "disabled"), (3, "destroyed")):
        yield f"the primary is {name}", join(at(keyset, (*KEY, 2), sets(2, status)))


def broken_keys() -> Iterator[tuple[str, list, str]]:
    keyset, box = aes(), private()
    numbers = {"status": (*KEY, 2), "output prefix": (*KEY, 4), "material type": (*DATA, 3)}
    for name, path in numbers.items():
        for number in (0, 4 if name != "output prefix" else 5, 100):
            yield f"{name} {number}", at(keyset, path, sets(path[-1], number)), "Field"
    yield "material type of a private key", at(keyset, (*DATA, 3), sets(3, 2)), "Field"
    yield "an ECIES key said to be symmetric", at(box, (*DATA, 3), sets(3, 1)), "Field"
    yield "no status", at(keyset, (*KEY, 2), gone), "Field"
    yield "no output prefix", at(keyset, (*KEY, 4), gone), "Field"
    yield "no key data", at(keyset, DATA, gone), "Field"
    yield "no type URL", at(keyset, (*DATA, 1), gone), "Field"
    for name in ("AesGcmSivKey", "AesCtrHmacAeadKey", "aesGcmKey", "AesGcmKe", "AesGcmKey "):
        yield f"type {name!r}", at(keyset, (*DATA, 1), sets(1, (ecies.TYPE + name).encode())), "Field"
    for size in (0, 16, 24, 31, 33, 64):
        flag = "Downgrade" if size < 32 else "Field"
        yield f"an AES key of {size} bytes", at(keyset, (*VALUE, 3), sets(3, b"k" * size)), flag
    yield "an AES key of version 1", at(keyset, VALUE, lambda value: [(2, [(1, 1), *value])]), "Field"
    yield "an ECIES key of version 1", at(box, VALUE, lambda value: [(2, [(1, 1), *value])]), "Field"
    yield "a public half of version 1", at(box, (*VALUE, 2), lambda value: [(2, [(1, 1), *value])]), "Field"
    for number in (0, 3, 4, 5):
        yield f"curve {number}", at(box, (*KEM, 1), sets(1, number)), "Field"
    for number in (0, 1, 2, 4, 5):
        yield f"hash {number}", at(box, (*KEM, 2), sets(2, number)), "Downgrade" if number == 1 else "Field"
    for number in (0, 3, 4):
        yield f"point format {number}", at(box, (*PARAMS, 3), sets(3, number)), "Field"
    yield "a DEM of another type", at(box, (*TEMPLATE, 1), sets(1, b"AesGcmSivKey")), "Field"
    for size in (0, 15, 24, 64):
        yield f"a DEM key of {size} bytes", at(box, (*TEMPLATE, 2, 2), sets(2, size)), "Field"
    yield "a DEM of version 1", at(box, (*TEMPLATE, 2), lambda value: [(2, [*value, (3, 1)])]), "Field"
    yield "a DEM with an unknown prefix", at(box, (*TEMPLATE, 3), sets(3, 9)), "Field"
    yield "no parameters", at(box, PARAMS, gone), "Field"
    for field, value in {
        "segments that hold no byte": (1, 56),
        "a derived key of 16": (2, 16),
        "a hash of SHA-1": (3, 1),
    }.items():
        yield f"streaming, {field}", _streaming(*value), "Downgrade" if value[0] > 1 else "Field"


def broken_points() -> Iterator[tuple[str, list]]:
    box, key, half = private(), public(), (*VALUE, 2)
    other = ecies_keys.scalar("keyset faults 2")
    point = ecies_keys.private_key(other).public_key().public_numbers()
    for scalar in (0, ecies_keys.ORDER, 2**256 - 1):
        yield (
            f"scalar {scalar >> 240:x}…{scalar & 0xFFFF:x}",
            at(box, (*VALUE, 3), sets(3, scalar.to_bytes(33))),
        )
    yield "no scalar", at(box, (*VALUE, 3), gone)
    yield "a scalar that is not the point's", at(box, (*VALUE, 3), sets(3, other.to_bytes(33)))
    yield (
        "the scalar's negative",
        at(box, (*VALUE, 3), lambda value: [(3, (ecies_keys.ORDER - int.from_bytes(value)).to_bytes(33))]),
    )
    yield "x of another point", at(box, (*half, 3), sets(3, point.x.to_bytes(33)))
    yield "y negated", at(box, (*half, 4), lambda value: [(4, (P - int.from_bytes(value)).to_bytes(33))])
    yield "a scalar of 67 bytes", at(box, (*VALUE, 3), lambda value: [(3, value.rjust(67, b"\0"))])
    yield "a scalar of more than 256 bits", at(box, (*VALUE, 3), lambda value: [(3, b"\1" + value[1:])])
    yield "public, y of another point", at(key, (*VALUE, 4), sets(4, point.y.to_bytes(33)))
    yield "public, x is the prime", at(key, (*VALUE, 3), sets(3, P.to_bytes(33)))
    yield "public, x is the prime more", at(key, (*VALUE, 3), sets(3, (P + 5).to_bytes(33)))
    yield "public, 0 and 0", at(at(key, (*VALUE, 3), sets(3, b"\0" * 33)), (*VALUE, 4), sets(4, b"\0" * 33))
    yield "public, no x", at(key, (*VALUE, 3), gone)
    yield "public, x of more than 256 bits", at(key, (*VALUE, 3), lambda x: [(3, b"\1" + x[1:])])


def _streaming(number: int, value: int) -> list:
    keyset = aes_keys.keyset(streaming_entry("keyset faults", 6, 1 << 20))
    return at(
        split(aes_keys.binary(keyset), {2: {1: {2: {2: {}}}}}), (*VALUE, 2, number), sets(number, value)
    )


def respelled_public() -> Iterator[tuple[str, bytes]]:
    """The same public key to protobuf, in spellings that no Tink has."""
    keyset = public()
    yield "fields in reverse", join(keyset[::-1])
    yield "an unknown field", join([*keyset, (15, 1)])
    yield (
        "a default that is written: version 0",
        join(at(keyset, VALUE, lambda value: [(2, [(1, 0), *value])])),
    )
    yield "an id of six bytes", join(at(keyset, (1,), sets(1, Raw(varint(8) + varint(99, 6)))))
    yield "x of 32 bytes, y of 33", join(at(keyset, (*VALUE, 3), lambda x: [(3, x[1:])]))
    yield "x of 34 bytes", join(at(keyset, (*VALUE, 3), lambda x: [(3, b"\0" + x)]))
