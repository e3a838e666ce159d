"""Makes v1/ecies.json: Tink's ECIES (closer-keys-formats(7), KEYBOXES).

pyca/cryptography seals with ephemeral keys and nonces of ours, so every value on the way is known; Tink opens all. In
one group Tink has sealed, too.
"""

from tink.proto import tink_pb2

from kit.aes_keys import binary, keyset
from kit.box_faults import points
from kit.changes import flipped
from kit.ecies_keys import COMPRESSED, entry, ephemeral_with_zero, parameters, public, scalar, sealed
from kit.frame import Group, VectorFile
from kit.stream import stream

import theirs

NOTES = {
    "Normal": "As Tink writes it",
    "Size": "Plaintexts around the borders of blocks, and empty ones",
    "Context": "The context is the HKDF's info: empty, long, every byte counts",
    "LeadingZero": "A shared secret, a coordinate or a scalar that begins with zero bytes: they are kept",
    "Parameters": "Compressed points, an AES-256 DEM, a salt",
    "Prefix": "The output prefixes RAW, CRUNCHY and LEGACY",
    "SeveralKeys": "Older keys stay readable; the prefix says which is meant",
    "Modified": "A byte changed, was cut off or was added",
    "Point": "An ephemeral point that is none, or in another form than the key's",
    "KemOrder": "Made with Z‖kem as input of HKDF: the kem bytes come first",
    "OtherKey": "Sealed to another key",
    "Truncated": "Too short for a prefix, a point, a nonce and a tag",
    "ContextTooLong": "More than HKDF's 32 KiB",
}
KEY = entry(scalar("ecies"), 0x01020304)
CONTEXT = b"couple_1|q_42|alice|bob"


def opens(
    group: Group, comment: str, key, plaintext: bytes, context: bytes, *flags: str, ephemeral: int = 0
) -> dict:
    box = sealed(key, plaintext, context, comment, ephemeral)
    case = {"ciphertext": box.ciphertext, "context": context}
    return group.valid(comment, case, {"plaintext": plaintext}, *flags, trace=box.trace)


def of_tink(file: VectorFile) -> None:
    group = file.group("ecies.open", "tink", keyset=binary(keyset(KEY)))
    sealer = theirs.box_sealer(public(keyset(KEY)))
    for size in (0, 1, 16, 100):
        comment, text = f"{size} bytes", stream(f"ecies {size}", size)
        box = file.kept("ecies.open", "tink", comment, "ciphertext", lambda: sealer.encrypt(text, CONTEXT))
        group.valid(comment, {"ciphertext": box, "context": CONTEXT}, {"plaintext": text}, "Size")


def contents(file: VectorFile) -> Group:
    group = file.group("ecies.open", "cryptography", keyset=binary(keyset(KEY)))
    for size in (0, 1, 15, 16, 17, 31, 32, 33, 256, 4096):
        opens(
            group, f"{size} bytes, known ephemeral key", KEY, stream(f"ecies {size}", size), CONTEXT, "Size"
        )
    for context in (b"", b"\0", "käse|❤".encode(), bytes(range(256)), b"x" * 32768):
        opens(group, f"context of {len(context)} bytes", KEY, b"hello", context, "Context")
    opens(group, "Z begins with 0", KEY, b"hello", CONTEXT, "LeadingZero", ephemeral=ephemeral_with_zero(KEY))
    for zero in ("x", "y", "scalar"):
        opens(
            group,
            f"ephemeral {zero} begins with 0",
            KEY,
            b"hello",
            CONTEXT,
            "LeadingZero",
            ephemeral=scalar("ecies zero", zero),
        )
    for ephemeral in (1, 2):
        opens(group, f"ephemeral scalar {ephemeral}", KEY, b"hello", CONTEXT, "Normal", ephemeral=ephemeral)
    case = {"ciphertext": sealed(KEY, b"", b"x" * 32769, "long").ciphertext, "context": b"x" * 32769}
    group.invalid("context of 32769 bytes", case, "limit", "ContextTooLong")
    return group


def other_keys(file: VectorFile) -> None:
    for zero in ("x", "y", "scalar"):
        for width in ("32", "33", "minimal"):
            key = entry(scalar("ecies key zero", zero), 7, width=width)
            group = file.group("ecies.open", "cryptography", keyset=binary(keyset(key)))
            opens(group, f"the key's {zero} begins with 0, {width}", key, b"hello", CONTEXT, "LeadingZero")
    for prefix in (tink_pb2.RAW, tink_pb2.CRUNCHY, tink_pb2.LEGACY):
        name = tink_pb2.OutputPrefixType.Name(prefix)
        key = entry(scalar(f"ecies {name}"), 300, prefix_type=prefix)
        group = file.group("ecies.open", "cryptography", keyset=binary(keyset(key)))
        case = opens(group, f"prefix {name}", key, b"hello", CONTEXT, "Prefix")
        short = {"ciphertext": case["ciphertext"][: 92 if prefix == tink_pb2.RAW else 97], "context": CONTEXT}
        group.invalid(f"prefix {name}, a byte too short", short, "malformed", "Truncated")
    several = [entry(scalar(f"ecies several {n}"), n) for n in (1, 128, 16384, 1 << 31)]
    off = entry(scalar("ecies off"), 9)
    off.status = tink_pb2.DISABLED
    group = file.group("ecies.open", "cryptography", keyset=binary(keyset(*several, off)))
    for key in several:
        opens(group, f"sealed to key {key.key_id}", key, b"hello", CONTEXT, "SeveralKeys")
    case = {"ciphertext": sealed(off, b"hello", CONTEXT, "off").ciphertext, "context": CONTEXT}
    group.invalid("sealed to a disabled key", case, "noKey", "OtherKey")


def variants(file: VectorFile) -> None:
    for point, dem, salt in (
        (COMPRESSED, 16, b""),
        (1, 32, b""),
        (1, 16, b"salt"),
        (COMPRESSED, 32, b"s" * 100),
    ):
        key = entry(scalar(f"ecies {point} {dem}"), 5, parameters(point, dem, salt))
        group = file.group("ecies.open", "cryptography", keyset=binary(keyset(key)))
        name = (
            f"{'compressed' if point == COMPRESSED else 'uncompressed'}, AES-{8 * dem}, salt of {len(salt)}"
        )
        case = opens(group, name, key, b"hello", CONTEXT, "Parameters")
        opens(group, f"{name}, empty", key, b"", b"", "Parameters")
        zero = ephemeral_with_zero(key)
        opens(group, f"{name}, Z begins with 0", key, b"hello", CONTEXT, "LeadingZero", ephemeral=zero)
        for place in (5, 6, -1):
            box = flipped(case["ciphertext"], place)
            group.invalid(
                f"{name}, byte {place} changed", case | {"ciphertext": box}, "authFailed", "Modified"
            )


def changed(group: Group) -> None:
    case = opens(
        group,
        "the one that is changed",
        KEY,
        b"sixty bytes, so that a shorter point leaves room for the rest",
        CONTEXT,
        "Normal",
    )
    box = case["ciphertext"]
    for place in range(5):
        group.invalid(f"prefix byte {place}", case | {"ciphertext": flipped(box, place)}, "noKey", "Modified")
    for place in (5, 6, 37, 38, 69, 70, 81, 82, 98, 99, -1):
        group.invalid(f"byte {place}", case | {"ciphertext": flipped(box, place)}, "authFailed", "Modified")
    group.invalid("a byte less", case | {"ciphertext": box[:-1]}, "authFailed", "Modified")
    group.invalid("a byte more", case | {"ciphertext": box + b"\0"}, "authFailed", "Modified")
    for count in (0, 5, 60, 70, 97):
        group.invalid(f"{count} bytes", case | {"ciphertext": box[:count]}, "malformed", "Truncated")
    for context in (
        b"",
        CONTEXT + b"\0",
        CONTEXT[:-1],
        b"couple_1|q_42|bob|alice",
        b"Couple_1|q_42|alice|bob",
    ):
        group.invalid(f"context {context.decode()!r}", case | {"context": context}, "authFailed", "Context")
    for comment, kem in points(box[5:70]):
        group.invalid(comment, case | {"ciphertext": box[:5] + kem + box[70:]}, "authFailed", "Point")
    swapped = sealed(KEY, b"hello", CONTEXT, "kem order", kem_last=True).ciphertext
    group.invalid("Z‖kem", case | {"ciphertext": swapped}, "authFailed", "KemOrder")
    impostor = entry(scalar("ecies impostor"), KEY.key_id)
    case = {"ciphertext": sealed(impostor, b"hello", CONTEXT, "impostor").ciphertext, "context": CONTEXT}
    group.invalid("sealed to another key with the same id", case, "authFailed", "OtherKey")
    stranger = entry(scalar("ecies stranger"), 77)
    case = {"ciphertext": sealed(stranger, b"hello", CONTEXT, "stranger").ciphertext, "context": CONTEXT}
    group.invalid("sealed to another key", case, "noKey", "OtherKey")


def main() -> None:
    file = VectorFile("ecies", "Tink ECIES, P-256, HKDF-SHA256, AES-GCM", NOTES)
    of_tink(file)
    changed(contents(file))
    other_keys(file)
    variants(file)
    file.write()


main()
