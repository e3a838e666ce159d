"""Makes v1/keyset.json: Tink keysets, binary and JSON, and each rule for reading one broken once.

closer-keys-formats(7), Reading a keyset.
"""

import json

from google.protobuf import json_format
from tink.proto import tink_pb2

from kit import aes_keys, ecies_keys, keyset_faults, keyset_json_faults
from kit.frame import Group, VectorFile
from kit.readers.keyset_files import parse
from kit.streaming_keys import streaming_entry

NOTES = {
    "Normal": "As Tinks write it",
    "KeyId": "Key ids of one to five bytes as a varint, and 0",
    "Prefix": "The output prefixes",
    "Status": "Keys that are disabled or destroyed stay in the list",
    "Integers": "Integers of 32 or 33 bytes, or as few as they need, and values with leading zeros",
    "Parameters": "Compressed points, an AES-256 DEM, a salt",
    "Streaming": "Keys of Tink's streaming AEAD",
    "Lenient": "Another spelling that protobuf allows: taken from a file of one's own, refused from a partner or a server",
    "Protobuf": "No protobuf, or a part of it that no Tink writes: groups, fixed widths, a second value for a field",
    "Keyset": "A rule about the keyset as a whole is broken",
    "Field": "One field of a key is not as it must be",
    "Downgrade": "A weaker key than the type's: nobody may talk a reader down",
    "Curve": "A scalar, a coordinate or a point that is none, or a point that is not the scalar's",
    "Size": "More keys or bytes than a keyset may have, or exactly as many",
    "JSON": "Strict JSON with exactly Tink's members",
}


def valid_keysets():
    """Each with a comment and a flag."""
    key = aes_keys.entry("keyset", 305419896)
    for key_id in (0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 268435455, 268435456, (1 << 32) - 1):
        yield f"AES, key id {key_id}", aes_keys.keyset(aes_keys.entry(f"keyset {key_id}", key_id)), "KeyId"
    for prefix in (tink_pb2.RAW, tink_pb2.CRUNCHY, tink_pb2.LEGACY):
        name = tink_pb2.OutputPrefixType.Name(prefix)
        yield f"AES, {name}", aes_keys.keyset(aes_keys.entry(name, 77, prefix)), "Prefix"
    others = [aes_keys.entry(f"keyset other {n}", n, status=n % 3 + 1) for n in range(1, 32)]
    yield "AES, 32 keys", aes_keys.keyset(key, *others), "Size"
    twin = aes_keys.entry("keyset twin", 305419896, status=tink_pb2.DISABLED)
    yield "AES, a disabled key with the primary's id", aes_keys.keyset(key, twin), "Status"
    empty = tink_pb2.Keyset.Key(status=tink_pb2.DESTROYED, key_id=5, output_prefix_type=tink_pb2.TINK)
    yield "AES, a destroyed key without its data", aes_keys.keyset(key, empty), "Status"
    last = aes_keys.keyset(aes_keys.entry("keyset first", 3), key)
    last.primary_key_id = key.key_id
    yield "AES, the primary is the last", last, "Normal"
    yield from valid_ecies()


def valid_ecies():
    parameters = {
        "template": ecies_keys.parameters(),
        "compressed": ecies_keys.parameters(point=ecies_keys.COMPRESSED),
        "AES-256": ecies_keys.parameters(dem=32),
        "salt": ecies_keys.parameters(salt=b"salt"),
        "all three": ecies_keys.parameters(ecies_keys.COMPRESSED, 32, b"\0" * 100),
    }
    for name, params in parameters.items():
        keyset = aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar(f"keyset {name}"), 99, params))
        yield f"ECIES, {name}", keyset, "Parameters"
        yield f"ECIES public, {name}", ecies_keys.public(keyset), "Parameters"
    for zero in ("none", "x", "y", "scalar"):
        scalar = ecies_keys.scalar("keyset zero", zero)
        for width in ("32", "33"):
            keyset = aes_keys.keyset(ecies_keys.entry(scalar, 7, width=width))
            yield f"ECIES, leading zero: {zero}, {width} bytes", keyset, "Integers"
            yield f"ECIES public, leading zero: {zero}, {width} bytes", ecies_keys.public(keyset), "Integers"
    for scalar in (1, 2, ecies_keys.ORDER - 1):
        yield f"ECIES, scalar {scalar & 0xFFFF}", aes_keys.keyset(ecies_keys.entry(scalar, 8)), "Curve"
    for size, name in ((1 << 20, "1 MiB"), (1 << 12, "4 KiB")):
        yield (
            f"streaming, {name} segments",
            aes_keys.keyset(streaming_entry(f"keyset {size}", 6, size)),
            "Streaming",
        )


def add(group: Group, comment: str, content: bytes, flag: str) -> None:
    case = {"keyset": content}
    group.valid(comment, case, parse({"keyset": content.hex(), **group.parameters}), flag)


def tink_json(keyset: tink_pb2.Keyset) -> dict:
    """As Tink writes it: enums by name, bytes in base64; and always the id, which is no default to tinkey."""
    return json_format.MessageToDict(keyset)


def main() -> None:
    file = VectorFile("keyset", "Tink keysets", NOTES)
    strict = file.group("keyset.parse", "tink", format="binary", reading="strict")
    lenient = file.group("keyset.parse", "tink", format="binary", reading="lenient")
    as_json = file.group("keyset.parse", "protobuf", format="json", reading="lenient")
    for comment, keyset, flag in valid_keysets():
        add(strict, comment, aes_keys.binary(keyset), flag)
    for comment, content, flag in keyset_faults.respelled():
        add(lenient, comment, content, flag)
        strict.invalid(comment, {"keyset": content}, "malformed", flag)
    for comment, content, error, flag in keyset_faults.broken():
        for group in (strict, lenient):
            group.invalid(comment, {"keyset": content}, error, flag)
    for number, (comment, keyset, flag) in enumerate(valid_keysets()):
        if number % 3 == 0 or flag in ("Status", "Streaming", "Size"):
            indent = 2 if number % 2 else None
            add(as_json, comment, json.dumps(tink_json(keyset), indent=indent).encode(), flag)
    for comment, content, error in keyset_json_faults.broken_json(tink_json):
        as_json.invalid(comment, {"keyset": content}, error, "JSON" if error == "malformed" else "Size")
    file.write()


main()
