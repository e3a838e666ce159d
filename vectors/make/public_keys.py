"""Makes v1/public_key.json: `pub:v1:` tokens, each one ECIES public key in its one spelling.

closer-keys-formats(7), Public keys.
"""

import base64

from tink.proto import tink_pb2

from kit import aes_keys, ecies_keys, keyset_faults
from kit.changes import respelled_url
from kit.frame import Group, VectorFile
from kit.readers.tink_boxes import parse_public_key

NOTES = {
    "Normal": "As the apps write it",
    "KeyId": "Key ids of one to five bytes as a varint, and 0",
    "Integers": "Coordinates of 33 or 32 bytes, and with leading zeros",
    "Parameters": "Compressed points, an AES-256 DEM, a salt",
    "Point": "No point of the curve",
    "NotCanonical": "Another spelling of the same keyset: from a server it is refused",
    "Keyset": "A keyset that is none, or not of one enabled ECIES public key",
    "Secret": "A private or symmetric key where only a public one may be",
    "Token": "Not the token's name, another version, or white space",
    "Base64": "Another spelling of the same bytes, or no base64",
}


def token(content: bytes) -> str:
    return "pub:v1:" + base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def of(*entries: tink_pb2.Keyset.Key) -> bytes:
    return aes_keys.binary(ecies_keys.public(aes_keys.keyset(*entries)))


def add(group: Group, comment: str, content: bytes, flag: str) -> None:
    case = {"publicKey": token(content)}
    group.valid(comment, case, parse_public_key(case), flag)


def valid(group: Group) -> None:
    for key_id in (0, 1, 127, 128, 16384, 2097152, 268435456, (1 << 32) - 1):
        add(group, f"key id {key_id}", of(ecies_keys.entry(ecies_keys.scalar("public"), key_id)), "KeyId")
    for zero in ("none", "x", "y"):
        for width in ("32", "33"):
            key = ecies_keys.entry(ecies_keys.scalar("public zero", zero), 9, width=width)
            add(group, f"leading zero: {zero}, {width} bytes", of(key), "Integers")
    variants = {
        "compressed": (ecies_keys.COMPRESSED, 16, b""),
        "AES-256": (1, 32, b""),
        "salt": (1, 16, b"salt"),
    }
    for name, values in variants.items():
        key = ecies_keys.entry(ecies_keys.scalar("public"), 9, ecies_keys.parameters(*values))
        add(group, name, of(key), "Parameters")


def invalid(group: Group) -> None:
    whole = of(ecies_keys.entry(ecies_keys.scalar("public"), 200))
    for comment, keyset in keyset_faults.broken_points():
        if comment.startswith("public"):
            group.invalid(comment, {"publicKey": token(keyset_faults.join(keyset))}, "malformed", "Point")
    for comment, content in keyset_faults.respelled_public():
        group.invalid(comment, {"publicKey": token(content)}, "malformed", "NotCanonical")
    several = of(*(ecies_keys.entry(ecies_keys.scalar(f"public {n}"), n) for n in (1, 2)))
    group.invalid("two keys", {"publicKey": token(several)}, "malformed", "Keyset")
    group.invalid("a byte less", {"publicKey": token(whole[:-1])}, "malformed", "Keyset")
    group.invalid("no bytes", {"publicKey": "pub:v1:"}, "malformed", "Keyset")
    private = aes_keys.binary(aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar("public"), 9)))
    group.invalid("a private key", {"publicKey": token(private)}, "malformed", "Secret")
    symmetric = aes_keys.binary(aes_keys.keyset(aes_keys.entry("public", 9)))
    group.invalid("an AES key", {"publicKey": token(symmetric)}, "malformed", "Secret")
    text = token(whole)
    payload = text.removeprefix("pub:v1:")
    for prefix in ("", "pub:v2:", "pub:v1", "PUB:v1:", "pub:v1: ", "key:v1:"):
        group.invalid(f"prefix {prefix!r}", {"publicKey": prefix + payload}, "malformed", "Token")
    group.invalid("a line break behind it", {"publicKey": text + "\n"}, "malformed", "Token")
    for comment, other in respelled_url(payload):
        group.invalid(comment, {"publicKey": "pub:v1:" + other}, "malformed", "Base64")


def main() -> None:
    file = VectorFile("public_key", "Public key, pub:v1", NOTES)
    group = file.group("publicKey.parse", "tink")
    group.valid("of the golden values", *golden(), "Normal")
    valid(group)
    invalid(group)
    file.write()


def golden() -> tuple[dict, dict]:
    key = ecies_keys.entry(
        int("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", 16), 1432778632
    )
    case = {"publicKey": token(of(key))}
    return case, parse_public_key(case)


main()
