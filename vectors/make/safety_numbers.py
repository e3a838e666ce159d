"""Makes v1/safety_number.json. The first value is libsignal's; the others are Python's SHA-512.

closer-keys-formats(7), SAFETY NUMBERS.
"""

import base64

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from kit import aes_keys, answer_parts as parts, ecies_keys
from kit.frame import Group, VectorFile
from kit.readers import safety_numbers
from kit.stream import stream
from kit.x25519_keys import OTHER_SPELLINGS, bytes_of

NOTES = {
    "Published": "libsignal's test of its numeric fingerprint, with its own keys of 33 bytes",
    "Fingerprint": "One half, of any bytes",
    "Couple": "Two users' pub:v1 keys, from either side",
    "Integers": "A key of 32-byte integers has the number of the same key with 33",
    "X25519": "Two users' X25519 keys, from either side",
    "Key": "A public key that is none, or not in its one spelling",
    "Identifier": "An id that is none",
}
LIBSIGNAL = (
    ("+14152222222", "0506863bc66d02b40d27b8d49ca7c09e9239236f9d7d25d6fcca5ce13c7064d868"),
    ("+14153333333", "05f781b6fb32fed9ba1cf2de978d4d5da28dc34046ae814402b5c0dbd96fda907b"),
)
PUBLISHED = "300354477692869396892869876765458257569162576843440918079131"


def fingerprints(file: VectorFile) -> None:
    group = file.group("safetyNumber.fingerprint", "libsignal")
    for half, (identity, key) in enumerate(LIBSIGNAL):
        digits = PUBLISHED[30 * half : 30 * half + 30]
        group.valid(
            f"of {identity}", {"identity": identity.encode(), "key": key}, {"digits": digits}, "Published"
        )
    group = file.group("safetyNumber.fingerprint", "python")
    for identity, key in (
        (b"alice", stream("sn", 32)),
        ("käthe".encode(), stream("sn", 200)),
        (b"x" * 128, b"\0"),
    ):
        group.valid(
            f"key of {len(key)} bytes",
            {"identity": identity, "key": key},
            {"digits": safety_numbers.digits(identity, key)},
            "Fingerprint",
        )


def public_key(label: str, width: str = "33", key_id: int = 5) -> str:
    keyset = aes_keys.keyset(ecies_keys.entry(ecies_keys.scalar(label), key_id, width=width))
    return parts.url("pub:v1:", aes_keys.binary(ecies_keys.public(keyset)))


def case(ours: tuple[str, str], theirs: tuple[str, str]) -> dict:
    return {
        "ourUserId": ours[0],
        "ourPublicKey": ours[1],
        "theirUserId": theirs[0],
        "theirPublicKey": theirs[1],
    }


def both_sides(
    group: Group, comment: str, flag: str, ours: tuple, theirs: tuple, reader, **more: str
) -> dict:
    for side, people in (("ours", (ours, theirs)), ("theirs", (theirs, ours))):
        made = more | case(*people)
        group.valid(f"{comment}, from {side}", made, reader(made), flag)
    return more | case(ours, theirs)


def couples(file: VectorFile) -> None:
    group = file.group("safetyNumber.couple", "python")
    ours, theirs = ("alice", public_key("sn alice")), ("bob", public_key("sn bob", key_id=1 << 31))
    of = safety_numbers.of_couple
    good = both_sides(group, "a couple", "Couple", ours, theirs, of, coupleId="couple_1")
    both_sides(group, "another couple", "Couple", ours, theirs, of, coupleId="couple_2")
    both_sides(
        group, "other ids", "Couple", ("A.b-c:d@e+f", ours[1]), ("x" * 128, theirs[1]), of, coupleId="0"
    )
    short = public_key("sn alice", "32")
    group.valid("integers of 32 bytes", good | {"ourPublicKey": short}, of(good), "Integers")
    for text in ("", "pub:v1:", ours[1] + "=", ours[1].replace("v1", "v2"), "pub:v1:AAAA"):
        group.invalid(
            f"key {text[:7]!r}, {len(text)} characters", good | {"ourPublicKey": text}, "malformed", "Key"
        )
    for member in ("coupleId", "ourUserId", "theirUserId"):
        group.invalid(f"{member} a|b", good | {member: "a|b"}, "malformed", "Identifier")


def x25519(file: VectorFile) -> None:
    group = file.group("safetyNumber.x25519", "python")
    people = []
    for name in ("alice", "bob", "carol"):
        key = X25519PrivateKey.from_private_bytes(stream(f"sn {name}", 32)).public_key()
        people.append((name, base64.b64encode(key.public_bytes_raw()).decode()))
    of = safety_numbers.of_x25519
    good = both_sides(group, "alice and bob", "X25519", *people[:2], of)
    both_sides(group, "bob and carol", "X25519", *people[1:], of)
    both_sides(group, "alice and carol", "X25519", people[0], people[2], of)
    text = good["ourPublicKey"]
    for other in (
        "",
        text.rstrip("="),
        base64.b64encode(bytes(31)).decode(),
        base64.b64encode(b"\5" + bytes(range(32))).decode(),
        text + "\n",
    ):
        group.invalid(f"key of {len(other)} characters", good | {"ourPublicKey": other}, "malformed", "Key")
    for comment, number in OTHER_SPELLINGS.items():
        other = base64.b64encode(bytes_of(number)).decode()
        group.invalid(f"key {comment}", good | {"ourPublicKey": other}, "malformed", "Key")
    group.invalid("theirUserId a|b", good | {"theirUserId": "a|b"}, "malformed", "Identifier")


def main() -> None:
    file = VectorFile("safety_number", "Safety number, Signal's numeric fingerprint, version 0", NOTES)
    fingerprints(file)
    couples(file)
    x25519(file)
    file.write()


main()
