"""Makes v1/aead.json: Tink's AEAD over keysets of AES-256-GCM keys.

One group is sealed by Tink, whose nonces are random; the others by pyca/cryptography with nonces of ours.
Tink opens all.
"""

from tink.proto import tink_pb2

from kit.aes_keys import binary, entry, keyset, sealed
from kit.changes import flipped
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs  # the partner's: its folder is on the path once kit is there

NOTES = {
    "Normal": "A ciphertext under the primary, with Tink's prefix",
    "Size": "Plaintexts around the borders of blocks, and empty ones",
    "KeyId": "Key ids of one to five bytes as a varint, and 0",
    "Prefix": "The output prefixes TINK, RAW, CRUNCHY and LEGACY",
    "SeveralKeys": "The ciphertext's first five bytes say which key is meant; a key without prefix is tried last",
    "PrefixCollision": "A ciphertext without prefix that begins like one with it: both keys must be tried",
    "KeyNotEnabled": "A key that is disabled or destroyed opens nothing",
    "AssociatedData": "Associated data is authenticated, every byte",
    "Modified": "One byte changed, was cut off or was added",
    "Truncated": "Too short for a prefix, a nonce and a tag",
    "TooShortForOne": "28 to 32 bytes: enough under a key without prefix, too few under one with it",
}
SIZES = (0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 4096)
TINK, RAW, CRUNCHY, LEGACY = tink_pb2.TINK, tink_pb2.RAW, tink_pb2.CRUNCHY, tink_pb2.LEGACY
DATA = b"couple_1"


def of_tink(file: VectorFile) -> None:
    keys = keyset(entry("aead tink", 168496141))
    group = file.group("aead.open", "tink", keyset=binary(keys))
    for size in SIZES:
        comment, plaintext = f"{size} bytes", stream(f"aead {size}", size)
        box = file.kept(
            "aead.open",
            "tink",
            comment,
            "ciphertext",
            lambda: theirs.field_cipher(keys).encrypt(plaintext, DATA),
        )
        group.valid(comment, {"ciphertext": box, "associatedData": DATA}, {"plaintext": plaintext}, "Size")


def opens(group: Group, comment: str, key, plaintext: bytes, data: bytes, *flags: str) -> dict:
    case = {"ciphertext": sealed(key, plaintext, data, comment), "associatedData": data}
    return group.valid(comment, case, {"plaintext": plaintext}, *flags)


def one_key(file: VectorFile) -> None:
    for prefix in (TINK, RAW, CRUNCHY, LEGACY):
        name = tink_pb2.OutputPrefixType.Name(prefix)
        for key_id in (0, 1, 127, 128, 16384, 1 << 21, 1 << 28, (1 << 32) - 1):
            if prefix != TINK and key_id not in (1, 1 << 28):
                continue
            key = entry(f"aead {name} {key_id}", key_id, prefix)
            group = file.group("aead.open", "cryptography", keyset=binary(keyset(key)))
            opens(
                group,
                f"{name}, key id {key_id}",
                key,
                b"hello",
                DATA,
                "KeyId" if prefix == TINK else "Prefix",
            )


def contents(file: VectorFile) -> None:
    key = entry("aead contents", 305419896)
    group = file.group("aead.open", "cryptography", keyset=binary(keyset(key)))
    opens(group, "64 KiB", key, stream("aead 64 KiB", 1 << 16), DATA, "Size")
    opens(group, "text", key, "hello ❤ שלום".encode(), DATA, "Normal")
    for data in (b"", b"\x00", "Ünï".encode(), bytes(range(256)), stream("aead data", 1000)):
        opens(group, f"associated data of {len(data)} bytes", key, b"hello", data, "AssociatedData")


def several_keys(file: VectorFile) -> None:
    keys = [
        entry(f"aead several {n}", n, prefix)
        for n, prefix in enumerate((TINK, CRUNCHY, LEGACY, RAW, TINK), 7)
    ]
    off = entry("aead off", 99, TINK, tink_pb2.DISABLED)
    gone = entry("aead gone", 98, RAW, tink_pb2.DESTROYED)
    twin = entry("aead twin", 7, TINK, tink_pb2.DISABLED)
    group = file.group("aead.open", "cryptography", keyset=binary(keyset(*keys, off, gone, twin)))
    for key in keys:
        opens(group, f"under key {key.key_id}", key, b"one of several", DATA, "SeveralKeys")
    case = {"ciphertext": sealed(off, b"off", DATA, "off"), "associatedData": DATA}
    # The key without prefix is tried on it, so it is not "no key".
    group.invalid("under a disabled key, beside one without prefix", case, "authFailed", "KeyNotEnabled")
    case = {"ciphertext": sealed(gone, b"gone", DATA, "gone"), "associatedData": DATA}
    group.invalid("under a destroyed key", case, "authFailed", "KeyNotEnabled")
    case = {"ciphertext": sealed(twin, b"twin", DATA, "twin"), "associatedData": DATA}
    group.invalid("under a disabled key with an enabled one's id", case, "authFailed", "KeyNotEnabled")

    only = file.group("aead.open", "cryptography", keyset=binary(keyset(keys[0], off)))
    case = {"ciphertext": sealed(off, b"off", DATA, "off"), "associatedData": DATA}
    only.invalid("under a disabled key", case, "noKey", "KeyNotEnabled")


def collisions(file: VectorFile) -> None:
    """The other key's id is taken from the nonce, whose first byte is drawn until it is a prefix's."""
    raw = entry("aead raw", 5, RAW)
    for prefix, first in ((TINK, 1), (CRUNCHY, 0)):
        label = next(f"collision {n}" for n in range(10**6) if stream(f"iv collision {n}", 1)[0] == first)
        box = sealed(raw, b"no prefix", DATA, label)
        other = entry("aead other", int.from_bytes(box[1:5], "big"), prefix)
        name = tink_pb2.OutputPrefixType.Name(prefix)
        group = file.group("aead.open", "cryptography", keyset=binary(keyset(other, raw)))
        case = {"ciphertext": box, "associatedData": DATA}
        group.valid(
            f"begins like a ciphertext of a {name} key", case, {"plaintext": b"no prefix"}, "PrefixCollision"
        )


def changed(file: VectorFile, prefix: int) -> None:
    name = tink_pb2.OutputPrefixType.Name(prefix)
    key, start = entry(f"aead changed {name}", 0x0A0B0C0D, prefix), 0 if prefix == RAW else 5
    group = file.group("aead.open", "cryptography", keyset=binary(keyset(key)))
    case = opens(group, f"{name}, unchanged", key, b"seventeen bytes..", DATA, "Normal")
    box = case["ciphertext"]
    places = {
        "nonce's first": start,
        "nonce's last": start + 11,
        "ciphertext's first": start + 12,
        "ciphertext's last": -17,
        "tag's first": -16,
        "tag's last": -1,
    }
    for part, place in places.items():
        for bit in (0, 7):
            group.invalid(
                f"{name}, {part} byte, bit {bit}",
                case | {"ciphertext": flipped(box, place, bit)},
                "authFailed",
                "Modified",
            )
    for place in range(start):
        group.invalid(
            f"{name}, prefix byte {place}", case | {"ciphertext": flipped(box, place)}, "noKey", "Modified"
        )
    for count in (1, 16, 17):
        group.invalid(
            f"{name}, {count} bytes less", case | {"ciphertext": box[:-count]}, "authFailed", "Modified"
        )
    group.invalid(f"{name}, a byte more", case | {"ciphertext": box + b"\0"}, "authFailed", "Modified")
    group.invalid(
        f"{name}, a byte before it",
        case | {"ciphertext": b"\0" + box},
        "noKey" if start else "authFailed",
        "Modified",
    )
    for count in (0, 1, 5, 27, *([32] if start else [])):
        group.invalid(f"{name}, {count} bytes", case | {"ciphertext": box[:count]}, "malformed", "Truncated")
    for data in (b"", b"couple_2", b"Couple_1", b"couple_1\0", b"couple_", b"couple_1|q"):
        group.invalid(
            f"{name}, associated data {data!r}",
            case | {"associatedData": data},
            "authFailed",
            "AssociatedData",
        )


def too_short_for_one(file: VectorFile) -> None:
    """Which error it is depends on the keys that would be tried: none, one that wants more bytes, or one that does not."""
    key, raw = entry("aead short", 0x0A0B0C0D), entry("aead short raw", 6, RAW)
    off = entry("aead short off", 7, RAW, tink_pb2.DISABLED)
    ours, bare = sealed(key, b"", DATA, "short"), sealed(raw, b"..", DATA, "short raw")
    for name, keys, box, error in (
        ("28 bytes with another key's prefix", (key,), flipped(ours, 4)[:28], "noKey"),
        ("32 bytes with another key's prefix", (key,), flipped(ours, 4)[:32], "noKey"),
        ("30 bytes, a disabled key without prefix", (key, off), sealed(off, b"..", DATA, "short off"), "noKey"),
        ("30 bytes with a key's prefix, and one without prefix", (key, raw), ours[:30], "authFailed"),
    ):
        group = file.group("aead.open", "cryptography", keyset=binary(keyset(*keys)))
        group.invalid(name, {"ciphertext": box, "associatedData": DATA}, error, "TooShortForOne")
    group = file.group("aead.open", "cryptography", keyset=binary(keyset(key, raw)))
    case = {"ciphertext": bare, "associatedData": DATA}
    group.valid("30 bytes without prefix", case, {"plaintext": b".."}, "TooShortForOne")


def main() -> None:
    file = VectorFile("aead", "Tink AEAD, AES-256-GCM", NOTES)
    of_tink(file)
    one_key(file)
    contents(file)
    several_keys(file)
    collisions(file)
    for prefix in (TINK, RAW, CRUNCHY):
        changed(file, prefix)
    too_short_for_one(file)
    file.write()


main()
